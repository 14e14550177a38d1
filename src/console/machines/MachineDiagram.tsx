import { memo, useLayoutEffect, useMemo, useRef } from "react"
import type { Machine } from "../data/queries.ts"
import { edgesTaken } from "../format/edgesTaken.ts"
import { capital } from "../format/words.ts"
import { buttonFor } from "./buttonFor.ts"
import { DiagramEdge } from "./DiagramEdge.tsx"

/** The last part of a state's path. */
const nameOf = (id: string): string => capital(id.split(".").at(-1) ?? id)

/** The name of a state and, where it is not 0, the number in it. */
const labelOf = (id: string, count = 0): string => (count === 0 ? nameOf(id) : `${nameOf(id)} · ${count}`)

/** Units of the drawing: the mean width of a letter, and what stays free in a state beside its label. */
const letterUnits = 10
const freeUnits = 20

/** A label that would reach the edges of its state is drawn narrower: the layout knows the name and not the number. */
const fitted = (label: string, width: number) =>
  label.length * letterUnits > width - freeUnits
    ? ({ textLength: width - freeUnits, lengthAdjust: "spacingAndGlyphs" } as const)
    : {}

/** Units of the drawing to a letter of the smallest text, and pixels that it has at least. */
const smallestText = { units: 21, pixels: 12 }

interface Properties {
  readonly machine: Machine
  /** Id of the state that it is in. */
  readonly active?: string | undefined
  /** By `from>to event`: how often an event led from one state to another. */
  readonly moves?: Readonly<Record<string, number>>
  /** By id of a state: a number to show in it. */
  readonly counts?: Readonly<Record<string, number>>
  readonly chosen?: string | undefined
  readonly choose?: (state: string | undefined) => void
  /** An edge as `from>to`; only those that were taken can be chosen. */
  readonly chosenEdge?: string | undefined
  readonly chooseEdge?: (edge: string | undefined) => void
}

const none = {}

/** A state machine as it was laid out by the service: where it is, where it was, and how often each edge was taken. */
export const MachineDiagram = memo(function MachineDiagram({
  active,
  choose,
  chooseEdge,
  chosen,
  chosenEdge,
  counts = none,
  machine,
  moves = none
}: Properties) {
  const { layout, states } = machine
  const taken = useMemo(() => edgesTaken(machine, moves), [machine, moves])
  const parents = new Set(states.flatMap(({ parent }) => parent ?? []))
  const isFinal = new Set(states.flatMap(({ final, id }) => (final ? [id] : [])))
  const box = boxOf(layout)
  const frame = useRef<HTMLDivElement>(null)
  const shown = layout.nodes.find(({ id }) => id === active)
  const middle = shown === undefined ? undefined : (shown.x + shown.width / 2 - box.left) / box.width
  useLayoutEffect(() => {
    // Where the drawing is wider than its place, the state that it is in is in sight.
    const place = frame.current
    if (place !== null && middle !== undefined)
      place.scrollLeft = middle * place.scrollWidth - place.clientWidth / 2
  }, [middle])
  const edges = layout.edges.map((edge) => ({ ...edge, key: `${edge.from}>${edge.to}` }))
  return (
    <div
      className="diagram"
      tabIndex={0}
      role="group"
      aria-label={`State machine: ${machine.name}`}
      ref={frame}
    >
      <svg
        viewBox={`${box.left} ${box.top} ${box.width} ${box.height}`}
        aria-label={machine.name}
        style={{ minWidth: Math.ceil((box.width * smallestText.pixels) / smallestText.units) }}
      >
        <defs>
          {["tip", "tip-taken"].map((id) => (
            <marker
              key={id}
              id={id}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" className={id.replace("-", " ")} />
            </marker>
          ))}
        </defs>
        {layout.nodes
          .filter(({ id }) => parents.has(id))
          .map(({ height, id, width, x, y }) => (
            <g key={id}>
              <rect className="region" x={x} y={y} width={width} height={height} rx="8" />
              <text className="region-name" x={x + 16} y={y + 25}>
                {nameOf(id)}
              </text>
            </g>
          ))}
        {edges
          // Those that were taken lie above the others.
          .toSorted((a, b) => (taken[a.key] ?? 0) - (taken[b.key] ?? 0))
          .map(({ key, points }) => (
            <DiagramEdge
              key={key}
              id={key}
              points={points}
              times={taken[key] ?? 0}
              isChosen={key === chosenEdge}
              choose={chooseEdge}
            />
          ))}
        {layout.nodes
          .filter(({ id }) => !parents.has(id))
          .map(({ height, id, width, x, y }) => (
            <g key={id} className={`state ${id === active ? "active" : ""} ${id === chosen ? "chosen" : ""}`}>
              <rect x={x} y={y} width={width} height={height} rx="8" />
              {isFinal.has(id) ? (
                <rect className="inner" x={x + 4} y={y + 4} width={width - 8} height={height - 8} rx="5" />
              ) : null}
              <text
                x={x + width / 2}
                y={y + height / 2 + 7}
                textAnchor="middle"
                {...fitted(labelOf(id, counts[id]), width)}
              >
                {labelOf(id, counts[id])}
              </text>
              {choose === undefined ? null : (
                <rect
                  className="touch"
                  x={x}
                  y={y}
                  width={width}
                  height={height}
                  {...buttonFor(id.replaceAll(".", ", "), id === chosen, () =>
                    choose(id === chosen ? undefined : id)
                  )}
                />
              )}
            </g>
          ))}
      </svg>
    </div>
  )
})

/** The part of the drawing that has something, without the margins of the layout, for bigger letters. */
function boxOf({ edges, nodes }: Machine["layout"]) {
  const edge = 8
  const points = edges.flatMap(({ points }) => points)
  const left = Math.min(...nodes.map(({ x }) => x), ...points.map(({ x }) => x)) - edge
  const top = Math.min(...nodes.map(({ y }) => y), ...points.map(({ y }) => y)) - edge
  const right = Math.max(...nodes.map((node) => node.x + node.width), ...points.map(({ x }) => x)) + edge
  const bottom = Math.max(...nodes.map((node) => node.y + node.height), ...points.map(({ y }) => y)) + edge
  return { left, top, width: right - left, height: bottom - top }
}
