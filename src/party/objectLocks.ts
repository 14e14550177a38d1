/** One change at a time for each object, so that two PATCHes that read, merge and write never lose one another. */
import { Effect, Hash } from "effect"

export type Exclusively = <A, E, R>(key: string, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Keys share this many locks: memory stays bounded, and strangers rarely wait for each other. */
const lockCount = 256

/** Locks of this process. What runs under one must take no other, and must call nobody. */
export const makeObjectLocks: Effect.Effect<Exclusively> = Effect.sync(() => {
  const locks = Array.from({ length: lockCount }, () => Effect.unsafeMakeSemaphore(1))
  return (key, run) => locks[Math.abs(Hash.string(key.toUpperCase())) % lockCount]!.withPermits(1)(run)
})
