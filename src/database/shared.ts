/**
 * Work that is done once for all callers. Effect's own caches run it in the fiber of the first caller: when that one is
 * interrupted, because its client leaves, every other waiter is interrupted too. Here the work has a fiber of its own,
 * and an interrupted caller waits to its end: for work of a bounded time.
 */
import { Cache, Duration, Effect, type Exit, Fiber } from "effect"

const ofItsOwn = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(work)), Fiber.join)

/** As `Effect.cachedWithTTL`: the work is done again when the value is older than that. */
export const sharedFor = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  timeToLive: Duration.DurationInput
): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.cachedWithTTL(ofItsOwn(work), timeToLive), Effect.uninterruptible)

/** As `Effect.cached`: the work is done at the first call and never again. */
export const shared = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  sharedFor(work, Duration.infinity)

interface SharedLookup<Key, A, E> {
  readonly get: (key: Key) => Effect.Effect<A, E>
  /** The next call looks the key up again. */
  readonly invalidate: (key: Key) => Effect.Effect<void>
}

/** As `Cache.makeWith`: one look-up per key at a time, for all callers. */
export const sharedLookup = <Key, A, E, R>(options: {
  readonly capacity: number
  readonly timeToLive: (exit: Exit.Exit<A, E>) => Duration.DurationInput
  readonly lookup: (key: Key) => Effect.Effect<A, E, R>
}): Effect.Effect<SharedLookup<Key, A, E>, never, R> =>
  Effect.map(
    Cache.makeWith({ ...options, lookup: (key: Key) => ofItsOwn(options.lookup(key)) }),
    (cache) => ({
      get: (key) => Effect.uninterruptible(cache.get(key)),
      invalidate: (key) => cache.invalidate(key)
    })
  )
