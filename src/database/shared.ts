/**
 * Work that is done once for all callers. Effect's own caches run it in the fiber of the first caller: when that one is
 * interrupted, because its client leaves, every other waiter is interrupted too. Here the work has a fiber of its own,
 * and an interrupted caller waits to its end: for work of a bounded time.
 */
import { Cache, Duration, Effect, Exit, Fiber } from "effect"

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
  /** The value that is in memory for the key; undefined: there is none, so that `get` would look the key up or wait for a look-up. */
  readonly getAtOnce: (key: Key) => A | undefined
  /** The next call looks the key up again. */
  readonly invalidate: (key: Key) => Effect.Effect<void>
}

/** As `Cache.makeWith`: one look-up per key at a time, for all callers. */
export const sharedLookup = Effect.fnUntraced(function* <Key, A, E, R>(options: {
  readonly capacity: number
  readonly timeToLive: (exit: Exit.Exit<A, E>) => Duration.DurationInput
  readonly lookup: (key: Key) => Effect.Effect<A, E, R>
}): Effect.fn.Return<SharedLookup<Key, A, E>, never, R> {
  const clock = yield* Effect.clock
  const ready = new Map<Key, { readonly value: A; readonly until: number }>()
  /** Grows with each `invalidate`: a look-up that began before one may have read what is no longer so. */
  let invalidations = 0
  const keep = (key: Key, value: A) => {
    const kept = Duration.toMillis(options.timeToLive(Exit.succeed(value)))
    ready.delete(key)
    ready.set(key, { value, until: clock.unsafeCurrentTimeMillis() + kept })
    if (ready.size > options.capacity) ready.delete(ready.keys().next().value as Key)
  }
  const lookup = (key: Key) =>
    Effect.suspend(() => {
      const before = invalidations
      return Effect.tap(ofItsOwn(options.lookup(key)), (value) =>
        Effect.sync(() => {
          if (before === invalidations) keep(key, value)
        })
      )
    })
  const cache = yield* Cache.makeWith({ ...options, lookup })
  return {
    get: (key) => Effect.uninterruptible(cache.get(key)),
    getAtOnce: (key) => {
      const found = ready.get(key)
      return found !== undefined && clock.unsafeCurrentTimeMillis() < found.until ? found.value : undefined
    },
    invalidate: (key) =>
      Effect.suspend(() => {
        invalidations += 1
        ready.delete(key)
        return cache.invalidate(key)
      })
  }
})
