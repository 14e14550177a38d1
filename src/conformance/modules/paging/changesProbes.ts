/** Reads a list for an object that the partner has just pushed: an EMSP that polls must find it too. */
import { belowEndpoint } from "../../../findings/calledPath.ts"
import { isObject } from "../../../findings/json.ts"
import { dateTime, dateTimeMillis } from "../../../ocpi/dateTime.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, withheld } from "../../model/Probe.ts"
import { firstPage } from "../shared/lists.ts"

/** The id of an object that was pushed, and its last_updated in milliseconds since 1970. */
export interface ListedChange {
  readonly id: string
  readonly millis: number
}

/** The newest object of a list that the partner sent to us, by when it was changed. */
export const newestChange = (evidence: Evidence, module: string): ListedChange | undefined => {
  const calls = evidence.seen("inbound")
  return calls
    .filter(({ exchange }) => exchange.module === module && (exchange.response?.httpStatus ?? 500) < 300)
    .flatMap(({ exchange, json }): ReadonlyArray<ListedChange> => {
      const millis = isObject(json) ? dateTimeMillis(json["last_updated"]) : undefined
      // Below the endpoint: country code, party id, and the id of the object.
      const id = belowEndpoint(exchange)[2]
      const isChange = exchange.request.method === "PUT" || exchange.request.method === "PATCH"
      return isChange && id !== undefined && millis !== undefined ? [{ id, millis }] : []
    })
    .toSorted((a, b) => a.millis - b.millis)
    .at(-1)
}

/** GET of a list with date_from one second before the newest push of the partner; withheld when there was none. */
export const changesProbe = (module: string): Probe => ({
  id: `${module}.changed`,
  after: ["inbound"],
  asks: (evidence) => {
    const change = newestChange(evidence, module)
    return change === undefined
      ? withheld("unobservable", `the partner has sent us no change of its ${module} yet`)
      : [
          {
            ...firstPage(module, evidence, { date_from: dateTime(change.millis - 1000) }),
            operation: "list, since a change"
          }
        ]
  }
})
