/** Yielding to the event loop during long work. */
import { Clock, Effect } from "effect"

/**
 * Lets the event loop take its next turn: requests are read, answers written, timers kept. `Effect.yieldNow` does not: it
 * goes on with the next microtask.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** Work that may go on without a yield. */
const shortMillis = 20

/** An effect to run between two pieces of work: it yields if the last yield was more than `shortMillis` ago. */
export const yieldWhenDue: Effect.Effect<Effect.Effect<void>> = Effect.map(
  Clock.currentTimeMillis,
  (begun) => {
    let last = begun
    const turn = Effect.map(Effect.zipRight(yieldToEventLoop, Clock.currentTimeMillis), (now) => {
      last = now
    })
    return Effect.flatMap(Clock.currentTimeMillis, (now) => (now - last < shortMillis ? Effect.void : turn))
  }
)
