import { it } from "@effect/vitest"
import { Clock, Effect, Fiber, Option, TestClock } from "effect"
import { assert, describe } from "vitest"
import { lookUntil } from "../../src/runs/lookUntil.ts"
import { notifyAndPoll } from "../../src/runs/notifyAndPoll.ts"

/** Plays the effect on the test clock, for so many seconds. */
const during = <A, E>(seconds: number, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.zip(work, Clock.currentTimeMillis))
    yield* TestClock.adjust(`${seconds} seconds`)
    return yield* Fiber.join(fiber)
  })

describe("looking for what a partner sends", () => {
  it.effect("looks at once, then every second, and answers what it finds", () =>
    Effect.gen(function* () {
      let looks = 0
      const look = Effect.sync(() => (++looks === 4 ? "found" : undefined))
      const [found, at] = yield* during(60, lookUntil({ millis: 30_000, look, rest: Effect.sleep }))
      assert.deepStrictEqual([found, at], ["found", 3000])
    })
  )

  it.effect("ends at its time, the last rest cut short, or when there is no use in waiting", () =>
    Effect.gen(function* () {
      const look = Effect.succeed(undefined)
      const [none, at] = yield* during(60, lookUntil({ millis: 2500, look, rest: Effect.sleep }))
      assert.deepStrictEqual([none, at], [undefined, 2500])
      const [, stopped] = yield* during(
        60,
        lookUntil({ millis: 2500, look, rest: Effect.sleep, isOver: () => true })
      )
      assert.strictEqual(stopped, 60_000)
    })
  )
})

describe("asking the process that works on a run", () => {
  it.effect("notifies once a second, and gives up after five", () =>
    Effect.gen(function* () {
      let notified = 0
      const notify = Effect.sync(() => {
        notified += 1
        return Option.none()
      })
      const [answer, at] = yield* during(60, notifyAndPoll(notify, Effect.succeedNone))
      assert.deepStrictEqual([answer, at, notified], [Option.none(), 5000, 5])
    })
  )

  it.effect("answers as soon as it shows, or what the notification itself brings", () =>
    Effect.gen(function* () {
      const look = Effect.map(Clock.currentTimeMillis, (now) =>
        now >= 150 ? Option.some("seen") : Option.none()
      )
      const [seen, at] = yield* during(1, notifyAndPoll(Effect.succeedNone, look))
      assert.deepStrictEqual([seen, at], [Option.some("seen"), 150])
      const [brought] = yield* during(1, notifyAndPoll(Effect.succeedSome("taken"), Effect.succeedNone))
      assert.deepStrictEqual(brought, Option.some("taken"))
    })
  )
})
