import { Clock, Effect } from "effect"
import { pausedMillis, stoodStill } from "../ocpi/transport/attention.ts"

/** Default time between two polls, in milliseconds: not everything that is awaited wakes the wait. */
const defaultMillis = 1000

/** What is awaited, and how long. */
interface Poll<A, E> {
  /** How long to wait, in milliseconds. */
  readonly millis: number
  /** Polls once; undefined if what is awaited is not there yet. */
  readonly poll: Effect.Effect<A | undefined, E>
  /** Waits so many milliseconds, or until a wake-up. */
  readonly sleep: (millis: number) => Effect.Effect<unknown, E>
  /** Longest time until the next poll, in milliseconds. Default: a second. */
  readonly everyMillis?: () => number
  /** Called after each poll; true ends the wait early. */
  readonly isOver?: () => boolean
}

/**
 * Polls until something is found; undefined when the time is over. Time in which this process was suspended does not
 * count, because what arrived meanwhile has not been read yet.
 */
export const pollUntil = Effect.fnUntraced(function* <A, E>({
  everyMillis = () => defaultMillis,
  isOver = () => false,
  millis,
  poll,
  sleep
}: Poll<A, E>): Effect.fn.Return<A | undefined, E> {
  let deadline = (yield* Clock.currentTimeMillis) + millis
  for (;;) {
    const found = yield* poll
    const left = deadline - (yield* Clock.currentTimeMillis)
    if (found !== undefined || left <= 0 || isOver()) return found
    const pause = Math.min(everyMillis(), left)
    const before = yield* pausedMillis
    const late = (yield* stoodStill(sleep(pause), pause)).pausedMillis
    // A pause in the middle of a long sleep does not make its end late.
    deadline += Math.max(late, (yield* pausedMillis) - before)
  }
})
