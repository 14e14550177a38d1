/** Exchanges as evidence of a run. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { readKept } from "../../ocpi/keptBody.ts"
import type { Observation } from "../model/Evidence.ts"

/** A call of the partner; `json` is the body of its request. */
export const callSeen = (exchange: Exchange): Observation => ({
  exchange,
  ...readKept(exchange.request),
  about: ""
})

/** One of our requests; `json` is the body of its response. `about`: as `ProbeRequest.about`. */
export const answerSeen = (exchange: Exchange, about = ""): Observation => ({
  exchange,
  ...(exchange.response === null ? { json: undefined } : readKept(exchange.response)),
  about
})

/** A call of the partner, or one of our requests. */
export const exchangeSeen = (exchange: Exchange): Observation =>
  exchange.direction === "inbound" ? callSeen(exchange) : answerSeen(exchange)
