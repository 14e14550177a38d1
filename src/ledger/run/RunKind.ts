/** What tells one kind of run from another: its machine, and what is read of a run by its facts. */
import type { AnyStateMachine, StateValueFrom } from "xstate"
import type { Counts } from "../../../machines/runCounts.ts"
import type { RunProgress } from "../../../machines/runProgress.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { RunKind, RunStatus } from "../../../schema/RunReport.ts"
import type { RunFacts, RunRow } from "../Ledger.ts"
import type { AnyContext, MachineState } from "./machineTable.ts"

/** A named action that a machine requests in response to a line. Each kind of run has a union of its own. */
export interface RequestedAction {
  readonly type: string
  readonly params?: unknown
}

/** The names of a machine's top-level states. */
export type TopStateOf<Machine extends AnyStateMachine> = NameOf<StateValueFrom<Machine>>
type NameOf<Value> = Value extends string ? Value : keyof Value & string

/**
 * What the service knows of a kind of run: its machine, how to read the machine's state, and how to read its facts. `State`: the machine's
 * top-level states.
 */
export interface RunKindOf<
  Action extends RequestedAction = RequestedAction,
  State extends string = string,
  Context = AnyContext
> {
  readonly name: RunKind
  readonly machine: AnyStateMachine
  /** Whether a requested action is for the worker. */
  readonly isAction: (action: RequestedAction) => action is Action
  /** The status to show in each state. */
  readonly statuses: Readonly<Record<State, RunStatus>>
  /** The machine's input, from the run's facts (its plan). Pure and the same at every replay. */
  readonly input: (facts: RunFacts) => unknown
  /** The progress to show, from the machine's state. Pure. */
  readonly progress: (snapshot: MachineState<Context>) => RunProgress & {
    /** 0 before the first offer of decisions; grows with each offer. */
    readonly recoveryVersion: number
  }
  /** The recovery options in the machine's state; empty outside `interrupted`. Pure. */
  readonly options: (
    snapshot: MachineState<Context>,
    events: ReadonlyArray<LedgerEvent>
  ) => RunRow["snapshot"]["view"]["recoveryOptions"]
  /** How much of the run is done, of the number that `run.created` says; default there: the number of stages. Pure. */
  readonly stepsDone: (progress: RunProgress, counts: Counts) => number

  // What callers ask of a run by its facts. All pure.
  /** The parties of ours that take part; the run's own first. */
  readonly partiesOf: (facts: RunFacts) => ReadonlyArray<PartyId>
  /** Does it change a registration, so that our tokens are different ones afterwards, or none? */
  readonly changesRegistration: (facts: RunFacts) => boolean
  /** Name and partner's role of its suite or template; as they are in this release. */
  readonly describe: (facts: RunFacts) => { readonly name: string; readonly theirRole: Role | null }
  /** What goes wrong in practice when a partner breaks the rule of this check; undefined where nothing is said about it. */
  readonly whyItMatters: (checkId: string) => string | undefined
  /** Under what its reports group an assertion. */
  readonly groupOf: (stageId: string, module?: string) => string
  /** The name of such a group, for people; undefined: its id is one. */
  readonly groupName: (facts: RunFacts, group: string) => string | undefined
  /** Can runs of different subjects be compared? */
  readonly isComparable: boolean
}

/**
 * Makes `RunKindOf.isAction` of the types of a kind's requests: one that is left out does not compile. The parameters of an
 * action are what the machine's declaration says.
 */
export const actionsOfTypes =
  <Action extends RequestedAction>(types: Readonly<Record<Action["type"], true>>) =>
  (action: RequestedAction): action is Action =>
    Object.hasOwn(types, action.type)
