import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { makeDatabaseClock } from "../../src/ledger/postgres/databaseClock.ts"

const seconds = (count: number) => BigInt(count * 1000) * 1_000_000n

describe("the database's clock in a process", () => {
  it.effect("goes on from the middle of the round trip", () =>
    Effect.gen(function* () {
      const clock = yield* makeDatabaseClock
      const before = clock.monotonic()
      clock.sample(Date.parse("2026-01-01T00:00:00Z"), before, before + seconds(0.4))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* clock.now, "2026-01-01T00:00:09.800Z")
    })
  )
  it.effect("believes a slow answer only while there is no better one", () =>
    Effect.gen(function* () {
      const clock = yield* makeDatabaseClock
      const before = clock.monotonic()
      clock.sample(Date.parse("2026-01-01T00:00:00Z"), before, before + seconds(4))
      assert.strictEqual(yield* clock.now, "2025-12-31T23:59:58.000Z")
      clock.sample(Date.parse("2026-01-01T00:00:00Z"), before, before)
      clock.sample(Date.parse("2026-01-01T00:00:00Z"), before, before + seconds(2))
      assert.strictEqual(yield* clock.now, "2026-01-01T00:00:00.000Z")
    })
  )
})
