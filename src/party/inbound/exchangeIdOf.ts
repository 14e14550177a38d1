/**
 * The id of the record of a request. A balancer delivers a request again at another process where the first one died before it
 * answered. Both deliveries have the same id, so that they are one exchange: the partner sent one request.
 */
import { createHash } from "node:crypto"
import { minuteMillis } from "../../../schema/fields/durations.ts"
import { idFrom, newIdAt } from "../../database/newId.ts"
import type { OcpiRequest } from "../wire/Request.ts"

/** A balancer's clock that is off by more names no delivery: an id with such a time would be in the table of another month. */
const mostOffMillis = 5 * minuteMillis

/**
 * A new id, or the one of this delivery of this request: another request has another id, also under the same name. `now`: in
 * milliseconds.
 */
export const exchangeIdOf = (request: OcpiRequest, now: number): string => {
  const { body, delivery, method, receivedAt, url } = request
  if (delivery === undefined || Math.abs(Date.parse(receivedAt) - delivery.beganAt) > mostOffMillis)
    return newIdAt("exchange", now)
  // Of the connection, and not of the request: these are the balancer's.
  const { connection: _, host: __, ...headers } = request.headers
  const hash = createHash("sha256").update(JSON.stringify([delivery.name, method, url, headers]))
  return idFrom("exchange", delivery.beganAt, hash.update(body ?? "").digest())
}
