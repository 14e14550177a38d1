import type { Machine } from "../data/queries.ts"
import { capital } from "../format/words.ts"
import { edgesTaken } from "./edgesTaken.ts"

/** The last part of a state's path. */
const nameOf = (id: string): string => capital(id.split(".").at(-1) ?? id)

/** A state machine as it was laid out by the service: where it is, where it was, and how often each edge was taken. */
export function MachineDiagram({
  active,
  choose,
  chosen,
  counts = {},
  machine,
  moves = {}
}: {
  readonly machine: Machine
  /** Id of the state that it is in. */
  readonly active?: string | undefined
  /** By `from>to event`: how often an event led from one state to another. */
  readonly moves?: Readonly<Record<string, number>>
  /** By id of a state: a number to show in it. */
  readonly counts?: Readonly<Record<string, number>>
  readonly chosen?: string | undefined
  readonly choose?: (state: string | undefined) => void
}) {
  const { layout, states } = machine
  const taken = edgesTaken(machine, moves)
  const parents = new Set(states.flatMap(({ parent }) => parent ?? []))
  const isFinal = new Set(states.flatMap(({ final, id }) => (final ? [id] : [])))
  // Without the margins of the layout, for bigger letters.
  const edge = 6
  const left = Math.min(...layout.nodes.map(({ x }) => x)) - edge
  const top = Math.min(...layout.nodes.map(({ y }) => y)) - edge
  const width = Math.max(...layout.nodes.map((node) => node.x + node.width)) - left + edge
  const height = Math.max(...layout.nodes.map((node) => node.y + node.height)) - top + edge
  return (
    <div className="diagram" tabIndex={0} role="group" aria-label={`State machine: ${machine.name}`}>
      <svg viewBox={`${left} ${top} ${width} ${height}`} aria-label={machine.name} style={{ minWidth: 560 }}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" className="tip" />
          </marker>
          <marker
            id="tip-taken"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" className="tip taken" />
          </marker>
        </defs>
        {layout.nodes
          .filter(({ id }) => parents.has(id))
          .map(({ height, id, width, x, y }) => (
            <g key={id}>
              <rect className="region" x={x} y={y} width={width} height={height} rx="8" />
              <text className="region-name" x={x + 16} y={y + 22}>
                {nameOf(id)}
              </text>
            </g>
          ))}
        {layout.edges.map(({ from, points, to }) => {
          const times = taken[`${from}>${to}`] ?? 0
          return (
            <g key={`${from}>${to}`} className={times > 0 ? "edge taken" : "edge"}>
              <polyline
                points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
                markerEnd={times > 0 ? "url(#tip-taken)" : "url(#tip)"}
              />
            </g>
          )
        })}
        {layout.nodes
          .filter(({ id }) => !parents.has(id))
          .map(({ height, id, width, x, y }) => (
            <g key={id} className={`state ${id === active ? "active" : ""} ${id === chosen ? "chosen" : ""}`}>
              <rect x={x} y={y} width={width} height={height} rx="8" />
              {isFinal.has(id) ? (
                <rect className="inner" x={x + 4} y={y + 4} width={width - 8} height={height - 8} rx="5" />
              ) : null}
              <text x={x + width / 2} y={y + height / 2 + 5} textAnchor="middle">
                {nameOf(id)}
                {counts[id] ? ` · ${counts[id]}` : ""}
              </text>
              {choose === undefined ? null : (
                <rect
                  className="touch"
                  x={x}
                  y={y}
                  width={width}
                  height={height}
                  role="button"
                  tabIndex={0}
                  aria-label={id.replaceAll(".", ", ")}
                  aria-pressed={id === chosen}
                  onClick={() => choose(id === chosen ? undefined : id)}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter" && event.key !== " ") return
                    event.preventDefault()
                    choose(id === chosen ? undefined : id)
                  }}
                />
              )}
            </g>
          ))}
        {layout.edges.map(({ from, points, to }) => {
          const times = taken[`${from}>${to}`] ?? 0
          const [begin, end] = [points[0], points.at(-1)]
          if (times < 2 || begin === undefined || end === undefined) return null
          return (
            <text
              key={`${from}>${to}`}
              className="edge-count"
              // Nearer to where it begins: the way back has a number of its own.
              x={begin.x * 0.7 + end.x * 0.3 + 6}
              y={begin.y * 0.7 + end.y * 0.3 + 4}
            >
              ×{times}
            </text>
          )
        })}
      </svg>
    </div>
  )
}
