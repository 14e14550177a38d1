/**
 * A run's log as its owner holds it: numbers, stamps and hashes new lines, appends them, and only then lets the
 * machine hear them. Shared by journey and conformance runs; the machine is the only difference.
 */
import { Context, type Effect } from "effect"
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate"
import type { RunProgress } from "../../../machines/runProgress.ts"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunKind } from "../../../schema/RunReport.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import type { EventDraft, RunFacts, RunRow, StaleRun } from "../Ledger.ts"

/** What the machine asks for after it heard the lines: its own named actions, in order. */
export interface RequestedAction {
  readonly type: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface RunLog {
  readonly facts: RunFacts
  readonly epoch: number
  /** It was let go by this very process before, because the ledger could not be written for a lease's term. */
  readonly stalled: boolean
  /** As of the last acknowledged append. */
  readonly row: () => RunRow
  readonly machine: () => AnyMachineSnapshot
  /** Every line so far, oldest first (kept in memory while the run lives in this process). */
  readonly events: () => ReadonlyArray<LedgerEvent>
  /**
   * Writes the drafts (one append), then lets the machine hear them in order. A draft whose key is already in the
   * ledger is absorbed. Retries for a lease's term while the ledger cannot be written; then the run is let go, and its
   * lease runs out. Fails when it was, or when another owner has taken over. One call at a time per run.
   */
  readonly record: (
    drafts: ReadonlyArray<EventDraft>
  ) => Effect.Effect<ReadonlyArray<RequestedAction>, StaleRun>
  /** Stops tracking and renewing. `released`: gives the lease back so that any process can take the run up. */
  readonly close: (how: "released" | "kept") => Effect.Effect<void>
}

export interface RunKindOf {
  readonly machine: AnyStateMachine
  /** Input of the machine, from the run's facts (its plan). Pure and the same at every replay. */
  readonly input: (facts: RunFacts) => unknown
  /** What the machine remembers for those who look at the run. Pure. */
  readonly progress: (snapshot: AnyMachineSnapshot) => RunProgress & {
    /** 0 while nothing was ever offered; grows with each offer. */
    readonly recoveryVersion: number
  }
  /** Recovery options in the machine's present state; empty outside `interrupted`. Pure. */
  readonly options: (
    snapshot: AnyMachineSnapshot,
    events: ReadonlyArray<LedgerEvent>
  ) => RunRow["snapshot"]["view"]["recoveryOptions"]
}

export class RunLogs extends Context.Tag("ledger/RunLogs")<
  RunLogs,
  {
    /** A new run: writes the drafts (the first is `run.created`) and holds its lease. */
    readonly create: (
      kind: RunKindOf,
      facts: RunFacts,
      drafts: ReadonlyArray<EventDraft>
    ) => Effect.Effect<{ readonly log: RunLog; readonly asks: ReadonlyArray<RequestedAction> }, DatabaseDown>
    /** A run just claimed: reads its lines, replays them into the machine, holds its lease. */
    readonly open: (kind: RunKindOf, row: RunRow) => Effect.Effect<RunLog, DatabaseDown>
    /** As the ledger's, without the runs that live in this process: their leases are renewed, however late. */
    readonly claimable: (limit: number, kind: RunKind) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** The run's row when it lives in this process: answered from memory, no query. */
    readonly live: (runId: RunId) => RunRow | undefined
  }
>() {}
