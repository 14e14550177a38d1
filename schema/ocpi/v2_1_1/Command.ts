/** OCPI 2.1.1, document `mod_commands`: four commands, and one object for both the answer and the result. */
import { Schema } from "effect"
import { ciId, ciString, int, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { Token } from "./Token.ts"

/** StartSession object (mod_commands): the body of START_SESSION; names an EVSE at most, no connector. */
export const StartSession = Schema.Struct({
  response_url: Url,
  token: Token,
  location_id: ciId(39),
  evse_uid: optional(ciString(39))
}).annotations({ identifier: "StartSession" })

/** StopSession object (mod_commands): the body of STOP_SESSION, the same in every version. */
export const StopSession = Schema.Struct({ response_url: Url, session_id: ciId(36) }).annotations({
  identifier: "StopSession"
})

/** ReserveNow object (mod_commands): the body of RESERVE_NOW; `reservation_id` is a number, and a text from 2.2 on. */
export const ReserveNow = Schema.Struct({
  response_url: Url,
  token: Token,
  expiry_date: DateTime,
  reservation_id: int,
  location_id: ciId(39),
  evse_uid: optional(ciString(39))
}).annotations({ identifier: "ReserveNow" })

/** UnlockConnector object (mod_commands): the body of UNLOCK_CONNECTOR. */
export const UnlockConnector = Schema.Struct({
  response_url: Url,
  location_id: ciId(39),
  evse_uid: ciId(39),
  connector_id: ciId(36)
}).annotations({ identifier: "UnlockConnector" })

/** CommandResponseType enum (mod_commands); from 2.2 on `TIMEOUT` is a word of CommandResultType. */
const CommandResponseType = Schema.Literal(
  "NOT_SUPPORTED",
  "REJECTED",
  "ACCEPTED",
  "TIMEOUT",
  "UNKNOWN_SESSION"
).annotations({ identifier: "CommandResponseType" })

/** CommandResponse object (mod_commands): both the answer to a command and what is posted to its response_url. */
export const CommandResponse = Schema.Struct({ result: CommandResponseType }).annotations({
  identifier: "CommandResponse"
})
