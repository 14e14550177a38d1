/**
 * The id of the record of a request. A balancer delivers a request again at another process where the first one died before it
 * answered. Both deliveries have the same id, so that they are one exchange: the partner sent one request.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { idFrom, newId } from "../../database/newId.ts"
import type { OcpiRequest } from "../wire/Request.ts"

/** Unix time, in milliseconds or in seconds with three decimals, and what is unique at the balancer. */
const deliveryForm = /^(\d{10})\.?(\d{3})-[\w-]{16,64}$/
/** A balancer's clock that is off by more names no delivery: an id with such a time would be in the table of another month. */
const mostOffMillis = 5 * 60_000

/** A new id, or the one of this delivery. The request is part of it, so that a partner cannot write over another one. */
export const exchangeIdOf = (request: OcpiRequest): Effect.Effect<string> => {
  const { body, delivery = "", method, receivedAt, url } = request
  const [, seconds, millis] = deliveryForm.exec(delivery) ?? []
  const beganAt = Number(`${seconds}${millis}`)
  if (!(Math.abs(Date.parse(receivedAt) - beganAt) <= mostOffMillis)) return newId("exchange")
  // Of the connection, and not of the request: these are the balancer's.
  const { connection: _, host: __, ...headers } = request.headers
  const sent = JSON.stringify([delivery, method, url, headers, body])
  return Effect.succeed(idFrom("exchange", beganAt, createHash("sha256").update(sent).digest()))
}
