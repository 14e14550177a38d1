/** The way of an edge of a drawing around the boxes that it has nothing to do with. Pure. */
import type { Point } from "../../../schema/Machine.ts"

/** A box of the drawing. */
interface Box extends Point {
  readonly width: number
  readonly height: number
}

/** How far from a box an edge passes it. */
const distance = 16

/**
 * The shortest line from one point to the other that goes through none of the boxes: its first and its last point, and the
 * corners that it bends at.
 */
export function routeAround(from: Point, to: Point, boxes: ReadonlyArray<Box>): ReadonlyArray<Point> {
  const isFree = (a: Point, b: Point) => !boxes.some((box) => crosses(a, b, box))
  if (isFree(from, to)) return [from, to]
  const points = [
    from,
    to,
    ...boxes.flatMap(cornersOf).filter((corner) => !boxes.some((box) => crosses(corner, corner, box)))
  ]
  // Dijkstra's algorithm: a drawing has some fifty corners.
  const best = points.map((_, index) => ({ length: index === 0 ? 0 : Number.POSITIVE_INFINITY, before: -1 }))
  const open = new Set(points.keys())
  while (open.size > 0) {
    const at = [...open].reduce((a, b) => (best[b]!.length < best[a]!.length ? b : a))
    if (at === 1 || best[at]!.length === Number.POSITIVE_INFINITY) break
    open.delete(at)
    for (const next of open) {
      const length =
        best[at]!.length + Math.hypot(points[next]!.x - points[at]!.x, points[next]!.y - points[at]!.y)
      if (length < best[next]!.length && isFree(points[at]!, points[next]!))
        best[next] = { length, before: at }
    }
  }
  if (best[1]!.before < 0) return [from, to]
  const way: Array<Point> = []
  for (let at = 1; at >= 0; at = best[at]!.before) way.unshift(points[at]!)
  return way
}

const cornersOf = ({ height, width, x, y }: Box): ReadonlyArray<Point> =>
  [x - distance, x + width + distance].flatMap((left) =>
    [y - distance, y + height + distance].map((top) => ({ x: left, y: top }))
  )

/** Whether the line has a point nearer to the box than edges pass it. */
function crosses(a: Point, b: Point, { height, width, x, y }: Box): boolean {
  const near = distance - 1
  let [enters, leaves] = [0, 1]
  for (const [start, change, low, high] of [
    [a.x, b.x - a.x, x - near, x + width + near],
    [a.y, b.y - a.y, y - near, y + height + near]
  ] as const) {
    if (change === 0) {
      if (start <= low || start >= high) return false
      continue
    }
    const [one, other] = [(low - start) / change, (high - start) / change]
    enters = Math.max(enters, Math.min(one, other))
    leaves = Math.min(leaves, Math.max(one, other))
  }
  return enters < leaves || (a.x === b.x && a.y === b.y && enters <= leaves)
}
