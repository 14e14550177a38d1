import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import { allScopes } from "../../schema/Account.ts"
import { OwnerId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { KeyStore } from "../../src/store/accounts/KeyStore.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const order = { name: "ci", scopes: ["read", "run"] as const, expiresAt: null }

layer(KeyStore.layer({ defaultPlan: "unlimited" }).pipe(Layer.provideMerge(TestDatabase)))(
  "KeyStore",
  (it) => {
    it.effect("knows who calls with a key it made, and nobody by a key like it", () =>
      Effect.gen(function* () {
        const { account, create, findByKey } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const { key, view } = yield* create({ ...order, ownerId })
        assert.deepStrictEqual(
          yield* findByKey(key),
          Option.some({ ownerId, keyId: view._id, scopes: ["read", "run"], plan: "unlimited" })
        )
        assert.deepStrictEqual(yield* findByKey(Redacted.make(`${Redacted.value(key)}x`)), Option.none())
      })
    )

    it.effect("stores nothing that a key could be made from", () =>
      Effect.gen(function* () {
        const { account, create } = yield* KeyStore
        const { query } = yield* Database
        const { key, view } = yield* create({ ...order, ownerId: (yield* account("default")).ownerId })
        const rows = yield* query({
          text: "SELECT k::text AS text FROM api_key k WHERE id = $1",
          values: [view._id]
        })
        assert.notInclude(JSON.stringify(rows), Redacted.value(key).slice(12, -4))
        assert.strictEqual(view.prefix, Redacted.value(key).slice(0, 12))
        assert.strictEqual(view.last4, Redacted.value(key).slice(-4))
      })
    )

    it.effect("refuses a revoked key at once, also when it was just used", () =>
      Effect.gen(function* () {
        const { account, create, findByKey, revoke } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const { key, view } = yield* create({ ...order, ownerId })
        assert.isTrue(Option.isSome(yield* findByKey(key)))
        assert.isTrue(Option.isSome(yield* revoke(ownerId, view._id)))
        assert.deepStrictEqual(yield* findByKey(key), Option.none())
      })
    )

    it.effect("refuses a key from its end on, though it was remembered", () =>
      Effect.gen(function* () {
        const { account, create, findByKey } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const { key } = yield* create({ ...order, ownerId, expiresAt: "2100-01-01T00:00:00.000Z" })
        yield* TestClock.setTime(Date.parse("2099-12-31T23:59:59Z"))
        assert.isTrue(Option.isSome(yield* findByKey(key)))
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* findByKey(key), Option.none())
      })
    )

    it.effect("brings the end of a key nearer, never further", () =>
      Effect.gen(function* () {
        const { account, create, expire } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const { view } = yield* create({ ...order, ownerId })
        const ends = (at: string) =>
          Effect.map(
            expire(ownerId, view._id, at),
            Option.map(({ expiresAt }) => expiresAt)
          )
        assert.deepStrictEqual(
          yield* ends("2031-01-01T00:00:00.000Z"),
          Option.some("2031-01-01T00:00:00.000Z")
        )
        assert.deepStrictEqual(
          yield* ends("2032-01-01T00:00:00.000Z"),
          Option.some("2031-01-01T00:00:00.000Z")
        )
      })
    )

    it.effect("shows and revokes an owner's own keys only", () =>
      Effect.gen(function* () {
        const { account, create, find, list, revoke } = yield* KeyStore
        const one = (yield* account("one")).ownerId
        const other = (yield* account("other")).ownerId
        const { view } = yield* create({ ...order, ownerId: one })
        assert.deepStrictEqual(
          (yield* list(one)).map(({ _id }) => _id),
          [view._id]
        )
        assert.deepStrictEqual(yield* list(other), [])
        assert.deepStrictEqual(yield* find(other, view._id), Option.none())
        assert.deepStrictEqual(yield* revoke(other, view._id), Option.none())
        assert.deepStrictEqual(yield* find(OwnerId.make(one), `${view._id}\0`), Option.none())
      })
    )

    it.effect("notes the use of a key", () =>
      Effect.gen(function* () {
        const { account, create, find, findByKey } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const { key, view } = yield* create({ ...order, ownerId })
        assert.isNull(view.lastUsedAt)
        yield* findByKey(key)
        assert.isNotNull(Option.getOrThrow(yield* find(ownerId, view._id)).lastUsedAt)
      })
    )

    it.effect("accepts the operator's own key word for word, with all scopes, and makes it once", () =>
      Effect.gen(function* () {
        const { account, ensureBootstrap, findByKey, list } = yield* KeyStore
        const key = Redacted.make("just-any-old-text")
        assert.deepStrictEqual(yield* findByKey(key), Option.none())
        yield* Effect.all([ensureBootstrap(key), ensureBootstrap(key)], { concurrency: 2 })
        const { ownerId } = yield* account("default")
        const caller = Option.getOrThrow(yield* findByKey(key))
        assert.deepStrictEqual([caller.ownerId, caller.scopes], [ownerId, allScopes])
        assert.lengthOf(
          (yield* list(ownerId)).filter(({ name }) => name === "bootstrap"),
          1
        )
      })
    )

    it.effect("keeps the operator's own key revoked or expired, however often it is told of it", () =>
      Effect.gen(function* () {
        const { account, ensureBootstrap, expire, find, findByKey, revoke } = yield* KeyStore
        const { ownerId } = yield* account("default")
        const revoked = Redacted.make("operator-text-that-is-revoked")
        const expired = Redacted.make("operator-text-that-has-expired")
        const first = yield* ensureBootstrap(revoked)
        const second = yield* ensureBootstrap(expired)
        assert.isTrue(Option.isSome(yield* findByKey(revoked)))
        assert.isTrue(Option.isSome(yield* findByKey(expired)))
        yield* revoke(ownerId, first._id)
        yield* expire(ownerId, second._id, "2020-01-01T00:00:00.000Z")
        for (let starts = 0; starts < 2; starts++) {
          assert.isNotNull((yield* ensureBootstrap(revoked)).revokedAt)
          assert.strictEqual((yield* ensureBootstrap(expired)).expiresAt, "2020-01-01T00:00:00.000Z")
          assert.deepStrictEqual(yield* findByKey(revoked), Option.none())
          assert.deepStrictEqual(yield* findByKey(expired), Option.none())
        }
        assert.isNotNull(Option.getOrThrow(yield* find(ownerId, first._id)).revokedAt)
      })
    )

    it.effect("brings no key back to life whose text the operator sets later", () =>
      Effect.gen(function* () {
        const { account, create, ensureBootstrap, findByKey, revoke } = yield* KeyStore
        const { ownerId } = yield* account("another")
        const { key, view } = yield* create({ ...order, ownerId })
        yield* revoke(ownerId, view._id)
        assert.strictEqual((yield* ensureBootstrap(key))._id, view._id)
        assert.deepStrictEqual(yield* findByKey(key), Option.none())
      })
    )
  }
)

layer(
  KeyStore.layer({ defaultPlan: "sandbox", accounts: { rich: "automate" } }).pipe(
    Layer.provideMerge(TestDatabase)
  )
)("KeyStore with plans by account", (it) => {
  it.effect("gives an account the plan of its row, else that of its name, else the default", () =>
    Effect.gen(function* () {
      const { account, create, findByKey, owner } = yield* KeyStore
      const { query } = yield* Database
      const planOf = Effect.fn(function* (name: string) {
        const { ownerId } = yield* account(name)
        const { key } = yield* create({ ...order, ownerId })
        const caller = Option.getOrThrow(yield* findByKey(key))
        assert.strictEqual(Option.getOrThrow(yield* owner(ownerId)).plan, caller.plan)
        return caller.plan
      })
      yield* account("special")
      yield* query({ text: "UPDATE owner SET plan = 'integrate' WHERE account = 'special'" })
      assert.strictEqual(yield* planOf("rich"), "automate")
      assert.strictEqual(yield* planOf("default"), "sandbox")
      assert.strictEqual(yield* planOf("constructor"), "sandbox")
      assert.strictEqual(yield* planOf("special"), "integrate")
    })
  )
})
