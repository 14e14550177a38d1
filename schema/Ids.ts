/**
 * Identifiers: opaque strings of a readable prefix, `_`, a letter and a time-ordered body (UUIDv7, 32 hex digits). The letter is that
 * of the cell that made them: one database and the processes that serve it (decision 34). Ids of earlier releases have none.
 * The schemas brand them and bound their length but check no pattern: an id of another form is unknown (404), not invalid.
 */
import { Schema } from "effect"
import { IdText } from "./fields/bounds.ts"

/** A connection: `conn_…`. */
export const ConnectionId = IdText.pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

/** A run, conformance or journey: `run_…`. */
export const RunId = IdText.pipe(Schema.brand("RunId"))
export type RunId = typeof RunId.Type

/** The graded report of a run: `rep_…`. One run has one report. */
export const ReportId = IdText.pipe(Schema.brand("ReportId"))
export type ReportId = typeof ReportId.Type

/** A command that was sent: `cmd_…`. */
export const CommandId = IdText.pipe(Schema.brand("CommandId"))
export type CommandId = typeof CommandId.Type

/** An API key: `key_…`; not the secret. */
export const KeyId = IdText.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** An account, which owns connections, runs and keys: `own_…`. */
export const OwnerId = Schema.String.pipe(Schema.brand("OwnerId"))
export type OwnerId = typeof OwnerId.Type

/** An OCPI party that we play: our side of a connection (`conn_…`) or a sandbox partner (`sbx_…`). */
export const PartyId = Schema.String.pipe(Schema.brand("PartyId"))
export type PartyId = typeof PartyId.Type

/** The party of ours in a connection: it has the connection's id. */
export const partyOf = (connection: ConnectionId): PartyId => PartyId.make(connection)

/** The connection of such a party. */
export const connectionOf = (party: PartyId): ConnectionId => ConnectionId.make(party)

/** The prefix of each kind of id, without the `_`. */
export const prefixes = {
  connection: "conn",
  run: "run",
  report: "rep",
  command: "cmd",
  key: "key",
  owner: "own",
  scenario: "scn",
  sandbox: "sbx",
  exchange: "exc",
  audit: "aud",
  session: "ses"
} as const

/** A kind of object that gets an id when it is made. */
export type IdKind = keyof typeof prefixes
