import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Database } from "../../src/store/Database.ts"
import { RefusedCalls } from "../../src/store/RefusedCalls.ts"
import { TestDatabase } from "../TestDatabase.ts"

it.scopedLive("calls that were turned away are known in every process, from then on and not before", () =>
  Effect.gen(function* () {
    const before = new Date(Date.now() - 1000).toISOString()
    const { lastSince, note } = yield* RefusedCalls
    assert.isTrue(Option.isNone(yield* lastSince(before)))
    yield* note
    const here = yield* lastSince(before)
    const { query } = yield* Database
    for (let rows = 0; rows === 0; ) {
      rows = (yield* query({ text: "SELECT 1 FROM refused_call" })).length
      yield* Effect.sleep("20 millis")
    }
    const elsewhere = yield* Effect.provide(
      Effect.flatMap(RefusedCalls, (other) => other.lastSince(before)),
      Layer.fresh(RefusedCalls.layer)
    )
    assert.isTrue(Option.isSome(here))
    assert.deepStrictEqual(elsewhere, here)
    assert.isTrue(Option.isNone(yield* lastSince(Option.getOrThrow(here))))
  }).pipe(Effect.provide(RefusedCalls.layer), Effect.provide(TestDatabase))
)
