/**
 * A machine of XState as a table: for each state and event type the transitions that may be taken, each with its actions and
 * the state that it leads to. A fold takes thousands of events, and XState's interpreter makes a snapshot, a set of nodes and
 * a spawner for each action. The definition stays XState's; one that says more than the table can hold is refused. Pure.
 */
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  initialTransition,
  type StateValue
} from "xstate"
import { type AskedAction, actOf, type Guard, guardOf, type MachineAction } from "./machineActions.ts"

/** A state of the table: a leaf of the machine's tree of states. */
interface Leaf {
  readonly shown: { readonly value: StateValue; readonly tags: ReadonlyArray<string> }
  /** The run of the machine is over. */
  readonly isDone: boolean
  /** By event type; those of the leaf before those of the states around it. */
  readonly on: Map<string, ReadonlyArray<Way>>
  /** Taken without an event. */
  readonly always: Array<Way>
}

/** A transition from one leaf. */
interface Way {
  readonly guard: Guard | undefined
  /** Those of the transition, then those of the states that it enters. */
  readonly acts: ReadonlyArray<MachineAction>
  readonly to: Leaf
  /** Not declared only to forbid the event. */
  readonly isTaken: boolean
}

/** Of a machine of any kind: nothing is known of its context. */
export type AnyContext = AnyMachineSnapshot["context"]

/** Where a machine is. Immutable; plain JSON in all that it shows. */
export class MachineState<Context = AnyContext> {
  readonly leaf: Leaf
  readonly context: Context
  constructor(leaf: Leaf, context: Context) {
    this.leaf = leaf
    this.context = context
  }
  get value(): StateValue {
    return this.leaf.shown.value
  }
  /** Sorted. */
  get tags(): ReadonlyArray<string> {
    return this.leaf.shown.tags
  }
  /** Value and tags, the same object for each time in this state. */
  get shown(): Leaf["shown"] {
    return this.leaf.shown
  }
  /** XState's persisted snapshot without its context, for the stored snapshot; no machine is restored from it. */
  get persisted() {
    return {
      status: this.leaf.isDone ? "done" : "active",
      value: this.value,
      historyValue: {},
      children: {}
    } as const
  }
  /** Does the machine take the event here? */
  can(event: AnyEventObject): boolean {
    return openWay(waysOf(this.leaf, event), this.context, event)?.isTaken === true
  }
}

/** A state, and the actions that the machine requested on the way, in order. */
type Moved = readonly [state: MachineState, asked: ReadonlyArray<AskedAction>]

/** A machine as a table. */
interface MachineTable {
  /** The state before the first event. */
  readonly start: (input: unknown) => Moved
  /** The state with this value. Throws if the machine has none. */
  readonly at: (value: StateValue, context: unknown) => MachineState
  /** The state after the event: the same object if the event is not taken. */
  readonly after: (before: MachineState, event: AnyEventObject) => Moved
}

/** The table of a machine, made once. Throws if the machine uses what no run's machine does, such as parallel states or delays. */
export function tableOf(machine: AnyStateMachine): MachineTable {
  const known = tables.get(machine)
  if (known !== undefined) return known
  const made = compile(machine)
  tables.set(machine, made)
  return made
}

const tables = new WeakMap<AnyStateMachine, MachineTable>()

/** More transitions without an event than this are a circle. */
const mostSteps = 1000

function compile(machine: AnyStateMachine): MachineTable {
  const nodes = nodesBelow(machine.root)
  for (const node of [machine.root, ...nodes]) refuseUnknown(node)
  const leaves = new Map<AnyStateNode, Leaf>(nodes.filter(isLeaf).map((node) => [node, emptyLeaf(node)]))
  for (const [node, leaf] of leaves) {
    const around = [node, ...ancestorsOf(node)]
    const ways = (definitions: ReadonlyArray<AnyTransitionDefinition>) =>
      definitions.map((definition) => wayOf(machine, leaves, leaf, definition))
    const heard = (type: string) => around.flatMap((one) => definitionsFor(one, type))
    for (const type of around.flatMap(({ transitions }) => [...transitions.keys()]))
      leaf.on.set(type, ways(heard(type)))
    if (!leaf.isDone) leaf.always.push(...ways(around.flatMap(({ always = [] }) => always)))
  }
  const byPath = new Map([...leaves].map(([node, leaf]) => [node.path.join("."), leaf]))
  const at: MachineTable["at"] = (value, context) => {
    const leaf = byPath.get(pathOf(value))
    if (leaf === undefined) throw new Error(`${machine.id} has no state ${pathOf(value)}`)
    return new MachineState(leaf, context)
  }
  return {
    at,
    start: (input) => {
      const [{ context, value }, asked] = initialTransition(machine, input)
      return [at(value, context), asked.map(({ params = {}, type }) => ({ type, params }))]
    },
    after: (before, event) => {
      const asked: Array<AskedAction> = []
      let { context, leaf } = before
      let way = openWay(waysOf(leaf, event), context, event) ?? openWay(leaf.always, context, event)
      for (let steps = 0; way !== undefined; steps++) {
        if (steps > mostSteps) throw new Error(`${machine.id} goes round in a circle without an event`)
        for (const act of way.acts) context = act(context, event, asked)
        leaf = way.to
        way = openWay(leaf.always, context, event)
      }
      const isSame = leaf === before.leaf && context === before.context
      return [isSame ? before : new MachineState(leaf, context), asked]
    }
  }
}

/** A state's own transitions for a type come before those for any type. */
const definitionsFor = ({ transitions }: AnyStateNode, type: string) => [
  ...(transitions.get(type) ?? []),
  ...(type === anyType ? [] : (transitions.get(anyType) ?? []))
]

const anyType = "*"

const waysOf = ({ on }: Leaf, { type }: AnyEventObject) => on.get(type) ?? on.get(anyType)

function openWay(
  ways: ReadonlyArray<Way> | undefined,
  context: unknown,
  event: AnyEventObject
): Way | undefined {
  if (ways === undefined) return undefined
  for (const way of ways) if (way.guard === undefined || way.guard(context, event)) return way
  return undefined
}

function wayOf(
  machine: AnyStateMachine,
  leaves: ReadonlyMap<AnyStateNode, Leaf>,
  from: Leaf,
  { actions, eventType, guard, reenter, source, target }: AnyTransitionDefinition
): Way {
  if (reenter) throw refused(source, "reenters")
  if (eventType?.endsWith(".*") === true) throw refused(source, "hears types by their beginning")
  if (target === undefined && eventType === null)
    throw refused(source, "has a transition without event and target")
  const [to, ...more] = target ?? []
  if (more.length > 0) throw refused(source, "goes to several states")
  const entered = to === undefined ? [] : entering(source, to)
  return {
    guard: guard === undefined ? undefined : guardOf(machine, guard),
    acts: [...actions, ...entered.flatMap(({ entry }) => entry)].map((action) => actOf(machine, action)),
    to: to === undefined ? from : leaves.get(initialLeaf(to))!,
    isTaken: target !== undefined || actions.length > 0
  }
}

/** The states that a transition enters, from the outside inwards. */
function entering(source: AnyStateNode, target: AnyStateNode): ReadonlyArray<AnyStateNode> {
  const isWithin = target === source || isBelow(target, source)
  // Nothing outside of this state is left.
  const domain = isWithin ? source : ancestorsOf(target).find((ancestor) => isBelow(source, ancestor))
  const around = ancestorsOf(target)
    .filter((ancestor) => domain !== undefined && isBelow(ancestor, domain))
    .reverse()
  const inside = [initialLeaf(target), ...ancestorsOf(initialLeaf(target))]
    .filter((node) => isBelow(node, target))
    .reverse()
  return [...around, ...(target === domain ? [] : [target]), ...inside]
}

const isLeaf = ({ type }: AnyStateNode) => type === "atomic" || type === "final"

const initialLeaf = (node: AnyStateNode): AnyStateNode =>
  isLeaf(node) ? node : initialLeaf(node.initial.target[0]!)

/** From the inside outwards. */
const ancestorsOf = ({ parent }: AnyStateNode): ReadonlyArray<AnyStateNode> =>
  parent === undefined ? [] : [parent, ...ancestorsOf(parent)]

const isBelow = (node: AnyStateNode, other: AnyStateNode) => ancestorsOf(node).includes(other)

const nodesBelow = ({ states }: AnyStateNode): ReadonlyArray<AnyStateNode> =>
  Object.values(states).flatMap((node) => [node, ...nodesBelow(node)])

const pathOf = (value: StateValue): string =>
  typeof value === "string"
    ? value
    : Object.entries(value)
        .map(([key, inner = ""]) => `${key}.${pathOf(inner)}`)
        .join(" ")

const emptyLeaf = (node: AnyStateNode): Leaf => ({
  shown: {
    value: node.path.slice(0, -1).reduceRight<StateValue>((inner, key) => ({ [key]: inner }), node.key),
    tags: [...new Set([node, ...ancestorsOf(node)].flatMap(({ tags }) => tags))].sort()
  },
  isDone: node.type === "final",
  on: new Map(),
  always: []
})

function refuseUnknown(node: AnyStateNode): void {
  const { after, exit, initial, invoke, output, parent, type } = node
  if (type === "parallel" || type === "history") throw refused(node, `is ${type}`)
  if (type === "final" && parent?.parent !== undefined) throw refused(node, "is final within another state")
  if (parent === undefined && type !== "compound") throw refused(node, "has no states")
  if (after.length > 0) throw refused(node, "has a delay")
  if (invoke.length > 0) throw refused(node, "invokes an actor")
  if (exit.length > 0) throw refused(node, "has actions at its exit")
  if (output !== undefined) throw refused(node, "has an output")
  if ((initial?.actions ?? []).length > 0) throw refused(node, "has actions at its initial transition")
  if (node.config.onDone !== undefined) throw refused(node, "hears that it is done")
}

const refused = ({ id }: AnyStateNode, does: string) =>
  new Error(`The state ${id} ${does}, which the table of a run's machine cannot hold`)
