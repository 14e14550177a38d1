/** Calls of partners that we cannot serve. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import { DatabaseDown, isDatabaseDown } from "../../src/store/DatabaseDown.ts"
import { PartyStore } from "../../src/store/PartyStore.ts"
import { RefusedCalls } from "../../src/store/RefusedCalls.ts"
import { ask, roomLayer } from "./fixtures.ts"

/** A call while looking up its token dies of that; how it ended, and how often it was noted. */
const callWhile = (defect: unknown) =>
  Effect.gen(function* () {
    let noted = 0
    const refusedCalls = Layer.succeed(
      RefusedCalls,
      RefusedCalls.of({
        note: Effect.sync(() => {
          noted += 1
        }),
        lastSince: () => Effect.succeedNone
      })
    )
    const exit = yield* Effect.gen(function* () {
      const store = yield* PartyStore
      Object.assign(store, { findByToken: () => Effect.die(defect) })
      return yield* Effect.exit(ask({ path: "2.2.1/sessions", token: "some-token-0123456789" }))
    }).pipe(Effect.provide(Layer.provideMerge(roomLayer("http://ours.test"), refusedCalls)))
    return { exit, noted }
  })

describe("a call that we cannot serve", () => {
  it.effect("is left to the server to refuse while the database is away, and is remembered", () =>
    Effect.gen(function* () {
      const { exit, noted } = yield* callWhile(new DatabaseDown({ message: "away" }))
      assert.isTrue(Option.exists(Exit.causeOption(exit), isDatabaseDown))
      assert.strictEqual(noted, 1)
    })
  )
  it.effect("is answered as our fault when we break, and is remembered", () =>
    Effect.gen(function* () {
      const { exit, noted } = yield* callWhile(new Error("a bug"))
      assert.strictEqual(Exit.isSuccess(exit) ? exit.value.http : 0, 500)
      assert.strictEqual(noted, 1)
    })
  )
})
