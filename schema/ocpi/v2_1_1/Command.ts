/** Document `mod_commands`: four command bodies, and one object for both the answer and the result. */
import { Schema } from "effect"
import { ciId, ciString, int, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { Token } from "./Token.ts"

export const StartSession = Schema.Struct({
  response_url: Url,
  token: Token,
  location_id: ciId(39),
  evse_uid: optional(ciString(39))
}).annotations({ identifier: "StartSession" })

export const StopSession = Schema.Struct({ response_url: Url, session_id: ciId(36) }).annotations({
  identifier: "StopSession"
})

/** The reservation's id is a number here. */
export const ReserveNow = Schema.Struct({
  response_url: Url,
  token: Token,
  expiry_date: DateTime,
  reservation_id: int,
  location_id: ciId(39),
  evse_uid: optional(ciString(39))
}).annotations({ identifier: "ReserveNow" })

export const UnlockConnector = Schema.Struct({
  response_url: Url,
  location_id: ciId(39),
  evse_uid: ciId(39),
  connector_id: ciId(36)
}).annotations({ identifier: "UnlockConnector" })

export const CommandResponseType = Schema.Literal(
  "NOT_SUPPORTED",
  "REJECTED",
  "ACCEPTED",
  "TIMEOUT",
  "UNKNOWN_SESSION"
).annotations({ identifier: "CommandResponseType" })

/** The answer, and what is posted to the response_url. */
export const CommandResponse = Schema.Struct({ result: CommandResponseType }).annotations({
  identifier: "CommandResponse"
})
