import { Effect } from "effect"

/**
 * Lets the event loop take its next turn: requests are read, answers written, timers kept. `Effect.yieldNow` does not: it
 * goes on with the next microtask.
 */
export const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
