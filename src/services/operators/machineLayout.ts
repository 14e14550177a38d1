/**
 * Draws a state machine in layers: each state is one layer below the first state that leads to it, and in its layer near
 * the states above that lead to it. Pure and deterministic.
 */
import type { MachineLayout, Point } from "../../../schema/Machine.ts"
import { routeAround } from "./edgeRoute.ts"
import type { MachineGraph } from "./machineGraph.ts"

type Node = MachineLayout["nodes"][number]

const box = { width: 150, height: 44 }
const gap = { x: 50, y: 76 }
/** Space around the children of a state; `top` leaves room for its name. */
const padding = { side: 16, top: 34 }

/** The layout of a machine; states may nest one level. */
export function layoutOf({ states, transitions }: MachineGraph): MachineLayout {
  const outer = new Map(states.map(({ id, parent }) => [id, parent ?? id]))
  const top = states.filter(({ parent }) => parent === null)
  const within = (id: string) => states.filter(({ parent }) => parent === id)
  const leads = transitions
    .map(({ from, to }) => [outer.get(from) ?? from, outer.get(to) ?? to] as const)
    .filter(([from, to]) => from !== to)
  const layers = ordered(
    layered(
      top.map(({ id }) => id),
      top.find(({ initial }) => initial)?.id,
      leads
    ),
    leads
  )

  const sizeOf = (id: string) => {
    const count = within(id).length
    return count === 0
      ? box
      : {
          width: count * box.width + (count - 1) * padding.side + 2 * padding.side,
          height: box.height + padding.top + padding.side
        }
  }
  const widthOf = (layer: ReadonlyArray<string>) =>
    layer.reduce((sum, id) => sum + sizeOf(id).width, 0) + gap.x * (layer.length - 1)
  const width = Math.max(...layers.map(widthOf)) + 2 * gap.x
  const nodes: Array<Node> = []
  let y = gap.y / 2
  for (const layer of layers) {
    let x = (width - widthOf(layer)) / 2
    for (const id of layer) {
      const size = sizeOf(id)
      nodes.push({ id, x, y, ...size })
      for (const [index, { id: inner }] of within(id).entries()) {
        const left = x + padding.side + index * (box.width + padding.side)
        nodes.push({ id: inner, x: left, y: y + padding.top, ...box })
      }
      x += size.width + gap.x
    }
    y += Math.max(...layer.map((id) => sizeOf(id).height)) + gap.y
  }
  return { width, height: y - gap.y / 2, nodes, edges: edgesOf(transitions, nodes, outer) }
}

type Leads = ReadonlyArray<readonly [from: string, to: string]>

/** Layers breadth-first from the initial state; unreachable states come last. */
function layered(ids: ReadonlyArray<string>, initial: string | undefined, leads: Leads) {
  const layers: Array<ReadonlyArray<string>> = []
  const placed = new Set<string>()
  let layer: ReadonlyArray<string> = initial === undefined ? ids.slice(0, 1) : [initial]
  while (layer.length > 0) {
    layers.push(layer)
    for (const id of layer) placed.add(id)
    const reached = layer.flatMap((id) => leads.filter(([from]) => from === id).map(([, to]) => to))
    layer = ids.filter((id) => reached.includes(id) && !placed.has(id))
  }
  const lost = ids.filter((id) => !placed.has(id))
  return lost.length === 0 ? layers : [...layers, lost]
}

/** Orders each layer by the mean position of the states above that lead to its states. */
function ordered(layers: ReadonlyArray<ReadonlyArray<string>>, leads: Leads) {
  const place = new Map<string, number>()
  return layers.map((layer) => {
    const weight = (id: string) => {
      const above = leads.flatMap(([from, to]) => (to === id ? (place.get(from) ?? []) : []))
      return above.length === 0 ? 0.5 : above.reduce((sum, at) => sum + at, 0) / above.length
    }
    const weights = new Map(layer.map((id) => [id, weight(id)]))
    const sorted = layer.toSorted((a, b) => weights.get(a)! - weights.get(b)!)
    for (const [index, id] of sorted.entries()) place.set(id, (index + 0.5) / sorted.length)
    return sorted
  })
}

/** The edges; transitions that stay in their state have none. */
function edgesOf(
  transitions: MachineGraph["transitions"],
  nodes: ReadonlyArray<Node>,
  outer: ReadonlyMap<string, string>
): MachineLayout["edges"] {
  const pairs = new Map<string, { from: string; to: string; ids: Array<string> }>()
  for (const { from, id, to } of transitions) {
    if (from === to) continue
    const pair = pairs.get(`${from} ${to}`) ?? { from, to, ids: [] }
    pair.ids.push(id)
    pairs.set(`${from} ${to}`, pair)
  }
  return [...pairs.values()].map(({ from, ids, to }) => {
    const [source, target] = [from, to].map((id) => nodes.find((node) => node.id === id)!)
    // Shift edges in opposite directions apart.
    const aside = pairs.has(`${to} ${from}`) ? (from < to ? -10 : 10) : 0
    const own = new Set([outer.get(from), outer.get(to)])
    // Its own boxes, those around them and those within; a box within one of them is in the way of another one there.
    const others = nodes.filter(({ id }) =>
      own.has(outer.get(id))
        ? id !== from && id !== to && !own.has(id) && !isWithin(id, from, to)
        : !own.has(id)
    )
    const way = routeAround(middle(source!), middle(target!), others)
    const inner = way.slice(1, -1)
    const ends = [border(source!, way[1]!), border(target!, way.at(-2)!)] as const
    return {
      from,
      to,
      transitions: ids,
      points: [ends[0], ...inner, ends[1]].map(({ x, y }) => ({ x: x + aside, y }))
    }
  })
}

/** Whether the state lies within one of the others. */
const isWithin = (id: string, ...others: ReadonlyArray<string>) =>
  others.some((other) => id.startsWith(`${other}.`))

const middle = ({ height, width, x, y }: Node): Point => ({ x: x + width / 2, y: y + height / 2 })

/** Where the line from the middle of the node to the point crosses the border of the node. */
function border(node: Node, to: Point): Point {
  const from = middle(node)
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  if (dx === 0 && dy === 0) return from
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : node.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : node.height / 2 / Math.abs(dy)
  )
  return { x: from.x + dx * scale, y: from.y + dy * scale }
}
