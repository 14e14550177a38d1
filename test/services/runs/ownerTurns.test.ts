/** Long work of an account, one at a time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import { makeOwnerTurns } from "../../../src/services/runs/ownerTurns.ts"

const [alice, bob] = [OwnerId.make("alice"), OwnerId.make("bob")]

describe("turns of accounts", () => {
  it.live("do one work of an account at a time, and let no other account wait for it", () =>
    Effect.gen(function* () {
      const inTurn = makeOwnerTurns()
      let open = 0
      let most = 0
      let done = 0
      const work = Effect.acquireUseRelease(
        Effect.sync(() => {
          open += 1
          most = Math.max(most, open)
        }),
        () => Effect.sleep("20 millis"),
        () =>
          Effect.sync(() => {
            open -= 1
            done += 1
          })
      )
      const all = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 6 }), () => inTurn(alice, work), { concurrency: "unbounded" })
      )
      yield* Effect.sleep("5 millis")
      yield* inTurn(bob, Effect.void)
      assert.isBelow(done, 6)
      yield* Fiber.join(all)
      assert.strictEqual(most, 1)
    })
  )

  it.live("go on after a work that failed or was interrupted", () =>
    Effect.gen(function* () {
      const inTurn = makeOwnerTurns()
      yield* Effect.exit(inTurn(alice, Effect.die("broken")))
      const stuck = yield* Effect.fork(inTurn(alice, Effect.never))
      yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(stuck)
      assert.strictEqual(yield* inTurn(alice, Effect.succeed(1)), 1)
    })
  )
})
