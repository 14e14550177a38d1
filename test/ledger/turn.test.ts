import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeTurn } from "../../src/ledger/run/turn.ts"

/** Work that notes its name when it begins, and ends when it is let go. */
const stepsOf = () => {
  const turn = makeTurn()
  const begun: Array<string> = []
  const work = (name: string) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void, string>()
      const fiber = yield* turn
        .inTurn(
          Effect.suspend(() => {
            begun.push(name)
            return Deferred.await(end)
          })
        )
        .pipe(Effect.fork)
      yield* Effect.yieldNow()
      return { fiber, end }
    })
  return { begun, turn, work }
}

const settled = Effect.repeatN(Effect.yieldNow(), 20)

describe("a turn", () => {
  it.effect("is passed on in the order of asking", () =>
    Effect.gen(function* () {
      const { begun, work } = stepsOf()
      const [a, b, c] = [yield* work("a"), yield* work("b"), yield* work("c")]
      assert.deepStrictEqual(begun, ["a"])
      yield* Deferred.succeed(a.end, undefined)
      yield* settled
      assert.deepStrictEqual(begun, ["a", "b"])
      yield* Deferred.succeed(b.end, undefined)
      yield* Deferred.succeed(c.end, undefined)
      yield* Fiber.join(c.fiber)
      assert.deepStrictEqual(begun, ["a", "b", "c"])
    })
  )

  it.effect("is passed on by work that fails, and by work that is interrupted", () =>
    Effect.gen(function* () {
      const { begun, work } = stepsOf()
      const [a, b, c] = [yield* work("a"), yield* work("b"), yield* work("c")]
      yield* Deferred.fail(a.end, "no")
      assert.deepStrictEqual(yield* Fiber.await(a.fiber), Exit.fail("no"))
      yield* settled
      yield* Fiber.interrupt(b.fiber)
      yield* settled
      assert.deepStrictEqual(begun, ["a", "b", "c"])
      yield* Deferred.succeed(c.end, undefined)
      yield* Fiber.join(c.fiber)
    })
  )

  it.effect("skips who waits no longer", () =>
    Effect.gen(function* () {
      const { begun, work } = stepsOf()
      const [a, b, c] = [yield* work("a"), yield* work("b"), yield* work("c")]
      yield* Fiber.interrupt(b.fiber)
      yield* Deferred.succeed(a.end, undefined)
      yield* settled
      assert.deepStrictEqual(begun, ["a", "c"])
      yield* Deferred.succeed(c.end, undefined)
      yield* Fiber.join(c.fiber)
    })
  )

  it.effect("is not lost if who waits is interrupted as it gets the turn", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 50; round++) {
        const { begun, turn, work } = stepsOf()
        const [a, b] = [yield* work("a"), yield* work("b")]
        yield* Deferred.succeed(a.end, undefined)
        for (let step = 0; step < round; step++) yield* Effect.yieldNow()
        yield* Fiber.interruptFork(b.fiber)
        yield* Fiber.await(b.fiber)
        yield* turn.inTurn(Effect.sync(() => begun.push("last")))
        assert.strictEqual(begun.at(-1), "last")
      }
    })
  )
})
