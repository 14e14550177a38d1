/** OCPI 2.2.1, document `mod_commands`: the commands, the answer to them and their result. */
import { Schema } from "effect"
import { ciId, ciString, DisplayText, intNotNegative, list, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { Token } from "./Token.ts"

/** Fields of the StartSession object; 2.2 and 2.3.0 spread them. */
export const startSessionFields = {
  response_url: Url,
  token: Token,
  location_id: ciId(36),
  evse_uid: optional(ciString(36)),
  connector_id: optional(ciString(36)),
  authorization_reference: optional(ciString(36))
}

/**
 * StartSession object (mod_commands): `connector_id` needs `evse_uid`, because connector ids are unique within an EVSE
 * only.
 */
export const connectorRule = (body: {
  readonly evse_uid?: string | null | undefined
  readonly connector_id?: string | null | undefined
}) =>
  body.connector_id != null && body.evse_uid == null
    ? { path: ["evse_uid"], message: "is missing, though connector_id is given" }
    : undefined

/** StartSession object (mod_commands): the body of START_SESSION. */
export const StartSession = Schema.Struct(startSessionFields)
  .pipe(Schema.filter(connectorRule))
  .annotations({ identifier: "StartSession" })

/** StopSession object (mod_commands): the body of STOP_SESSION. */
export const StopSession = Schema.Struct({ response_url: Url, session_id: ciId(36) }).annotations({
  identifier: "StopSession"
})

/** Fields of the ReserveNow object; 2.3.0 spreads them. */
export const reserveNowFields = {
  response_url: Url,
  token: Token,
  expiry_date: DateTime,
  reservation_id: ciId(36),
  location_id: ciId(36),
  evse_uid: optional(ciString(36)),
  authorization_reference: optional(ciString(36))
}

/** ReserveNow object (mod_commands): the body of RESERVE_NOW, for a new reservation or a changed one. */
export const ReserveNow = Schema.Struct(reserveNowFields).annotations({ identifier: "ReserveNow" })

/** CancelReservation object (mod_commands): the body of CANCEL_RESERVATION; there is none in 2.1.1. */
export const CancelReservation = Schema.Struct({ response_url: Url, reservation_id: ciId(36) }).annotations({
  identifier: "CancelReservation"
})

/** UnlockConnector object (mod_commands): the body of UNLOCK_CONNECTOR. */
export const UnlockConnector = Schema.Struct({
  response_url: Url,
  location_id: ciId(36),
  evse_uid: ciId(36),
  connector_id: ciId(36)
}).annotations({ identifier: "UnlockConnector" })

/** CommandResponseType enum (mod_commands), from 2.2 on. */
const CommandResponseType = Schema.Literal(
  "NOT_SUPPORTED",
  "REJECTED",
  "ACCEPTED",
  "UNKNOWN_SESSION"
).annotations({ identifier: "CommandResponseType" })

/** CommandResponse object (mod_commands): the answer to a command; `timeout` in seconds. */
export const CommandResponse = Schema.Struct({
  result: CommandResponseType,
  timeout: intNotNegative,
  message: list(DisplayText)
}).annotations({ identifier: "CommandResponse" })

/** CommandResultType enum (mod_commands). */
const CommandResultType = Schema.Literal(
  "ACCEPTED",
  "CANCELED_RESERVATION",
  "EVSE_OCCUPIED",
  "EVSE_INOPERATIVE",
  "FAILED",
  "NOT_SUPPORTED",
  "REJECTED",
  "TIMEOUT",
  "UNKNOWN_RESERVATION"
).annotations({ identifier: "CommandResultType" })

/** CommandResult object (mod_commands): posted to the response_url, without an envelope. */
export const CommandResult = Schema.Struct({
  result: CommandResultType,
  message: list(DisplayText)
}).annotations({
  identifier: "OcpiCommandResult"
})
