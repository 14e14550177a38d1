/** Faults of a partner that is a hub, in its list of the parties that are connected to it. */
import type { Bend } from "../../partner/Bend.ts"
import { momentOf } from "../../partner/objects/dress.ts"
import { isJson, type Json } from "../../partner/objects/validity.ts"
import type { Asked, Said } from "../../partner/wire.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const module = "hubclientinfo"

const client = (party_id: string, status: string): Json => ({
  party_id,
  country_code: "NL",
  role: "EMSP",
  status,
  last_updated: "2026-01-01T00:00:00Z"
})
const connected: ReadonlyArray<Json> = [client("ONE", "CONNECTED"), client("TWO", "OFFLINE")]

/** How the list is wrong. */
interface Wrong {
  readonly clients?: ReadonlyArray<Json>
  readonly isObject?: boolean
  /** A header that its answer has not. */
  readonly leavesOut?: string
  /** It regards no date_from and no date_to. */
  readonly isUnfiltered?: boolean
}

/** A list of its own that a stranger has anyway; the other one stands beside it and is answered in the same way, but for what it holds. */
const isList = (one: unknown): one is { readonly url: string } =>
  isJson(one) && one["role"] === "SENDER" && ["locations", "tokens"].includes(String(one["identifier"]))

const serving =
  ({ clients = connected, isObject = false, isUnfiltered = false, leavesOut }: Wrong) =>
  (): Bend => {
    let listed: string | undefined
    const within = ({ url }: Asked): ReadonlyArray<Json> => {
      const [from, to] = ["date_from", "date_to"].map((name) => momentOf(url.searchParams.get(name) ?? ""))
      return clients.filter((one) => {
        const at = momentOf(String(one["last_updated"])) ?? 0
        return isUnfiltered || ((from === undefined || at >= from) && (to === undefined || at < to))
      })
    }
    const besideList = (url: string): URL => {
      const place = new URL(url)
      place.pathname = place.pathname.replace(/[^/]+(\/?)$/, `${module}$1`)
      return place
    }
    const withEndpoint = (said: Said): Said => {
      const details = said.data
      const endpoints = isJson(details) ? details["endpoints"] : undefined
      const list = Array.isArray(endpoints) ? endpoints.find(isList) : undefined
      if (list === undefined) return said
      listed = list.url
      const served = { identifier: module, role: "SENDER", url: besideList(list.url).href }
      return {
        ...said,
        data: { ...(details as Json), endpoints: [...(endpoints as ReadonlyArray<Json>), served] }
      }
    }
    return {
      fronts: async (asked, gate) => {
        if (listed === undefined || asked.url.pathname !== besideList(listed).pathname)
          return withEndpoint(await gate.proceed(asked))
        const { pathname, search } = new URL(listed)
        const said = await gate.proceed({ ...asked, url: new URL(pathname + search, asked.url) })
        if (said.data === undefined || asked.method !== "GET") return said
        const found = within(asked)
        const headers = { ...said.headers, "X-Total-Count": String(found.length), "X-Limit": "50" }
        const left = Object.entries(headers).filter(([name]) => name !== "Link" && name !== leavesOut)
        return { ...said, data: isObject ? { clients: found } : found, headers: Object.fromEntries(left) }
      }
    }
  }

/** Rows of a partner that is a hub; the list is there when it registers. */
export const servedClientsFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "full", early: true } },
  [
    fault(
      "hub.clients-without-status",
      "HUB-001",
      serving({ clients: connected.map(({ status: _, ...others }) => others) })
    ),
    fault("hub.clients-in-an-object", "HUB-001", serving({ isObject: true })),
    fault("hub.client-twice", "HUB-002", serving({ clients: [...connected, client("one", "OFFLINE")] })),
    fault("hub.clients-without-total", "HUB-106", serving({ leavesOut: "X-Total-Count" })),
    fault("hub.clients-of-all-times", "HUB-107", serving({ isUnfiltered: true }))
  ]
)
