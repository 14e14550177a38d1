import type { Machine } from "../data/queries.ts"
import { count } from "../format/words.ts"
import { buttonFor } from "./buttonFor.ts"

type Points = Machine["layout"]["edges"][number]["points"]

/** An edge of a drawn machine; one that was taken says how often, and can be chosen. `id`: `from>to`. */
export function DiagramEdge({
  choose,
  id,
  isChosen,
  points,
  times
}: {
  readonly id: string
  readonly points: Points
  readonly times: number
  readonly isChosen: boolean
  readonly choose: ((edge: string | undefined) => void) | undefined
}) {
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ")
  if (times === 0)
    return (
      <g className="edge">
        <polyline points={line} markerEnd="url(#tip)" />
      </g>
    )
  const place = along(points, 0.35)
  const label = `${id.replace(">", " to ").replaceAll(".", ", ")}, taken ${count(times, "time")}`
  return (
    <g className={`edge taken ${isChosen ? "chosen" : ""}`}>
      <polyline points={line} markerEnd="url(#tip-taken)" />
      <text className="edge-count" x={place.x + 6} y={place.y + 4}>
        ×{times}
      </text>
      {choose === undefined ? null : (
        <polyline
          className="touch"
          points={line}
          {...buttonFor(label, isChosen, () => choose(isChosen ? undefined : id))}
        />
      )}
    </g>
  )
}

/** The point at a share of the line's length. */
function along(points: Points, share: number): Points[number] {
  const lengths = points
    .slice(1)
    .map(({ x, y }, index) => Math.hypot(x - points[index]!.x, y - points[index]!.y))
  let left = share * lengths.reduce((sum, length) => sum + length, 0)
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [points[index]!, points[index + 1]!]
    if (left <= length && length > 0)
      return { x: from.x + ((to.x - from.x) * left) / length, y: from.y + ((to.y - from.y) * left) / length }
    left -= length
  }
  return points[0]!
}
