/**
 * A run's log in its owner's process: numbers, dates and hashes new lines, appends them, and passes them to the machine. Journey
 * and conformance runs share it; only their machines differ.
 */
import { Context, type Effect } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunKind } from "../../../schema/RunReport.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import type { EventDraft, RunFacts, RunRow, StaleRun } from "../Ledger.ts"
import type { AnyContext, MachineState } from "./machineTable.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"

/**
 * The log of one run that this process owns. `Action`: the actions that its kind of machine requests of the worker; `Context`: the
 * machine's context.
 */
export interface RunLog<Action extends RequestedAction = RequestedAction, Context = AnyContext> {
  readonly facts: RunFacts
  readonly epoch: number
  /** This process has given the run up before, because it could not write to the ledger for a lease's term. */
  readonly stalled: boolean
  /** The state after the last acknowledged append. */
  readonly row: () => RunRow
  /** The machine after the last line, those of `buffer` among them. */
  readonly machine: () => MachineState<Context>
  /** Every line so far, oldest first (kept in memory while this process has the run), those of `buffer` among them. */
  readonly events: () => ReadonlyArray<LedgerEvent>
  /**
   * Appends the drafts at once, then passes them to the machine in order. A draft whose key is already in the ledger has
   * no effect. Retries for a lease's term while the ledger cannot be written, then gives the run up, so that it
   * can be claimed. Fails when the run was given up or has another owner. One call at a time per run.
   */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<ReadonlyArray<Action>, StaleRun>
  /**
   * Passes the drafts to the machine and appends them together with those of the next `record`, or after 10 ms. For events
   * after which nothing leaves the process before that `record`: no request, no answer, no change of what others can read.
   * They are lost with the process, as if it had ended before them.
   */
  readonly buffer: RunLog<Action>["record"]
  /**
   * Ends this log and the renewal of its lease. `released`: gives the lease back; the process that claims the run goes on where it
   * stopped. `expiring`: keeps the lease until its term is over; the process that claims the run then treats it as after a crash.
   */
  readonly close: (lease: "released" | "expiring") => Effect.Effect<void>
}

/** The runs that live in this process. */
export class RunLogs extends Context.Tag("ledger/RunLogs")<
  RunLogs,
  {
    /** Creates a run: writes the drafts (the first is `run.created`) and holds its lease. */
    readonly create: <Action extends RequestedAction, Context>(
      kind: RunKindOf<Action, string, Context>,
      facts: RunFacts,
      drafts: ReadonlyArray<EventDraft>
    ) => Effect.Effect<
      { readonly log: RunLog<Action, Context>; readonly actions: ReadonlyArray<Action> },
      DatabaseDown
    >
    /** Opens a run that was just claimed: reads its lines, replays them into the machine, and holds its lease. */
    readonly open: <Action extends RequestedAction, Context>(
      kind: RunKindOf<Action, string, Context>,
      row: RunRow
    ) => Effect.Effect<RunLog<Action, Context>, DatabaseDown>
    /** As the placement's, without the runs of this process: it renews their leases, even if late. */
    readonly claimable: (limit: number, kind: RunKind) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** The row of the run with that run id or report id, from memory, if it lives in this process. */
    readonly live: (id: string) => RunRow | undefined
    /** Completes when the run has a line after `after`, or does not live in this process. */
    readonly moved: (runId: RunId, after: number) => Effect.Effect<void>
    /**
     * Calls `wake` once, from within the run's next append, or when the run leaves this process; returns what forgets it.
     * Undefined: the run does not live in this process.
     */
    readonly onNext: (runId: RunId, wake: () => void) => (() => void) | undefined
  }
>() {}
