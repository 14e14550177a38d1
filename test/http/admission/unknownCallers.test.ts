import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { makeUnknownCallers } from "../../../src/http/admission/unknownCallers.ts"

describe("unknownCallers", () => {
  it.effect("have so many requests a minute an address, and get new ones evenly", () =>
    Effect.gen(function* () {
      const { count, isExhausted } = makeUnknownCallers(60)
      yield* Effect.replicateEffect(count("1.2.3.4"), 60)
      assert.isTrue(isExhausted("1.2.3.4"))
      const refused = yield* Effect.flip(count("1.2.3.4"))
      assert.strictEqual(refused.httpStatus, 429)
      assert.strictEqual(refused.retryAfterSeconds, 1)
      yield* count("5.6.7.8")
      assert.isFalse(isExhausted("5.6.7.8"))
      yield* TestClock.adjust("2 seconds")
      yield* count("1.2.3.4")
      yield* count("1.2.3.4")
      assert.isTrue(Either.isLeft(yield* Effect.either(count("1.2.3.4"))))
    })
  )

  it.effect("are forgotten, those seen longest ago first, before they fill the memory", () =>
    Effect.gen(function* () {
      const { count, isExhausted } = makeUnknownCallers(1)
      yield* count("first")
      yield* Effect.forEach(Array.from({ length: 9_999 }), (_, index) => count(`a${index}`))
      assert.isTrue(isExhausted("first"))
      yield* count("one more")
      assert.isFalse(isExhausted("first"))
      assert.isTrue(isExhausted("a0"))
    })
  )
})
