/** Machine and view together: what one line does to a run, and what all of them make of it. Pure. */
import { type AnyMachineSnapshot, type EventObject, initialTransition, transition } from "xstate"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunFacts, RunSnapshot, RunView } from "../Ledger.ts"
import type { RequestedAction, RunKindOf } from "./RunLog.ts"
import { emptyView, viewAfter } from "./runView.ts"

/** A run in memory: the machine as XState holds it, and the view beside it. */
export interface Folded {
  readonly machine: AnyMachineSnapshot
  readonly view: RunView
}

/** A fold with what the machine asked for on the way. */
export interface Step {
  readonly folded: Folded
  readonly asks: ReadonlyArray<RequestedAction>
}

/** Before the first line: the machine's initial state and what it asks for there. */
export function foldStart(kind: RunKindOf, facts: RunFacts): Step {
  const [machine, actions] = initialTransition(kind.machine, kind.input(facts))
  return { folded: { machine, view: emptyView(facts) }, asks: asksOf(actions) }
}

/** One more line. Whether the event already carries a machine value makes no difference. */
export function foldEvent(kind: RunKindOf, facts: RunFacts, folded: Folded, event: LedgerEvent): Step {
  const { machine: _, ...heard } = event
  const [machine, actions] = transition(kind.machine, folded.machine, heard as EventObject)
  const view = viewAfter(folded.view, facts, event, machine, kind.progress(machine))
  return { folded: { machine, view }, asks: asksOf(actions) }
}

/** All lines of a run from the beginning: gives the snapshot that is stored beside them. */
export function foldRun(
  kind: RunKindOf,
  facts: RunFacts,
  events: ReadonlyArray<LedgerEvent>
): { readonly folded: Folded; readonly snapshot: RunSnapshot } {
  let { folded } = foldStart(kind, facts)
  for (const event of events) folded = foldEvent(kind, facts, folded, event).folded
  return { folded, snapshot: snapshotOf(kind, folded) }
}

/**
 * As it is stored: plain JSON, and nothing twice: the machine's progress is in the view. No machine is made of it again,
 * runs are replayed. A machine that a line left as it was is the same object again.
 */
export const snapshotOf = (kind: RunKindOf, { machine, view }: Folded): RunSnapshot => {
  const known = persisted.get(machine)
  if (known !== undefined) return { machine: known, view }
  const { context, ...state } = kind.machine.getPersistedSnapshot(machine) as AnyMachineSnapshot
  const { progress: _, ...own } = context as { readonly progress?: unknown }
  const made = { ...state, context: own }
  persisted.set(machine, made)
  return { machine: made, view }
}

/** Machine snapshots do not change: what was made of one stays right for as long as it lives. */
const persisted = new WeakMap<AnyMachineSnapshot, unknown>()

/** XState's own actions (raise, cancel, spawn) are no asks. */
const asksOf = (
  actions: ReadonlyArray<{ readonly type: string; readonly params?: unknown }>
): ReadonlyArray<RequestedAction> =>
  actions
    .filter(({ type }) => !type.startsWith("xstate."))
    .map(({ params, type }) => ({ type, params: (params ?? {}) as RequestedAction["params"] }))
