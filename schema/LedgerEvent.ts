/** A line of a run's ledger. A ledger event type is also the machine's event type: replay needs no mapping. */
import { Schema } from "effect"
import { Assertion } from "./Assertion.ts"
import { Exchange } from "./Exchange.ts"

/** Closed in v1; clients ignore what they do not know. */
export const LedgerEventType = Schema.Literal(
  "run.created",
  "run.started",
  "stage.started",
  "exchange.intended",
  "exchange.completed",
  "inbound.received",
  "assertions.recorded",
  "wait.started",
  "wait.satisfied",
  "wait.expired",
  "checkpoint.requested",
  "checkpoint.answered",
  "stage.completed",
  "stage.failed",
  "stage.skipped",
  "run.interrupted",
  "recovery.offered",
  "recovery.applied",
  "run.resumed",
  "cancel.requested",
  "run.cancelled",
  "run.completed",
  "run.failed"
).annotations({ identifier: "LedgerEventType" })
export type LedgerEventType = typeof LedgerEventType.Type

/** The types after which a run says nothing more. */
export const terminalTypes: ReadonlyArray<LedgerEventType> = ["run.completed", "run.cancelled", "run.failed"]

export const LedgerEvent = Schema.Struct({
  /** From 1, without gaps, per run. */
  sequence: Schema.Int,
  type: LedgerEventType,
  /** ISO 8601 UTC with milliseconds; never decreases within a run. */
  occurredAt: Schema.String,
  /** Absent on events of the run as a whole. */
  stageId: Schema.optionalWith(Schema.String, { exact: true }),
  exchange: Schema.optionalWith(Exchange, { exact: true }),
  assertions: Schema.Array(Assertion),
  /** What more there is to say, per type. */
  data: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { exact: true }),
  /** State value of the run's machine after this event. */
  machine: Schema.optionalWith(Schema.Unknown, { exact: true })
}).annotations({ identifier: "LedgerEvent" })
export type LedgerEvent = typeof LedgerEvent.Type
