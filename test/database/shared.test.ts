import { it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
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
})
