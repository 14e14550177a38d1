/** The database's clock, carried by this process's monotonic clock between samples: a wall clock set wrong is harmless. */
import { Effect } from "effect"

export interface DatabaseClock {
  /** ISO 8601 UTC with milliseconds. */
  readonly now: Effect.Effect<string>
  /** Says what the database's clock showed between two readings of `monotonic`. */
  readonly sample: (databaseMillis: number, before: bigint, after: bigint) => void
  /** Nanoseconds that only grow. */
  readonly monotonic: () => bigint
}

/** Longest round trip that still says what time it is, unless nothing better was ever heard. */
const roundTripNanos = 500_000_000n

/** Until the first sample the wall clock stands in. */
export const makeDatabaseClock: Effect.Effect<DatabaseClock> = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const monotonic = () => clock.unsafeCurrentTimeNanos()
  let offset = BigInt(clock.unsafeCurrentTimeMillis()) * 1_000_000n - monotonic()
  let sampled = false
  return {
    now: Effect.sync(() => new Date(Number((monotonic() + offset) / 1_000_000n)).toISOString()),
    sample: (databaseMillis, before, after) => {
      if (sampled && after - before > roundTripNanos) return
      sampled = true
      offset = BigInt(Math.round(databaseMillis * 1_000)) * 1_000n - (before + after) / 2n
    },
    monotonic
  }
})
