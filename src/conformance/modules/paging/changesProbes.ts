/** Reads a list for an object that the partner has just pushed: an EMSP that polls must find it too. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { itemsOf } from "../../../findings/answers.ts"
import { belowEndpoint } from "../../../findings/calledPath.ts"
import { isObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { asAnswered, type Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import { firstPage } from "../shared/lists.ts"

/** The id of an object that was pushed, and its last_updated in milliseconds since 1970. */
interface ListedChange {
  readonly id: string
  /** The id in the body, by which the object may be listed where its URL has another one. */
  readonly bodyId?: string
  /** A part of the object was sent, such as an EVSE of a location. */
  readonly isPart: boolean
  readonly millis: number
}

/** The newest object of a list that the partner sent to us, by when it was changed. */
export const newestChange = (evidence: Evidence, module: string): ListedChange | undefined => {
  const calls = evidence
    .seen("inbound")
    .filter(({ exchange }) => exchange.module === module && (exchange.response?.httpStatus ?? 500) < 300)
  // The last word about each object: one that was deleted is in no list.
  const methods = new Map(calls.map(({ exchange }) => [nameOf(exchange), exchange.request.method]))
  return calls
    .filter(({ exchange }) => methods.get(nameOf(exchange)) !== "DELETE")
    .flatMap(({ exchange, json }): ReadonlyArray<ListedChange> => {
      const millis = isObject(json) ? dateTimeMillis(json["last_updated"]) : undefined
      // Below the endpoint: country code, party id, and the id of the object.
      const [, , id, part] = belowEndpoint(exchange)
      const isChange = exchange.request.method === "PUT" || exchange.request.method === "PATCH"
      return isChange && id !== undefined && millis !== undefined
        ? [{ id, ...bodyIdIn(json, part), isPart: part !== undefined, millis }]
        : []
    })
    .toSorted((a, b) => a.millis - b.millis)
    .at(-1)
}

const bodyIdIn = (json: unknown, part: string | undefined): Pick<ListedChange, "bodyId"> => {
  const bodyId = part === undefined ? textIn(objectIn(json)["id"] ?? objectIn(json)["uid"]) : undefined
  return bodyId === undefined ? {} : { bodyId }
}

/** Country code, party id and id of the object of a call, in upper case. */
const nameOf = (exchange: Exchange) => belowEndpoint(exchange).slice(0, 3).join("/").toUpperCase()

/** How many times a list is read at most, until it has the change. */
const mostReadings = 3

/** Is the listed object the one that was pushed? */
export const isChanged = (json: unknown, change: ListedChange | undefined): boolean => {
  const id = isObject(json) ? (json["id"] ?? json["uid"]) : undefined
  return sameId(id, change?.id) || (change?.bodyId !== undefined && sameId(id, change.bodyId))
}

const sinceThen = (module: string, evidence: Evidence, { millis }: ListedChange): ProbeRequest => ({
  ...firstPage(module, evidence, { date_from: dateTimeOf(millis - 1000) }),
  operation: "list, since a change"
})

/** GET of a list with date_from one second before the newest push of the partner; withheld when there was none. */
export const changesProbe = (module: string): Probe => ({
  id: `${module}.changed`,
  after: ["inbound"],
  asks: (evidence) => {
    const change = newestChange(evidence, module)
    return change === undefined
      ? withheld("unobservable", `the partner has sent us no change of its ${module} yet`)
      : [sinceThen(module, evidence, change)]
  },
  // The change may be on its way from the store that pushes to the one that lists.
  next: (seen, evidence) => {
    const change = newestChange(evidence, module)
    const pages = seen.flatMap(asAnswered)
    const isThere = pages.flatMap((page) => itemsOf(page) ?? []).some((json) => isChanged(json, change))
    const isRead = pages.length > 0 && pages.every((page) => itemsOf(page) !== undefined)
    return change === undefined || isThere || !isRead || seen.length >= mostReadings
      ? undefined
      : { ...sinceThen(module, evidence, change), again: true }
  }
})
