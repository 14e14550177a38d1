import { it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Stream, TestClock } from "effect"
import { assert, describe } from "vitest"
import { RunId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { Feed } from "../../src/ledger/feed/feed.ts"
import { askAndFollow } from "../../src/runs/askAndFollow.ts"
import { pollUntil } from "../../src/runs/pollUntil.ts"

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
      const poll = Effect.sync(() => (++looks === 4 ? "found" : undefined))
      const [found, at] = yield* during(60, pollUntil({ millis: 30_000, poll, sleep: Effect.sleep }))
      assert.deepStrictEqual([found, at], ["found", 3000])
    })
  )

  it.effect("looks as rarely as it is told to where something wakes it", () =>
    Effect.gen(function* () {
      let looks = 0
      const poll = Effect.sync(() => (++looks === 3 ? "found" : undefined))
      const wait = { millis: 600_000, everyMillis: () => 60_000, poll, sleep: Effect.sleep }
      assert.deepStrictEqual(yield* during(600, pollUntil(wait)), ["found", 120_000])
    })
  )

  it.live("does not count time in which this process was suspended, also in the middle of a long rest", () =>
    Effect.gen(function* () {
      const block = Effect.sync(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500))
      const wait = {
        millis: 4000,
        everyMillis: () => 60_000,
        poll: Effect.succeed(undefined),
        sleep: Effect.sleep
      }
      const waiting = yield* Effect.fork(pollUntil(wait))
      const began = performance.now()
      yield* Effect.sleep("200 millis")
      yield* block
      yield* Fiber.join(waiting)
      assert.isAtLeast(performance.now() - began, 4000 + 1000)
    })
  )

  it.effect("ends at its time, the last rest cut short, or when there is no use in waiting", () =>
    Effect.gen(function* () {
      const poll = Effect.succeed(undefined)
      const [none, at] = yield* during(60, pollUntil({ millis: 2500, poll, sleep: Effect.sleep }))
      assert.deepStrictEqual([none, at], [undefined, 2500])
      const [, stopped] = yield* during(
        60,
        pollUntil({ millis: 2500, poll, sleep: Effect.sleep, isOver: () => true })
      )
      assert.strictEqual(stopped, 60_000)
    })
  )
})

describe("asking the process that works on a run", () => {
  const asked = <A>(
    ask: Effect.Effect<Option.Option<A>>,
    look: Effect.Effect<Option.Option<A>>,
    events: Stream.Stream<LedgerEvent> = Stream.never
  ) =>
    askAndFollow({ runId: RunId.make("run_1"), after: 0, ask, look }).pipe(
      Effect.provide(Layer.mock(Feed, { follow: () => events }))
    )

  it.effect("asks four times a second, and gives up after five seconds", () =>
    Effect.gen(function* () {
      let times = 0
      const ask = Effect.sync(() => {
        times += 1
        return Option.none()
      })
      const [answer, at] = yield* during(60, asked(ask, Effect.succeedNone))
      assert.deepStrictEqual([answer, at], [Option.none(), 5000])
      assert.isTrue(times === 20 || times === 21)
    })
  )

  it.effect("answers what an event of the run shows, or what the asking itself brings", () =>
    Effect.gen(function* () {
      const event = { sequence: 1, type: "run.started", occurredAt: "", assertions: [], machine: null }
      const later = Stream.fromEffect(
        Effect.delay(Effect.succeed(event as unknown as LedgerEvent), "150 millis")
      )
      const look = Effect.succeedSome("seen")
      const [seen, at] = yield* during(1, asked(Effect.succeedNone, look, Stream.concat(later, Stream.never)))
      assert.deepStrictEqual([seen, at], [Option.some("seen"), 150])
      const [brought] = yield* during(1, asked(Effect.succeedSome("taken"), Effect.succeedNone))
      assert.deepStrictEqual(brought, Option.some("taken"))
    })
  )
})
