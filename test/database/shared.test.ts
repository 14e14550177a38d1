import { it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, TestClock } from "effect"
import { assert, describe } from "vitest"
import { shared, sharedFor, sharedLookup } from "../../src/database/shared.ts"

/** Each way to share a work, as one that can be asked for. */
const ways = {
  shared,
  sharedFor: (work: Effect.Effect<string>) => sharedFor(work, "1 minute"),
  sharedLookup: (work: Effect.Effect<string>) =>
    Effect.map(
      sharedLookup({ capacity: 10, timeToLive: () => Duration.minutes(1), lookup: () => work }),
      ({ get }) => get("key")
    )
}

describe("shared work", () => {
  for (const [name, way] of Object.entries(ways)) {
    it.effect(`${name}: who leaves takes nobody along, not even the first`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        let times = 0
        const work = Effect.gen(function* () {
          times += 1
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(go)
          return "done"
        })
        const ask = yield* way(work)
        const first = yield* Effect.fork(ask)
        yield* Deferred.await(begun)
        const others = yield* Effect.forEach([1, 2, 3], () => Effect.fork(ask))
        yield* Fiber.interruptFork(first)
        yield* Effect.yieldNow()
        yield* Deferred.succeed(go, undefined)
        const exits = yield* Effect.forEach(others, Fiber.await)
        assert.deepStrictEqual(
          exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : String(exit))),
          ["done", "done", "done"]
        )
        assert.strictEqual(yield* ask, "done")
        assert.strictEqual(times, 1)
      })
    )

    it.live(`${name}: a time limit of the work holds`, () =>
      Effect.gen(function* () {
        const ask = yield* way(
          Effect.never.pipe(
            Effect.timeoutTo({ duration: "20 millis", onSuccess: () => "", onTimeout: () => "late" })
          )
        )
        assert.strictEqual(yield* ask, "late")
      })
    )
  }

  it.effect("sharedLookup: is known at once while it keeps, and until it is invalidated", () =>
    Effect.gen(function* () {
      let times = 0
      const { get, getAtOnce, invalidate } = yield* sharedLookup({
        capacity: 2,
        timeToLive: () => Duration.seconds(5),
        lookup: (key: string) => Effect.sync(() => `${key} ${++times}`)
      })
      assert.isUndefined(getAtOnce("a"))
      yield* get("a")
      yield* TestClock.adjust("4 seconds")
      // To ask again does not make it keep longer.
      assert.strictEqual(yield* get("a"), "a 1")
      assert.strictEqual(getAtOnce("a"), "a 1")
      yield* TestClock.adjust("2 seconds")
      assert.isUndefined(getAtOnce("a"))
      yield* get("a")
      yield* invalidate("a")
      assert.isUndefined(getAtOnce("a"))
      for (const key of ["a", "b", "c"]) yield* get(key)
      assert.deepStrictEqual(["a", "b", "c"].map(getAtOnce), [undefined, "b 4", "c 5"])
    })
  )

  it.effect("sharedLookup: what was looked up before an invalidation is not known at once after it", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const { get, getAtOnce, invalidate } = yield* sharedLookup({
        capacity: 2,
        timeToLive: () => Duration.seconds(5),
        lookup: (key: string) => Effect.as(Deferred.await(go), key)
      })
      const asking = yield* Effect.fork(get("a"))
      yield* Effect.yieldNow()
      yield* invalidate("a")
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(asking)
      assert.isUndefined(getAtOnce("a"))
    })
  )
})
