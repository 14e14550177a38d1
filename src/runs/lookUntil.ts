import { Clock, Effect } from "effect"
import { stoodStill } from "../ocpi/attention.ts"

/** Longest time between two looks: wake-ups can be lost, and another process may have taken the partner's call. */
const pollMillis = 1000

export interface Look<A, E> {
  readonly millis: number
  /** Undefined: not yet. */
  readonly look: Effect.Effect<A | undefined, E>
  /** Waits that many milliseconds, or until something says that it is worth looking. */
  readonly rest: (millis: number) => Effect.Effect<unknown, E>
  /** Asked after each look: is there no use in waiting any longer? */
  readonly isOver?: () => boolean
}

/**
 * Looks until something is found, or the time is over: undefined. Time in which this process stood still does not count,
 * because what came in it is not read yet.
 */
export const lookUntil = <A, E>({
  isOver = () => false,
  look,
  millis,
  rest
}: Look<A, E>): Effect.Effect<A | undefined, E> =>
  Effect.gen(function* () {
    let deadline = (yield* Clock.currentTimeMillis) + millis
    for (;;) {
      const found = yield* look
      const left = deadline - (yield* Clock.currentTimeMillis)
      if (found !== undefined || left <= 0 || isOver()) return found
      const pause = Math.min(pollMillis, left)
      deadline += (yield* stoodStill(rest(pause), pause)).pausedMillis
    }
  })
