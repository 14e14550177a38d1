import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { nameCell, newId, newIdBody, preferRuns } from "../../src/database/newId.ts"
import { isApiKey, makeApiKey } from "../../src/store/secrets/apiKey.ts"

const key = Effect.map(makeApiKey, Redacted.value)

describe("the text of an API key", () => {
  it.effect("is a prefix, 33 random characters and 6 of checksum", () =>
    Effect.gen(function* () {
      assert.match(yield* key, /^pf_live_[0-9A-Za-z]{39}$/)
    })
  )

  it.effect("is accepted by its own checksum", () =>
    Effect.gen(function* () {
      for (let made = 0; made < 100; made++) assert.isTrue(isApiKey(yield* key))
    })
  )

  it.effect("betrays one wrong character anywhere", () =>
    Effect.gen(function* () {
      const text = yield* key
      for (let at = 0; at < text.length; at++) {
        const other = text[at] === "x" ? "y" : "x"
        assert.isFalse(isApiKey(text.slice(0, at) + other + text.slice(at + 1)), `position ${at}`)
      }
    })
  )

  it("is hardly ever hit by chance", () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isApiKey(`pf_live_${text}`)))
  })
})

describe("newId", () => {
  it.effect("makes ids that sort by the time they were made, also within a millisecond", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.all(Array.from({ length: 10_000 }, () => newId("run")))
      assert.deepStrictEqual([...ids].sort(), ids)
      assert.strictEqual(new Set(ids).size, ids.length)
    })
  )

  it.effect(
    "spells the cell and a UUIDv7 after the prefix of its kind, and sorts after ids without a cell",
    () =>
      Effect.gen(function* () {
        assert.match(yield* newId("connection"), /^conn_a[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
        assert.isTrue((yield* newId("run")) > "run_0fffffffffff7fffbfffffffffffffff")
        nameCell("q")
        assert.match(yield* newIdBody, /^q[0-9a-f]{32}$/)
        nameCell("a")
      })
  )

  it.effect("gives runs ids that suit this process, as far as there are such, until it ends", () =>
    Effect.gen(function* () {
      const even = (idBody: string) => Number.parseInt(idBody.at(-1)!, 16) % 2 === 0
      const many = (kind: "run" | "connection") =>
        Effect.map(
          Effect.all(Array.from({ length: 40 }, () => newId(kind))),
          (ids) => ids.filter(even).length
        )
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* preferRuns(even)
          assert.strictEqual(yield* many("run"), 40)
          assert.isTrue(even(yield* newIdBody))
          assert.isBelow(yield* many("connection"), 40)
          yield* preferRuns(() => false)
          assert.match(yield* newId("run"), /^run_a/)
        })
      )
      assert.isBelow(yield* many("run"), 40)
    })
  )
})
