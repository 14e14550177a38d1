/** A database of the program that kept marked tokens beside good ones, after the upgrade. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import pg from "pg"
import { KeyId, OwnerId, PartyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { Notifications } from "../../src/database/Notifications.ts"
import { Heartbeats } from "../../src/placement/presence/Heartbeats.ts"
import { Presence } from "../../src/placement/presence/Presence.ts"
import { IdempotencyStore } from "../../src/store/accounts/IdempotencyStore.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { secretPlaceOf } from "../../src/store/parties/partyRows.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyWith } from "../support/parties/parties.ts"
import { databaseUrl } from "../support/TestDatabase.ts"

const boxOf = (fill: number) =>
  SecretBox.layer({
    keys: Redacted.make(`k${fill}:${Buffer.alloc(32, fill).toString("base64")}`),
    dataDir: "/nowhere"
  })
const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** The slots as the old program wrote them: what is sealed, and what it was looked up by. */
const oldRows = [
  ["outbound", "out-0123456789", null],
  ["issued", "good-0123456789", sha256("good-0123456789")],
  ["returned", "returned theirs-0123456789", sha256("returned theirs-0123456789")],
  ["dead", "dead gone-0123456789", sha256("dead gone-0123456789")]
] as const

const statements = (url: Redacted.Redacted<string>, all: ReadonlyArray<pg.QueryConfig>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: Redacted.value(url) })
    await client.connect()
    for (const one of all) await client.query(one)
    await client.end()
  })

/** A database as the old program left it, with two parties: the token of one is sealed with a key that is gone. */
const oldDatabase = Effect.gen(function* () {
  const url = yield* databaseUrl("empty")
  yield* migrate(
    { connectionString: Redacted.value(url) },
    migrations.filter(({ id }) => id < 13)
  )
  const rowsOf = (id: string, fill: number) =>
    Effect.gen(function* () {
      const box = yield* SecretBox
      const { id: _, kind, ownerId, ...document } = partyWith({ id, role: "EMSP" })
      const party = {
        text: "INSERT INTO party (id, owner_id, kind, document) VALUES ($1, $2, $3, $4)",
        values: [id, ownerId, kind, JSON.stringify(document)]
      }
      const tokens = yield* Effect.forEach(oldRows, ([slot, value, hash]) =>
        Effect.map(
          box.seal(secretPlaceOf(PartyId.make(id), slot), Redacted.make(`${value}${fill}`)),
          (sealed) => ({
            text: "INSERT INTO party_token (party_id, slot, name, sealed, hash) VALUES ($1, $2, 'tokenB', $3, $4)",
            values: [id, slot, sealed, hash === null ? null : sha256(`${value}${fill}`)]
          })
        )
      )
      return [party, ...tokens]
    }).pipe(Effect.provide(boxOf(fill)))
  const answer = {
    text: `INSERT INTO idempotency (owner_id, endpoint, key, request_hash, claim, claimed_at, status, headers, body)
           VALUES ('own_1', 'POST /x', $1, 'h', 'c', clock_timestamp(), $2, '{}', $3)`
  }
  yield* statements(url, [
    ...(yield* rowsOf("conn_old", 1)),
    ...(yield* rowsOf("conn_lost", 2)),
    { ...answer, values: ["done", 201, "v1.sealed-secret"] },
    { ...answer, values: ["begun", null, null] }
  ])
  return url
})

describe("a database of the old form", () => {
  it.scopedLive("keeps every registration, and accepts nothing that was marked", () =>
    Effect.gen(function* () {
      const url = yield* oldDatabase
      const database = Layer.orDie(
        Database.layer({ url, allowSuperuser: true, dataDir: "/nowhere", poolSize: 2 })
      )
      const live = PartyStorePostgres.pipe(
        Layer.provide(Notifications.layer({ self: "self" })),
        Layer.provide(boxOf(1)),
        Layer.provideMerge(database)
      )
      const looked = Effect.gen(function* () {
        const { findByToken, secrets, tokens } = yield* PartyStore
        const slotOf = (text: string) =>
          Effect.map(findByToken("accept", [text]), (found) =>
            Option.getOrUndefined(Option.map(found, ({ party, token }) => `${party.id} ${token.slot}`))
          )
        const knownAs = (text: string) =>
          Effect.map(findByToken("recognise", [text]), (found) =>
            Option.getOrUndefined(Option.map(found, ({ party, slot }) => `${party.id} ${slot}`))
          )
        assert.strictEqual(yield* slotOf("good-01234567891"), "conn_old issued")
        assert.strictEqual(
          yield* slotOf("good-01234567892"),
          "conn_lost issued",
          "although it cannot be opened"
        )
        for (const text of ["theirs-0123456789", "gone-0123456789"].flatMap((one) => [`${one}1`, `${one}2`]))
          for (const form of [text, `dead ${text}`, `returned ${text}`])
            assert.isUndefined(yield* slotOf(form), form)
        assert.strictEqual(yield* knownAs("theirs-01234567891"), "conn_old returned")
        assert.strictEqual(yield* knownAs("gone-01234567891"), "conn_old dead")
        assert.isUndefined(yield* knownAs("dead gone-01234567891"))
        const old = PartyId.make("conn_old")
        const values = ["gone-01234567891", "good-01234567891", "out-01234567891", "theirs-01234567891"]
        const kept = (yield* tokens(old)).map(({ value }) => Redacted.value(value))
        assert.sameMembers(kept, values, "unmarked")
        assert.includeMembers(
          (yield* secrets(old)).map(({ value }) => Redacted.value(value)),
          values
        )
      })
      yield* Effect.provide(looked, live)
      yield* Effect.provide(Effect.zipRight(looked, looked), live)
      const old = Effect.flatMap(Database, ({ query }) =>
        query({ text: "SELECT party_id, slot FROM party_token WHERE old_hash IS NOT NULL" })
      )
      assert.deepStrictEqual(yield* Effect.provide(old, database), [
        { party_id: "conn_lost", slot: "issued" }
      ])
    })
  )

  it.scopedLive("gives no answer of before again, and does nothing twice that was begun then", () =>
    Effect.gen(function* () {
      const url = yield* oldDatabase
      const store = IdempotencyStore.layer.pipe(
        Layer.provide(boxOf(1)),
        Layer.provide(Presence.layer({ processId: "self", ttlSeconds: 15 })),
        Layer.provide(Heartbeats.layer({ everySeconds: 5 })),
        Layer.provideMerge(
          Layer.orDie(Database.layer({ url, allowSuperuser: true, dataDir: "/nowhere", poolSize: 2 }))
        )
      )
      yield* Effect.gen(function* () {
        const { begin } = yield* IdempotencyStore
        const { query } = yield* Database
        const request = {
          ownerId: OwnerId.make("own_1"),
          keyId: KeyId.make("key_1"),
          endpoint: "POST /x",
          requestHash: "h"
        }
        for (const key of ["done", "begun"])
          assert.deepStrictEqual(yield* begin({ ...request, key }), { _tag: "unreadable" }, key)
        assert.strictEqual((yield* begin({ ...request, key: "new" }))._tag, "fresh")
        const dump = yield* query({ text: "SELECT i::text AS text FROM idempotency i" })
        assert.notInclude(JSON.stringify(dump), "sealed-secret")
        yield* query({ text: "UPDATE idempotency SET claimed_at = claimed_at - interval '25 hours'" })
        assert.strictEqual((yield* begin({ ...request, key: "done" }))._tag, "fresh")
      }).pipe(Effect.provide(store))
    })
  )
})
