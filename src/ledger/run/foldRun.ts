/** Folds lines into machine and view. Pure. */
import { type AnyMachineSnapshot, type EventObject, initialTransition } from "xstate"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunFacts, RunSnapshot, RunView } from "../Ledger.ts"
import { pureTransition } from "./pureTransition.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"
import { emptyView, viewAfter } from "./runView.ts"

/** The fold of a run's lines so far: XState's machine snapshot, and the view. */
export interface Folded {
  readonly machine: AnyMachineSnapshot
  readonly view: RunView
}

/** A fold, and the actions that the machine requested on the way. */
export interface Step<Action extends RequestedAction> {
  readonly folded: Folded
  readonly actions: ReadonlyArray<Action>
}

/** The fold before the first line: the machine's initial state, and the actions that it requests there. */
export function foldStart<Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  facts: RunFacts
): Step<Action> {
  const [machine, actions] = initialTransition(kind.machine, kind.input(facts))
  return { folded: { machine, view: emptyView(facts) }, actions: actionsIn(kind, actions) }
}

/** The fold after one more line. `event.machine` is ignored: the fold computes it. */
export function foldEvent<Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  folded: Folded,
  event: LedgerEvent
): Step<Action> {
  const { machine: _, ...heard } = event
  const [machine, actions] = pureTransition(kind.machine, folded.machine, heard as EventObject)
  const view = viewAfter(kind, folded.view, event, machine)
  return { folded: { machine, view }, actions: actionsIn(kind, actions) }
}

/** The fold of all lines of a run, from which its stored snapshot is made. */
export function foldRun(
  kind: RunKindOf,
  facts: RunFacts,
  events: ReadonlyArray<LedgerEvent>
): { readonly folded: Folded; readonly snapshot: RunSnapshot } {
  let { folded } = foldStart(kind, facts)
  for (const event of events) folded = foldEvent(kind, folded, event).folded
  return { folded, snapshot: snapshotOf(kind, folded) }
}

/**
 * The snapshot to store: plain JSON, without the progress, which the view holds. No machine is restored from it, because
 * runs are replayed. If a line left the machine unchanged, `machine` is the same object as before.
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

/** Machine snapshots are immutable, so the JSON of one can be cached with it. */
const persisted = new WeakMap<AnyMachineSnapshot, unknown>()

/** The actions for the worker, without what XState keeps with them. */
const actionsIn = <Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  actions: ReadonlyArray<RequestedAction>
) => actions.map(({ params = {}, type }): RequestedAction => ({ type, params })).filter(kind.isAction)
