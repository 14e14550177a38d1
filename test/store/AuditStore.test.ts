import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KeyId, OwnerId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { AuditStore } from "../../src/store/accounts/AuditStore.ts"
import { KeyStore } from "../../src/store/accounts/KeyStore.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const stores = Layer.mergeAll(AuditStore.layer, KeyStore.layer({ defaultPlan: "unlimited" }))
const mine = OwnerId.make("own_mine")
const entry = {
  ownerId: mine,
  keyId: KeyId.make("key_1"),
  action: "connections.create",
  target: null,
  status: null,
  result: null,
  requestId: "r",
  replay: false
}

layer(stores.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })("the audit log", (it) => {
  it.effect("keeps an entry without an outcome until it has one", () =>
    Effect.gen(function* () {
      const { end, insert, list } = yield* AuditStore
      yield* insert({ ...entry, id: "aud_1" })
      const [open] = yield* list(mine, { limit: 1 })
      assert.deepInclude(open, { _id: "aud_1", status: null, result: null })
      yield* end("aud_1", 201, "conn_1")
      const [over] = yield* list(mine, { limit: 1 })
      assert.deepInclude(over, { status: 201, result: "conn_1", action: "connections.create" })
    })
  )

  it.effect("tells an answer that was given again from what was done", () =>
    Effect.gen(function* () {
      const { insert, list } = yield* AuditStore
      const ownerId = OwnerId.make("own_replay")
      yield* insert({ ...entry, ownerId, id: "aud_r1" })
      yield* insert({ ...entry, ownerId, id: "aud_r2", status: 201, replay: true })
      const found = yield* list(ownerId, { limit: 9 })
      assert.deepStrictEqual(
        found.map(({ _id, replay }) => [_id, replay]),
        [
          ["aud_r2", true],
          ["aud_r1", false]
        ]
      )
    })
  )

  it.effect("pages newest first, for its owner alone, of one key or of all", () =>
    Effect.gen(function* () {
      const { insert, list } = yield* AuditStore
      const ownerId = OwnerId.make("own_pages")
      for (const id of ["aud_p1", "aud_p2", "aud_p3"]) yield* insert({ ...entry, ownerId, id })
      yield* insert({ ...entry, ownerId, id: "aud_p4", keyId: null })
      const ids = (page: { limit: number; cursor?: string; keyId?: string }) =>
        Effect.map(list(ownerId, page), (found) => found.map(({ _id }) => _id))
      assert.deepStrictEqual(yield* ids({ limit: 2 }), ["aud_p4", "aud_p3"])
      assert.deepStrictEqual(yield* ids({ limit: 9, cursor: "aud_p3" }), ["aud_p2", "aud_p1"])
      assert.deepStrictEqual(yield* ids({ limit: 9, keyId: "key_1" }), ["aud_p3", "aud_p2", "aud_p1"])
      assert.lengthOf(yield* list(OwnerId.make("own_nobody"), { limit: 9 }), 0)
    })
  )

  it.effect("forgets what is too old, and nothing else", () =>
    Effect.gen(function* () {
      const { insert, list, prune } = yield* AuditStore
      const { query } = yield* Database
      const ownerId = OwnerId.make("own_old")
      yield* insert({ ...entry, ownerId, id: "aud_old" })
      yield* query({ text: "UPDATE audit_entry SET at = at - interval '8 days' WHERE id = 'aud_old'" })
      yield* insert({ ...entry, ownerId, id: "aud_young" })
      assert.strictEqual(yield* prune(7), 1)
      assert.deepStrictEqual(
        (yield* list(ownerId, { limit: 9 })).map(({ _id }) => _id),
        ["aud_young"]
      )
    })
  )

  it.effect("notes the use of a key once an hour, and its last use once a minute", () =>
    Effect.gen(function* () {
      const { list } = yield* AuditStore
      const { query } = yield* Database
      const { account, create, expire, find, findByKey } = yield* KeyStore
      const { ownerId } = yield* account("used")
      const { key, view } = yield* create({ ownerId, name: "used", scopes: ["read"], expiresAt: null })
      const uses = Effect.map(list(ownerId, { limit: 9, keyId: view._id }), ({ length }) => length)
      const usedAgain = (ago: string) =>
        Effect.gen(function* () {
          yield* query({
            text: `UPDATE api_key SET last_used_at = clock_timestamp() - interval '${ago}' WHERE id = $1`,
            values: [view._id]
          })
          // A change of the key is not remembered: the next use asks the database.
          yield* expire(ownerId, view._id, "2100-01-01T00:00:00.000Z")
          const before = yield* find(ownerId, view._id)
          yield* findByKey(key)
          return (yield* find(ownerId, view._id)).pipe((after) =>
            JSON.stringify(after) === JSON.stringify(before) ? "not noted" : "noted"
          )
        })
      yield* findByKey(key)
      assert.strictEqual(yield* uses, 1)
      assert.strictEqual(yield* usedAgain("30 seconds"), "not noted")
      assert.strictEqual(yield* usedAgain("61 minutes"), "noted")
      assert.strictEqual(yield* uses, 2)
    })
  )
})
