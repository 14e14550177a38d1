/** XState's pure `transition`, without the actor that it makes for each call and throws away. */
import {
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject
} from "xstate"
import type { RequestedAction } from "./RunKind.ts"

/** The state after the event, and the actions that the machine requested, XState's own among them. The same object if the event is not taken. */
export function pureTransition(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: EventObject
): readonly [AnyMachineSnapshot, ReadonlyArray<RequestedAction>] {
  const asked: Array<RequestedAction> = []
  const scope = scopeOf(machine)
  scope.actionExecutor = (action) => void asked.push(action)
  return [machine.transition(before, event, scope), asked]
}

/** A scope in which nothing is carried out. A transition is synchronous, so all runs of a machine share it. */
function scopeOf(machine: AnyStateMachine): AnyActorScope {
  const known = scopes.get(machine)
  if (known !== undefined) return known
  const self = createActor(machine)
  const nothing = () => {}
  const made: AnyActorScope = {
    self,
    system: self.system,
    id: "",
    sessionId: "",
    defer: nothing,
    logger: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: nothing
  }
  scopes.set(machine, made)
  return made
}

const scopes = new WeakMap<AnyStateMachine, AnyActorScope>()
