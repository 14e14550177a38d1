/** Lists that were asked for with a filter: what came, what should not have come, and what is missing. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { count, itemsOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { isWhole } from "../shared/lists.ts"
import { pagesRead } from "./eachList.ts"
import { nameOfItem } from "./itemNames.ts"
import { identity } from "./movement.ts"
import type { Dated } from "./pagingProbes.ts"

/** A filtered list: what came, and whether it was read to its end. */
export interface Filtered {
  readonly pages: ReadonlyArray<Answered>
  readonly items: ReadonlyArray<{ readonly seen: Answered; readonly index: number; readonly json: unknown }>
  readonly keys: ReadonlySet<string>
  readonly whole: boolean
}

/** The pages of a filtered list, or why there are none. */
export const filtered = (evidence: Evidence, probe: string): Filtered | { readonly skip: string } => {
  const pages = pagesRead(evidence, probe)
  if ("skip" in pages) return pages
  const items = pages.flatMap((seen) => (itemsOf(seen) ?? []).map((json, index) => ({ seen, index, json })))
  return {
    pages,
    items,
    keys: new Set(items.map(({ json }) => identity(json))),
    whole: isWhole(pages)
  }
}

const millisOf = (json: unknown) => (isObject(json) ? dateTimeMillis(json["last_updated"]) : undefined)

/** A Link that names an offset and leaves the filter out asks for another list, which PAGE-007 tells of. */
const asksElse = ({ exchange }: Answered, [first]: Filtered["pages"]): boolean => {
  const [asked, filter] = [exchange, first?.exchange].map(
    (one) => new URL(one?.request.url ?? "about:blank").searchParams
  )
  return (
    asked?.has("offset") === true &&
    ["date_from", "date_to"].some((name) => filter?.has(name) === true && !asked.has(name))
  )
}

/**
 * Does PAGE-007 report Links of the list that leave the filter out? Not where the filter itself is not kept: the total is that of the
 * whole list, or the page before the Link has objects from outside the filter, too.
 */
const isOfLinks = (list: string, evidence: Evidence, [first]: Filtered["pages"]): boolean => {
  const [whole] = evidence.answered(`${list}.list`)
  const totals = [first, whole].map((one) => (one === undefined ? undefined : count(one, "x-total-count")))
  if (totals[0] !== undefined && totals[0] === totals[1]) return false
  const [page] = evidence.answered(`${list}.filtered`)
  if (page === undefined) return true
  const { searchParams } = new URL(page.exchange.request.url)
  const [from, to] = ["date_from", "date_to"].map((name) => dateTimeMillis(searchParams.get(name)))
  return !(itemsOf(page) ?? []).some((json) => {
    const millis = millisOf(json)
    return (
      millis !== undefined && ((from !== undefined && millis < from) || (to !== undefined && millis > to))
    )
  })
}

/** Objects that the filter should have kept out. */
export const intruders = (
  list: string,
  evidence: Evidence,
  { items, pages }: Filtered,
  isOut: (millis: number) => boolean,
  expected: string
): ReadonlyArray<Finding> =>
  items.flatMap(({ index, json, seen }) => {
    const millis = millisOf(json)
    const isOfLink = () => asksElse(seen, pages) && isOfLinks(list, evidence, pages)
    return unless(millis === undefined || !isOut(millis) || isOfLink(), () =>
      at(seen, `/data/${index}/last_updated`, `${list}: an object outside the window`, {
        expected,
        actual: isObject(json) ? json["last_updated"] : undefined
      })
    )
  })

/** Known objects that the filter should have let through. */
export const losses = (
  list: string,
  { keys, pages, whole }: Filtered,
  known: ReadonlyArray<Dated>,
  expected: string
): ReadonlyArray<Finding> =>
  whole
    ? known
        .filter(({ json }) => !keys.has(identity(json)))
        .map(({ json, text }) =>
          finding(pages[0], `${list}: ${nameOfItem(json)}, last updated ${text}, is missing`, {
            expected,
            actual: "absent"
          })
        )
    : []
