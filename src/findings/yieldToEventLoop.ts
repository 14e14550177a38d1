/** Letting others go on during work that takes long. */
import { Clock, Effect } from "effect"

/**
 * Lets the event loop take its next turn: requests are read, answers written, timers kept. `Effect.yieldNow` does not: it
 * goes on with the next microtask.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** Milliseconds that nobody minds. */
const shortMillis = 20

/** To be run between two pieces of work: a turn for the event loop when the last one is some time ago. */
export const yieldWhenDue: Effect.Effect<Effect.Effect<void>> = Effect.map(
  Clock.currentTimeMillis,
  (begun) => {
    let last = begun
    return Effect.gen(function* () {
      if ((yield* Clock.currentTimeMillis) - last < shortMillis) return
      yield* yieldToEventLoop
      last = yield* Clock.currentTimeMillis
    })
  }
)
