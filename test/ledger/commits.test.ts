import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { makeCommits } from "../../src/ledger/commits.ts"

describe("a listener to commits that throws", () => {
  it.scoped("is logged, and the others are told", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const { onCommit, tell } = makeCommits()
      let heard = 0
      for (const name of ["one", "another"]) {
        yield* onCommit(() => {
          throw new Error(`${name} throws on purpose`)
        })
        yield* onCommit(() => {
          heard += 1
        })
      }
      const collecting = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ cause }) => void logged.push(Cause.pretty(cause)))
      )
      yield* Effect.provide(tell([]), collecting)
      assert.strictEqual(heard, 2)
      assert.lengthOf(logged, 1)
      assert.include(logged[0], "one throws on purpose")
      assert.include(logged[0], "another throws on purpose")
    })
  )
})
