/** Where the spans of a waterfall are drawn, and the marks of its axis. Pure. */
import { clockTime } from "../format/time.ts"
import type { Waterfall } from "./waterfallOf.ts"

/**
 * Where an instant is drawn, from 0 to 1. With `cut`, a time in which no request is under way is drawn at most as long as a
 * twentieth of all requests together: a wait of minutes would leave milliseconds no room.
 */
export function scaleOf({ from, spans, to }: Waterfall, cut: boolean): (at: number) => number {
  const whole = Math.max(1, to - from)
  if (!cut) return (at) => Math.min(1, Math.max(0, (at - from) / whole))
  const requests = spans.filter(({ kind }) => kind === "request" || kind === "call")
  const most = Math.max(
    20,
    requests.reduce((sum, span) => sum + ((span.to ?? span.from) - span.from), 0) / 20
  )
  const marks = [...new Set([from, to, ...spans.flatMap((span) => [span.from, span.to ?? to])])].sort(
    (a, b) => a - b
  )
  const drawn = [0]
  // The end of the requests that have begun: up to it a request is under way.
  let [busyUntil, next] = [Number.NEGATIVE_INFINITY, 0]
  for (let index = 1; index < marks.length; index++) {
    const begin = marks[index - 1]!
    for (; next < requests.length && requests[next]!.from <= begin; next++)
      busyUntil = Math.max(busyUntil, requests[next]!.to ?? to)
    const length = marks[index]! - begin
    drawn.push(drawn[index - 1]! + (busyUntil > begin ? length : Math.min(length, most)))
  }
  const all = Math.max(1, drawn.at(-1)!)
  return (at) => {
    let [low, high] = [0, marks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (marks[middle]! <= at) low = middle
      else high = middle - 1
    }
    const length = (marks[low + 1] ?? marks[low]!) - marks[low]!
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (at - marks[low]!) / length))
    return (drawn[low]! + share * ((drawn[low + 1] ?? drawn[low]!) - drawn[low]!)) / all
  }
}

/** A mark of the axis: where it stands, 0 to 1, and the time there. */
interface Mark {
  readonly at: number
  readonly millis: number
}

/** The times of the marks: to the second, or to a tenth of it where two would be the same. */
export function axisTimes(marks: ReadonlyArray<Mark>): ReadonlyArray<string> {
  const times = (length: number) =>
    marks.map(({ millis }) => clockTime(new Date(millis).toISOString()).slice(0, length))
  const seconds = times("12:01:07".length)
  return new Set(seconds).size === seconds.length ? seconds : times("12:01:07.2".length)
}

/** Marks at equal distances, the first at the begin and the last at the end. */
export function axisOf(
  { from, to }: Waterfall,
  scale: (at: number) => number,
  marks = 6
): ReadonlyArray<Mark> {
  return Array.from({ length: marks }, (_, index) => {
    const at = index / (marks - 1)
    // The scale grows with time: the time at a place is found by halving.
    let [low, high] = [from, to]
    while (high - low > 0.5) {
      const middle = (low + high) / 2
      if (scale(middle) < at) low = middle
      else high = middle
    }
    return { at, millis: index === 0 ? from : high }
  })
}
