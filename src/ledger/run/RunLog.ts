/**
 * A run's log in its owner's process: numbers, dates and hashes new lines, appends them, and passes them to the machine. Journey and conformance runs share it; only their machines differ.
 */
import { Context, type Effect } from "effect"
import type { AnyStateMachine, StateValueFrom } from "xstate"
import type { RunProgress } from "../../../machines/runProgress.ts"
import type { ReportId, RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunKind, RunStatus } from "../../../schema/RunReport.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import type { EventDraft, RunFacts, RunRow, StaleRun } from "../Ledger.ts"
import type { MachineState } from "./machineTable.ts"

/** A named action that a machine requests in response to a line. Each kind of run has a union of its own. */
export interface RequestedAction {
  readonly type: string
  readonly params?: unknown
}

/** The log of one run that this process owns; `Ask`: the actions that its kind of machine requests of the worker. */
export interface RunLog<Ask extends RequestedAction = RequestedAction> {
  readonly facts: RunFacts
  readonly epoch: number
  /** This process has given the run up before, because it could not write to the ledger for a lease's term. */
  readonly stalled: boolean
  /** The state after the last acknowledged append. */
  readonly row: () => RunRow
  /** The machine after the last line, those of `buffer` among them. */
  readonly machine: () => MachineState
  /** Every line so far, oldest first (kept in memory while this process has the run), those of `buffer` among them. */
  readonly events: () => ReadonlyArray<LedgerEvent>
  /**
   * Appends the drafts at once, then passes them to the machine in order. A draft whose key is already in the ledger has
   * no effect. Retries for a lease's term while the ledger cannot be written, then gives the run up, so that its lease
   * runs out. Fails when the run was given up or has another owner. One call at a time per run.
   */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<ReadonlyArray<Ask>, StaleRun>
  /**
   * Passes the drafts to the machine and appends them together with those of the next `record`, or after 10 ms. For events
   * after which nothing leaves the process before that `record`: no request, no answer, no change of what others can read.
   * They are lost with the process, as if it had ended before them.
   */
  readonly buffer: RunLog<Ask>["record"]
  /**
   * Ends this log and the renewal of its lease. `released`: gives the lease back, so that any process can claim the run.
   */
  readonly close: (how: "released" | "kept") => Effect.Effect<void>
}

/** The names of a machine's top-level states. */
export type TopStateOf<Machine extends AnyStateMachine> = NameOf<StateValueFrom<Machine>>
type NameOf<Value> = Value extends string ? Value : keyof Value & string

/**
 * What the ledger must know of a kind of run: its machine, and how to read the machine's state. `State`: the machine's
 * top-level states.
 */
export interface RunKindOf<Ask extends RequestedAction = RequestedAction, State extends string = string> {
  readonly machine: AnyStateMachine
  /** Whether a requested action is for the worker. */
  readonly isAsk: (action: RequestedAction) => action is Ask
  /** The status to show in each state. */
  readonly statuses: Readonly<Record<State, RunStatus>>
  /** The machine's input, from the run's facts (its plan). Pure and the same at every replay. */
  readonly input: (facts: RunFacts) => unknown
  /** The progress to show, from the machine's state. Pure. */
  readonly progress: (snapshot: MachineState) => RunProgress & {
    /** 0 before the first offer of decisions; grows with each offer. */
    readonly recoveryVersion: number
  }
  /** The recovery options in the machine's state; empty outside `interrupted`. Pure. */
  readonly options: (
    snapshot: MachineState,
    events: ReadonlyArray<LedgerEvent>
  ) => RunRow["snapshot"]["view"]["recoveryOptions"]
}

/**
 * Makes `RunKindOf.isAsk` of the types of a kind's requests: one that is left out does not compile. The parameters of an
 * action are what the machine's declaration says.
 */
export const asksOfTypes =
  <Ask extends RequestedAction>(types: Readonly<Record<Ask["type"], true>>) =>
  (action: RequestedAction): action is Ask =>
    Object.hasOwn(types, action.type)

/** The runs that live in this process. */
export class RunLogs extends Context.Tag("ledger/RunLogs")<
  RunLogs,
  {
    /** Creates a run: writes the drafts (the first is `run.created`) and holds its lease. */
    readonly create: <Ask extends RequestedAction>(
      kind: RunKindOf<Ask>,
      facts: RunFacts,
      drafts: ReadonlyArray<EventDraft>
    ) => Effect.Effect<{ readonly log: RunLog<Ask>; readonly asks: ReadonlyArray<Ask> }, DatabaseDown>
    /** Opens a run that was just claimed: reads its lines, replays them into the machine, and holds its lease. */
    readonly open: <Ask extends RequestedAction>(
      kind: RunKindOf<Ask>,
      row: RunRow
    ) => Effect.Effect<RunLog<Ask>, DatabaseDown>
    /** As the ledger's, without the runs of this process: it renews their leases, even if late. */
    readonly claimable: (limit: number, kind: RunKind) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** The run's row, from memory, by run id or report id, if the run lives in this process. */
    readonly live: (id: RunId | ReportId) => RunRow | undefined
    /** Completes when the run has a line after `after`, or does not live in this process. */
    readonly moved: (runId: RunId, after: number) => Effect.Effect<void>
  }
>() {}
