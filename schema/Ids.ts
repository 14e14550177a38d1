/**
 * Identifiers: opaque strings, a readable prefix and a time-ordered body (UUIDv7, 32 hex digits).
 * They are branded and not too long, but not pattern-checked: an id of any other form is simply one that does not exist (404).
 */
import { Schema } from "effect"
import { IdText } from "./fields/bounds.ts"

export const ConnectionId = IdText.pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

/** A run, conformance or journey: `run_…`. */
export const RunId = IdText.pipe(Schema.brand("RunId"))
export type RunId = typeof RunId.Type

/** The graded report of a run: `rep_…`. One run has one report. */
export const ReportId = IdText.pipe(Schema.brand("ReportId"))
export type ReportId = typeof ReportId.Type

export const CommandId = IdText.pipe(Schema.brand("CommandId"))
export type CommandId = typeof CommandId.Type

export const KeyId = IdText.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

export const OwnerId = Schema.String.pipe(Schema.brand("OwnerId"))
export type OwnerId = typeof OwnerId.Type

/** An OCPI party that we play: our side of a connection (`conn_…`) or a sandbox partner (`sbx_…`). */
export const PartyId = Schema.String.pipe(Schema.brand("PartyId"))
export type PartyId = typeof PartyId.Type

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
  audit: "aud"
} as const
export type IdKind = keyof typeof prefixes
