import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, TestClock, TestContext } from "effect"
import * as fc from "fast-check"
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

/** Milliseconds that a question and its answer take. */
const way = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }))

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

  it("is not set by an answer that took long, while an earlier one is surer", () => {
    const { clock, sample } = makeSharedTime(strange(noon).clock)
    sample(noon, 5n * second, 5n * second)
    sample(noon + 900, 4n * second, 6n * second)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon)
  })

  it("goes with a database whose clock was set, and with a machine that was suspended", () => {
    const { clock, sample } = makeSharedTime(strange(noon).clock)
    sample(noon, 5n * second, 5n * second)
    sample(noon + 1100, 4n * second, 6n * second)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon + 1100)
    sample(noon - 5000, 4n * second, 6n * second)
    assert.strictEqual(clock.unsafeCurrentTimeMillis(), noon - 5000)
  })

  it("goes with a clock that drifts, also by answers that never are quick", () => {
    const process = strange(noon)
    const { clock, sample } = makeSharedTime(process.clock)
    sample(noon, 5n * second, 5n * second)
    let seconds = 0
    // The database's clock gains 80 ms in a thousand seconds.
    for (let n = 0; n < 1000; n++) {
      process.goOn(10)
      seconds += 10
      const now = process.clock.unsafeCurrentTimeNanos()
      sample(noon + seconds * 1000.08, now - second / 10n, now + second / 10n)
    }
    assert.closeTo(clock.unsafeCurrentTimeMillis(), noon + seconds * 1000.08, 201)
  })

  it("is the same in two processes, though most answers are slow and on one way slower than on the other", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(way, way), { minLength: 2, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        (ways, quick) => {
          const [one, other] = [strange(noon), strange(noon + 77_000)]
          const times = [one, other].map(({ clock }) => makeSharedTime(clock))
          let seconds = 0
          const sampled = (way: readonly [number, number], which: 0 | 1) => {
            const database = noon + seconds * 1000
            const now = [one, other][which]!.clock.unsafeCurrentTimeNanos()
            times[which]!.sample(
              database,
              now - BigInt(way[0]) * 1_000_000n,
              now + BigInt(way[1]) * 1_000_000n
            )
          }
          for (const [at, both] of ways.entries()) {
            for (const which of [0, 1] as const) sampled(at === 1 ? [quick, 0] : both[which], which)
            for (const process of [one, other]) process.goOn(10)
            seconds += 10
          }
          const [first, second] = times.map(({ clock }) => clock.unsafeCurrentTimeMillis())
          // Each is wrong by half of its quick answer's round trip, and by half of what it may have drifted since.
          const most = 2 * (quick + (ways.length * 10_000) / 1e4) + 1
          assert.isAtMost(Math.abs(first! - second!), most)
        }
      )
    )
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
