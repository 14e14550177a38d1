/** States and transitions of a state machine as plain data. Pure. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate"
import type { MachineNode, MachineTransition } from "../../../schema/Machine.ts"

/** The states and transitions of one machine. */
export interface MachineGraph {
  /** Each parent state comes before its children. */
  readonly states: ReadonlyArray<MachineNode>
  readonly transitions: ReadonlyArray<MachineTransition>
}

const pathOf = ({ path }: AnyStateNode): string => path.join(".")

/** The path of a machine's state value: its innermost state, e.g. `waiting.partner`. */
export const pathOfValue = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, within]) => `${name}.${pathOfValue(within)}`)
        .join(",")
    : String(value)

/** Reads an XState machine's definition, without running it. */
export function graphOf(machine: AnyStateMachine): MachineGraph {
  const nodes = nodesWithin(machine.root)
  return {
    states: nodes.map((node) => ({
      id: pathOf(node),
      parent: node.parent === undefined || node.parent === machine.root ? null : pathOf(node.parent),
      initial: node.parent?.initial?.target?.includes(node) === true,
      final: node.type === "final",
      tags: [...node.tags].sort()
    })),
    transitions: nodes.flatMap((node) => transitionsOf(node).map(describe))
  }
}

const nodesWithin = (node: AnyStateNode): ReadonlyArray<AnyStateNode> =>
  Object.values(node.states).flatMap((within) => [within, ...nodesWithin(within)])

const transitionsOf = (node: AnyStateNode): ReadonlyArray<AnyTransitionDefinition> => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? [])
]

function describe(
  { eventType, guard, meta, source, target }: AnyTransitionDefinition,
  index: number
): MachineTransition {
  const { description, label } = (meta ?? {}) as { readonly label?: string; readonly description?: string }
  const from = pathOf(source)
  const to = target?.[0]
  return {
    id: `${from}#${index}`,
    from,
    to: to === undefined ? from : pathOf(to),
    event: eventType,
    guard: guardName(guard),
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description })
  }
}

/** The name of the guard and its parameters, e.g. `offers resume`. */
function guardName(guard: unknown): string | null {
  if (guard === undefined) return null
  if (typeof guard !== "object" || guard === null) return typeof guard === "string" ? guard : "condition"
  const { params, type } = guard as { readonly type: string; readonly params?: unknown }
  const about = typeof params === "object" && params !== null ? Object.values(params).map(String) : []
  return [type, ...about].join(" ")
}
