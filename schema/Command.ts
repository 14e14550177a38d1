/** Sending one OCPI command through a connection. */
import { Schema } from "effect"
import { Exchange } from "./Exchange.ts"
import { fields } from "./fields/bounds.ts"
import { CommandId, ConnectionId } from "./Ids.ts"

export const CommandName = Schema.Literal(
  "START_SESSION",
  "STOP_SESSION",
  "RESERVE_NOW",
  "CANCEL_RESERVATION",
  "UNLOCK_CONNECTOR"
).annotations({ identifier: "CommandName" })
export type CommandName = typeof CommandName.Type

const JsonObject = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export const CommandRequest = Schema.Struct({
  connectionId: ConnectionId,
  command: CommandName,
  /** Merged over a valid default; at most 64 KiB. `response_url` is always ours. */
  payload: Schema.optionalWith(fields(Schema.Unknown, 1000), { exact: true }),
  /** false: send the payload as it is, unchecked. A tester must be able to send wrong things on purpose. */
  validate: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "CommandRequest" })
export type CommandRequest = typeof CommandRequest.Type

export const CommandAnswer = Schema.Struct({
  httpStatus: Schema.Int,
  /** 0 when the answer has no OCPI envelope. */
  ocpiStatusCode: Schema.Int,
  response: JsonObject,
  commandId: CommandId
}).annotations({ identifier: "CommandResult" })
export type CommandAnswer = typeof CommandAnswer.Type

/**
 * `sent`: no answer yet. `accepted`: the partner took it, its result is awaited. `confirmed`/`rejected`: final.
 * `expired`: no result in time. `unknown`: the answer was lost after sending.
 */
export const CommandState = Schema.Literal("sent", "accepted", "confirmed", "rejected", "expired", "unknown")
export type CommandState = typeof CommandState.Type

export const AsyncResult = Schema.Struct({
  receivedAt: Schema.String,
  /** `first` decides; `late` came after the deadline, `duplicate` after another one. */
  standing: Schema.Literal("first", "late", "duplicate"),
  body: Schema.Unknown,
  exchange: Exchange,
  /** What was odd about it: its form, a word that the version has not. */
  notes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})
export type AsyncResult = typeof AsyncResult.Type

export const CommandView = Schema.Struct({
  commandId: CommandId,
  connectionId: ConnectionId,
  command: CommandName,
  state: CommandState,
  exchange: Schema.NullOr(Exchange),
  results: Schema.Array(AsyncResult),
  deadline: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  /** What was odd about the partner's answer. */
  notes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "Command" })
export type CommandView = typeof CommandView.Type
