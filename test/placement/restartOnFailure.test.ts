import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { restartOnFailure } from "../../src/placement/shards/restartOnFailure.ts"

describe("work that lasts", () => {
  it.effect("begins again a minute after it has failed or died, and ends when it is done", () =>
    Effect.gen(function* () {
      let begun = 0
      const work = Effect.suspend(() => {
        begun += 1
        return begun === 1
          ? Effect.fail("once")
          : begun === 2
            ? Effect.die("once more")
            : Effect.succeed("done")
      })
      const fiber = yield* Effect.fork(restartOnFailure("test", work))
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(begun, 1)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(begun, 2)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.strictEqual(begun, 3)
    })
  )

  it.effect("does not begin again where it was interrupted", () =>
    Effect.gen(function* () {
      let begun = 0
      const fiber = yield* Effect.fork(
        restartOnFailure(
          "test",
          Effect.zipRight(
            Effect.sync(() => begun++),
            Effect.never
          )
        )
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(begun, 1)
    })
  )
})
