/** Lists with pages and filters (transport_and_format, Pagination). */

import type { Freedoms, StrangerVersion } from "../Freedoms.ts"
import { momentOf } from "../objects/dress.ts"
import { changedAt } from "../objects/Holdings.ts"
import type { Json } from "../objects/validity.ts"
import type { Said } from "../wire.ts"

const wrong = (message: string): Said => ({ http: 200, code: 2001, message })

const whole = (text: string | null): number | undefined | "wrong" =>
  text === null ? undefined : /^\d+$/.test(text) ? Number(text) : "wrong"

/**
 * A page of `objects`, which are in the order in which they were created. `address`: where the list is, for the Link.
 */
export const pageOf = (
  objects: ReadonlyArray<Json>,
  query: URLSearchParams,
  address: URL,
  version: StrangerVersion,
  freedoms: Freedoms
): Said => {
  const cursor = query.get("cursor")
  const offset =
    cursor === null ? whole(query.get("offset")) : Number(Buffer.from(cursor, "base64").toString())
  const asked = whole(query.get("limit"))
  const bounds = ["date_from", "date_to"].map((name) => query.get(name))
  const [from, to] = bounds.map((text) => (text === null ? undefined : momentOf(text)))
  if (offset === "wrong" || asked === "wrong" || asked === 0) return wrong("offset or limit is no number")
  if (bounds.some((text, index) => text !== null && [from, to][index] === undefined))
    return wrong("date_from or date_to is no DateTime")
  const fitting = objects.filter((json) => {
    const at = changedAt(json)
    const isOpen = version === "2.1.1" && freedoms.openBounds
    return (
      (from === undefined || (isOpen ? at > from : at >= from)) &&
      (to === undefined || (isOpen ? at <= to : at < to))
    )
  })
  const sorted =
    freedoms.listOrder === "created"
      ? fitting
      : fitting.toSorted((a, b) => (String(a["id"] ?? a["uid"]) < String(b["id"] ?? b["uid"]) ? -1 : 1))
  const begin = offset ?? 0
  const size = Math.min(asked ?? Math.min(freedoms.pageUsual, freedoms.pageMax), freedoms.pageMax)
  const page = sorted.slice(begin, begin + size)
  const isLast = begin + size >= sorted.length
  return {
    http: 200,
    code: freedoms.successCode,
    data: page,
    headers: {
      "X-Total-Count": String(sorted.length),
      "X-Limit": String(
        version === "2.1.1" || freedoms.xLimit === "of the request" ? size : freedoms.pageMax
      ),
      ...(isLast ? {} : { Link: linkTo(address, query, begin + size, size, freedoms) })
    }
  }
}

const linkTo = (
  address: URL,
  query: URLSearchParams,
  offset: number,
  limit: number,
  { link }: Freedoms
): string => {
  const next = new URL(address)
  for (const name of ["date_from", "date_to"]) {
    const value = query.get(name)
    if (value !== null) next.searchParams.set(name, value)
  }
  next.searchParams.set("limit", String(limit))
  if (link === "cursor") next.searchParams.set("cursor", Buffer.from(String(offset)).toString("base64"))
  else next.searchParams.set("offset", String(offset))
  if (link === "unquoted") return `<${next.href}>;rel=next`
  if (link === "among others")
    return `<${address.href}>; rel="first", <${next.href}>; rel="next"; title="more"`
  return `<${next.href}>; rel="next"`
}
