/** Sending one OCPI command through a connection, and what came of it. */
import { Schema } from "effect"
import { Exchange } from "./Exchange.ts"
import { fields } from "./fields/bounds.ts"
import { CommandId, ConnectionId } from "./Ids.ts"

/** CommandType (mod_commands): the commands that can be sent; 2.1.1 has no `CANCEL_RESERVATION`. */
export const CommandName = Schema.Literal(
  "START_SESSION",
  "STOP_SESSION",
  "RESERVE_NOW",
  "CANCEL_RESERVATION",
  "UNLOCK_CONNECTOR"
).annotations({ identifier: "CommandName" })
export type CommandName = typeof CommandName.Type

const JsonObject = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Body of `POST /testing/command`. */
export const CommandRequest = Schema.Struct({
  connectionId: ConnectionId,
  command: CommandName,
  /** Merged over a valid default; at most 64 KiB. `response_url` is always ours. */
  payload: Schema.optionalWith(fields(Schema.Unknown, 1000), { exact: true }),
  /** false: send the payload as it is, unchecked. A tester must be able to send wrong things on purpose. */
  validate: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "CommandRequest" })
export type CommandRequest = typeof CommandRequest.Type

/** Body of `POST /testing/command/draft`. */
export const CommandDraftRequest = Schema.Struct({
  connectionId: ConnectionId,
  command: CommandName
}).annotations({ identifier: "CommandDraftRequest" })
export type CommandDraftRequest = typeof CommandDraftRequest.Type

/** A command as it could be sent: a payload that is valid, and the JSON Schema of its fields; both without `response_url`. */
export const CommandDraft = Schema.Struct({
  command: CommandName,
  /** Names objects of the partner's own where it has any. */
  payload: JsonObject,
  schema: JsonObject
}).annotations({ identifier: "CommandDraft" })
export type CommandDraft = typeof CommandDraft.Type

/** Answer to `POST /testing/command`: the partner's answer, and the id under which the result can be read. */
export const CommandAnswer = Schema.Struct({
  httpStatus: Schema.Int,
  /** 0 when the answer has no OCPI envelope. */
  ocpiStatusCode: Schema.Int,
  response: JsonObject,
  commandId: CommandId
}).annotations({ identifier: "CommandResult" })
export type CommandAnswer = typeof CommandAnswer.Type

/**
 * `sent`: no answer yet. `accepted`: the partner accepted it, its result is awaited. `confirmed`/`rejected`: final.
 * `expired`: no result in time. `unknown`: the answer was lost after sending, or does not say what became of the command.
 */
export const CommandState = Schema.Literal("sent", "accepted", "confirmed", "rejected", "expired", "unknown")
export type CommandState = typeof CommandState.Type

/** A CommandResult that the partner posted to our response_url. */
export const AsyncResult = Schema.Struct({
  receivedAt: Schema.String,
  /** `first` decides the state; `late` came after the deadline, `duplicate` after another result. */
  standing: Schema.Literal("first", "late", "duplicate"),
  body: Schema.Unknown,
  exchange: Exchange,
  /** Remarks on it, e.g. that it breaks the schema or has a word that the version does not define. */
  notes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})
export type AsyncResult = typeof AsyncResult.Type

/** A command with its exchange, its state and all results that came. */
export const CommandView = Schema.Struct({
  commandId: CommandId,
  connectionId: ConnectionId,
  command: CommandName,
  state: CommandState,
  exchange: Schema.NullOr(Exchange),
  results: Schema.Array(AsyncResult),
  deadline: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  /** Remarks on the partner's answer to the command. */
  notes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "Command" })
export type CommandView = typeof CommandView.Type
