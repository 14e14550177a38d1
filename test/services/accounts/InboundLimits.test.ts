import { assert, layer } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { InboundLimits } from "../../../src/services/accounts/InboundLimits.ts"
import { defaultLimits, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { BucketStore } from "../../../src/store/accounts/BucketStore.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const limits = {
  ...defaultLimits,
  partnerCalls: 50,
  partnerKilobytes: 100,
  accountCalls: 80,
  accountKilobytes: 150
}
/** Those of one process. */
const aProcess = Layer.fresh(
  InboundLimits.layer.pipe(
    Layer.provideMerge(RateLimits.layer(limits)),
    Layer.provide(Layer.mergeAll(BucketStore.layer, Locks.layer))
  )
)
const party = (owner: string, id: string) => ({ ownerId: OwnerId.make(owner), id: PartyId.make(id) })

const allowed = (tries: ReadonlyArray<Either.Either<void, unknown>>) => tries.filter(Either.isRight).length

layer(TestDatabase, { excludeTestServices: true })("limits of partners", (it) => {
  it.scoped("are one for all processes: calls a connection, and calls an account", () =>
    Effect.gen(function* () {
      const here = yield* Layer.build(aProcess)
      const there = yield* Layer.build(aProcess)
      const call = (of: ReturnType<typeof party>, count: number) =>
        Effect.forEach(Array.from({ length: count }), (_, index) =>
          Effect.flatMap(InboundLimits, (found) => Effect.either(found.call(of))).pipe(
            Effect.provide(index % 2 === 0 ? here : there)
          )
        )
      const began = performance.now()
      /** What a bucket of that size has got since then, and two of rounding. */
      const refilled = (limit: number) => Math.ceil(((performance.now() - began) / 60_000) * limit) + 2
      const first = yield* call(party("own_calls", "conn_1"), 70)
      assert.isAtMost(allowed(first), limits.partnerCalls + refilled(limits.partnerCalls))
      assert.isAtLeast(allowed(first), 45)
      const refused = first.find(Either.isLeft)
      assert.match(String((refused as any)?.left.message), /50 requests a minute a connection/)
      const second = yield* call(party("own_calls", "conn_2"), 50)
      // What is left of the account, and what one process has in stock may be missing.
      assert.isAtMost(allowed(first) + allowed(second), limits.accountCalls + refilled(limits.accountCalls))
      assert.isAtLeast(allowed(second), 20)
      const other = yield* call(party("own_other", "conn_3"), 10)
      assert.strictEqual(allowed(other), 10)
      const used = yield* Effect.flatMap(InboundLimits, (found) =>
        found.used(OwnerId.make("own_other"))
      ).pipe(Effect.provide(here))
      assert.isAtLeast(used.calls, 8)
    })
  )

  it.scoped(
    "let no body in that is beyond the budget, and one that is larger than all of it when it is full",
    () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(aProcess)
        const { bytes } = yield* Effect.provide(InboundLimits, context)
        const sent = (of: ReturnType<typeof party>, size: number) => Effect.either(bytes(of, size))
        const one = party("own_bytes", "conn_bytes")
        assert.isTrue(Either.isRight(yield* sent(one, 60 * 1024)))
        const refused = yield* Effect.flip(bytes(one, 60 * 1024))
        assert.strictEqual(refused.httpStatus, 429)
        assert.isAtLeast(refused.retryAfterSeconds, 5)
        assert.isTrue(Either.isRight(yield* sent(one, 10 * 1024)), "a small one still fits")
        assert.isTrue(Either.isRight(yield* sent(one, 0)))
        assert.isTrue(Either.isRight(yield* sent(party("own_large", "conn_large"), 1024 * 1024)))
        assert.isTrue(Either.isLeft(yield* sent(party("own_large", "conn_large"), 60 * 1024)))
      })
  )
})
