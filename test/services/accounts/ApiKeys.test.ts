import { assert, layer } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import type { Scope } from "../../../schema/Account.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { ApiKeys } from "../../../src/services/accounts/ApiKeys.ts"
import { maxKeys, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { BucketStore } from "../../../src/store/accounts/BucketStore.ts"
import { KeyStore } from "../../../src/store/accounts/KeyStore.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const stores = Layer.mergeAll(KeyStore.layer({ defaultPlan: "unlimited" }), BucketStore.layer, Locks.layer)
const keys = ApiKeys.layer.pipe(
  Layer.provide(RateLimits.layer()),
  Layer.provideMerge(stores),
  Layer.provideMerge(TestDatabase)
)

/** The service for an account of the test's own, with one key of these scopes. */
const ofAccount = (name: string, scopes: ReadonlyArray<Scope> = ["read", "run"]) =>
  Effect.gen(function* () {
    const service = yield* ApiKeys
    const { ownerId } = yield* service.account(name)
    const { key, view } = yield* service.create(ownerId, { name: "first", scopes })
    return { ...service, key, ownerId, view }
  })

layer(keys, { excludeTestServices: true })("API keys", (it) => {
  it.effect("give no scope that their maker has not", () =>
    Effect.gen(function* () {
      const { create, ownerId } = yield* ofAccount("scopes")
      const order = { name: "more", scopes: ["read", "connections:write"] as const }
      const error = yield* Effect.flip(create(ownerId, order, ["read", "keys:write"]))
      assert.strictEqual(error._tag, "Forbidden")
      assert.match(error.message, /"connections:write"/)
    })
  )

  it.effect("of larger scope are not rolled by a smaller one: its secret would be shown", () =>
    Effect.gen(function* () {
      const { authenticate, key, ownerId, roll, view } = yield* ofAccount("roll-scopes")
      const error = yield* Effect.flip(roll(ownerId, view._id, 0, ["read", "keys:write"]))
      assert.strictEqual(error._tag, "Forbidden")
      assert.isTrue(Either.isRight(yield* Effect.either(authenticate(key))))
    })
  )

  it.effect("are rolled with an overlap: both are good, and the old one has an end", () =>
    Effect.gen(function* () {
      const { authenticate, key, list, ownerId, roll, view } = yield* ofAccount("overlap")
      const before = Date.now()
      const rolled = yield* roll(ownerId, view._id, 2)
      assert.deepInclude(rolled.view, { name: "first", scopes: ["read", "run"], expiresAt: null })
      assert.strictEqual((yield* authenticate(rolled.key)).keyId, rolled.view._id)
      assert.strictEqual((yield* authenticate(key)).keyId, view._id)
      const old = (yield* list(ownerId)).find(({ _id }) => _id === view._id)
      assert.approximately(Date.parse(old?.expiresAt ?? "") - before, 2 * 86_400_000, 60_000)
    })
  )

  it.effect("are rolled without one: the old key is refused at once", () =>
    Effect.gen(function* () {
      const { authenticate, key, ownerId, roll, view } = yield* ofAccount("no-overlap")
      assert.isTrue(Either.isRight(yield* Effect.either(authenticate(key))))
      yield* roll(ownerId, view._id, 0)
      assert.isTrue(Either.isLeft(yield* Effect.either(authenticate(key))))
      assert.strictEqual((yield* Effect.flip(roll(ownerId, view._id, 0)))._tag, "Conflict")
    })
  )

  it.effect("are nobody else's: not listed, rolled or revoked by another account", () =>
    Effect.gen(function* () {
      const mine = yield* ofAccount("mine")
      const { list, ownerId, revoke, roll } = yield* ofAccount("theirs")
      assert.strictEqual((yield* Effect.flip(roll(ownerId, mine.view._id, 0)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(revoke(ownerId, mine.view._id)))._tag, "NotFound")
      assert.notInclude(
        (yield* list(ownerId)).map(({ _id }) => _id),
        mine.view._id
      )
    })
  )

  it.effect(`are at most ${maxKeys} that are good, also when many are made at once`, () =>
    Effect.gen(function* () {
      const { create, ownerId, revoke, view } = yield* ofAccount("many")
      const one = create(ownerId, { name: "more", scopes: ["read"] })
      const made = yield* Effect.all(
        Array.from({ length: maxKeys + 3 }, () => Effect.either(one)),
        { concurrency: 8 }
      )
      assert.lengthOf(made.filter(Either.isRight), maxKeys - 1)
      assert.strictEqual((yield* Effect.flip(one))._tag, "TooMany")
      yield* revoke(ownerId, view._id)
      assert.isTrue(Either.isRight(yield* Effect.either(one)))
    })
  )

  it.effect("that have ended are known as such, whatever ended them", () =>
    Effect.gen(function* () {
      const { create, ownerId, revoke, view } = yield* ofAccount("ended")
      const store = yield* KeyStore
      const good = yield* create(ownerId, { name: "good", scopes: ["read"], expiresInDays: 1 })
      const over = yield* create(ownerId, { name: "over", scopes: ["read"] })
      yield* store.expire(ownerId, over.view._id, "2026-01-01T00:00:00.000Z")
      yield* revoke(ownerId, view._id)
      assert.sameMembers(
        [...(yield* store.ended([good.view._id, over.view._id, view._id]))],
        [over.view._id, view._id]
      )
      assert.strictEqual(yield* store.countGood(ownerId), 1)
      assert.isTrue(Option.isSome(yield* store.findByKey(good.key)))
    })
  )
})
