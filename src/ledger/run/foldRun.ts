/** Folds lines into machine and view. Pure. */
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunFacts, RunSnapshot, RunView } from "../Ledger.ts"
import { type MachineState, tableOf } from "./machineTable.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"
import { emptyView, viewAfter } from "./runView.ts"

/** The fold of a run's lines so far: the machine's state, and the view. */
export interface Folded {
  readonly machine: MachineState
  readonly view: RunView
}

/** A fold, and the actions that the machine requested on the way. */
interface Step<Action extends RequestedAction> {
  readonly folded: Folded
  readonly actions: ReadonlyArray<Action>
}

/** The fold before the first line: the machine's initial state, and the actions that it requests there. */
export function foldStart<Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  facts: RunFacts
): Step<Action> {
  const [machine, actions] = tableOf(kind.machine).start(kind.input(facts))
  return { folded: { machine, view: emptyView(facts) }, actions: actions.filter(kind.isAction) }
}

/**
 * The fold after one more line. No machine may read `event.machine`, which only lines that are replayed have: the fold computes it.
 */
export function foldEvent<Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  folded: Folded,
  event: LedgerEvent
): Step<Action> {
  const [machine, actions] = tableOf(kind.machine).after(folded.machine, event)
  const view = viewAfter(kind, folded.view, event, machine)
  return { folded: { machine, view }, actions: actions.filter(kind.isAction) }
}

/** The fold of all lines of a run, from which its stored snapshot is made. */
export function foldRun(
  kind: RunKindOf,
  facts: RunFacts,
  events: ReadonlyArray<LedgerEvent>
): { readonly folded: Folded; readonly snapshot: RunSnapshot } {
  let { folded } = foldStart(kind, facts)
  for (const event of events) folded = foldEvent(kind, folded, event).folded
  return { folded, snapshot: snapshotOf(folded) }
}

/**
 * The snapshot to store: plain JSON, without the progress, which the view holds. No machine is restored from it, because
 * runs are replayed. If a line left the machine unchanged, `machine` is the same object as before.
 */
export const snapshotOf = ({ machine, view }: Folded): RunSnapshot => {
  const known = persisted.get(machine)
  if (known !== undefined) return { machine: known, view }
  // The context is plain JSON, as the machines' own rules say.
  const { progress: _, ...context } = machine.context as { readonly progress?: unknown }
  const made = { ...machine.persisted, context }
  persisted.set(machine, made)
  return { machine: made, view }
}

/** A state of the machine is immutable, so its JSON can be cached with it. */
const persisted = new WeakMap<MachineState, unknown>()
