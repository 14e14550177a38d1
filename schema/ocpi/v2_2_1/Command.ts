/** Document `mod_commands`: the five command bodies, the answer to them, and their result. */
import { Schema } from "effect"
import { ciId, ciString, DisplayText, intNotNegative, list, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { Token } from "./Token.ts"

export const startSessionFields = {
  response_url: Url,
  token: Token,
  location_id: ciId(36),
  evse_uid: optional(ciString(36)),
  connector_id: optional(ciString(36)),
  authorization_reference: optional(ciString(36))
}

/** A connector is one of an EVSE, so that has to be named too. */
export const connectorRule = (body: {
  readonly evse_uid?: string | null | undefined
  readonly connector_id?: string | null | undefined
}) =>
  body.connector_id != null && body.evse_uid == null
    ? { path: ["evse_uid"], message: "is missing, though connector_id is given" }
    : undefined

export const StartSession = Schema.Struct(startSessionFields)
  .pipe(Schema.filter(connectorRule))
  .annotations({ identifier: "StartSession" })

export const StopSession = Schema.Struct({ response_url: Url, session_id: ciId(36) }).annotations({
  identifier: "StopSession"
})

export const reserveNowFields = {
  response_url: Url,
  token: Token,
  expiry_date: DateTime,
  reservation_id: ciId(36),
  location_id: ciId(36),
  evse_uid: optional(ciString(36)),
  authorization_reference: optional(ciString(36))
}
export const ReserveNow = Schema.Struct(reserveNowFields).annotations({ identifier: "ReserveNow" })

export const CancelReservation = Schema.Struct({ response_url: Url, reservation_id: ciId(36) }).annotations({
  identifier: "CancelReservation"
})

export const UnlockConnector = Schema.Struct({
  response_url: Url,
  location_id: ciId(36),
  evse_uid: ciId(36),
  connector_id: ciId(36)
}).annotations({ identifier: "UnlockConnector" })

export const CommandResponseType = Schema.Literal(
  "NOT_SUPPORTED",
  "REJECTED",
  "ACCEPTED",
  "UNKNOWN_SESSION"
).annotations({ identifier: "CommandResponseType" })

/** The answer to a command; `timeout` in seconds. */
export const CommandResponse = Schema.Struct({
  result: CommandResponseType,
  timeout: intNotNegative,
  message: list(DisplayText)
}).annotations({ identifier: "CommandResponse" })
export type CommandResponse = typeof CommandResponse.Type

export const CommandResultType = Schema.Literal(
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

/** What is posted to the response_url, without an envelope. */
export const CommandResult = Schema.Struct({
  result: CommandResultType,
  message: list(DisplayText)
}).annotations({
  identifier: "OcpiCommandResult"
})
export type CommandResult = typeof CommandResult.Type
