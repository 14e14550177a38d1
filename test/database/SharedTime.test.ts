import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, TestClock, TestContext } from "effect"
import { makeSharedTime, SharedTime } from "../../src/database/SharedTime.ts"

class Seen extends Context.Tag("test/Seen")<Seen, number>() {}

const second = 1_000_000_000n
const noon = Date.parse("2026-03-01T12:00:00.000Z")

/** A clock whose monotonic side the test moves, and whose wall runs as it likes. */
const strange = (wallMillis: number) => {
  let nanos = 5n * second
  const clock: Clock.Clock = {
    ...Clock.make(),
    unsafeCurrentTimeMillis: () => wallMillis,
    unsafeCurrentTimeNanos: () => nanos
  }
  return {
    clock,
    goOn: (seconds: number) => {
      nanos += BigInt(seconds) * second
    }
  }
}

describe("the shared time", () => {
  it("is the wall clock's until the database was asked", () => {
    const { clock } = makeSharedTime(strange(noon).clock)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon)
  })

  it("is the database's from then on, whatever the wall clock says", () => {
    const hourAhead = strange(noon + 3_600_000)
    const { clock, sample } = makeSharedTime(hourAhead.clock)
    sample(noon, 4n * second, 6n * second)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon)
    hourAhead.goOn(7)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon + 7000)
  })

  it("is not set by an answer that took long, once it was set by a better one", () => {
    const { clock, sample } = makeSharedTime(strange(noon).clock)
    sample(noon, 5n * second, 5n * second)
    sample(noon + 900, 4n * second, 6n * second)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon)
  })

  it.effect("is the clock of whatever is built with it", () =>
    Effect.gen(function* () {
      const told = Layer.effectDiscard(Effect.map(SharedTime, ({ sample }) => sample(noon, 0n, 0n)))
      const seen = Layer.effect(Seen, Clock.currentTimeMillis)
      const built = seen.pipe(Layer.provide(told), Layer.provide(SharedTime.layer))
      yield* TestClock.adjust("1 hour")
      const at = yield* Seen.pipe(Effect.provide(built))
      assert.strictEqual(at, noon + 3_600_000)
    }).pipe(Effect.provide(TestContext.TestContext))
  )
})
