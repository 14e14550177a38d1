/** Guards and actions of a machine's definition as plain functions. Those that need an actor are refused. Pure. */
import type { AnyStateMachine, EventObject } from "xstate"

/** A named action that a machine requested, for the kind of run to read. */
export interface AskedAction {
  readonly type: string
  readonly params?: unknown
}

/** May the transition be taken? */
export type Guard = (context: unknown, event: EventObject) => boolean

/** The context after the action. An action without an effect on it is added to `asked`. */
export type MachineAction = (context: unknown, event: EventObject, asked: Array<AskedAction>) => unknown

/** A guard or an action as it is declared: a function, a name, or a name with parameters. */
type Declared = string | Named | Implementation
interface Named {
  readonly type: string
  readonly params?: unknown
}
interface Args {
  readonly context: unknown
  readonly event: EventObject
}
type Implementation = ((args: Args, params: unknown) => unknown) & {
  readonly type?: string
  /** Of an action of XState's own. */
  readonly resolve?: unknown
  /** Of `assign`. */
  readonly assignment?: Assigner | Readonly<Record<string, unknown>>
  /** Of a guard that is made of others. */
  readonly check?: unknown
}
type Assigner = (args: Args, params: unknown) => object

export function guardOf(machine: AnyStateMachine, declared: unknown): Guard {
  const guard = declared as Declared
  const implementation = implementationOf(machine.implementations.guards, guard)
  if (typeof implementation !== "function" || implementation.check !== undefined)
    throw new Error(`The guard ${nameOf(guard)} of ${machine.id} is no function of context and event`)
  const params = paramsOf(guard)
  return (context, event) => {
    const args = { context, event }
    return Boolean(implementation(args, params(args)))
  }
}

export function actOf(machine: AnyStateMachine, declared: unknown): MachineAction {
  const action = declared as Declared
  const implementation = implementationOf(machine.implementations.actions, action)
  const params = paramsOf(action)
  if (implementation?.resolve === undefined) {
    const type = nameOf(action)
    return (context, event, asked) => {
      asked.push({ type, params: params({ context, event }) ?? {} })
      return context
    }
  }
  const { assignment, type } = implementation
  if (type !== "xstate.assign" || assignment === undefined)
    throw new Error(`The action ${nameOf(action)} of ${machine.id} is ${type}, which needs an actor`)
  if (typeof assignment === "function")
    return (context, event) => {
      const args = { context, event }
      return { ...(context as object), ...assignment(args, params(args)) }
    }
  const fields = Object.entries(assignment)
  return (context, event) => {
    const args = { context, event }
    const given = params(args)
    const next: Record<string, unknown> = { ...(context as object) }
    // Each is computed from the context as it was before.
    for (const [key, value] of fields)
      next[key] = typeof value === "function" ? (value as Assigner)(args, given) : value
    return next
  }
}

const implementationOf = (known: object, declared: Declared): Implementation | undefined =>
  typeof declared === "function"
    ? declared
    : (known as Readonly<Record<string, Implementation | undefined>>)[nameOf(declared)]

const nameOf = (declared: Declared): string =>
  typeof declared === "string"
    ? declared
    : typeof declared === "function"
      ? declared.name || "(anonymous)"
      : declared.type

function paramsOf(declared: Declared): (args: Args) => unknown {
  const params = typeof declared === "object" ? declared.params : undefined
  return typeof params === "function" ? (params as (args: Args) => unknown) : () => params
}
