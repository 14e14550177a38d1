import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { PartyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Notifications } from "../../src/database/Notifications.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { rotateSecrets } from "../../src/store/rotateSecrets.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyWith, tokenOf } from "../support/parties/parties.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { tried } from "../support/tried.ts"

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString("base64")}`
const k1 = key("k1", 1)
const k2 = key("k2", 2)

/** A process with these encryption keys on the database at hand. */
const withKeys = <A, E>(keys: string, work: Effect.Effect<A, E, PartyStore | SecretBox | Database>) =>
  Effect.scoped(
    Effect.provide(
      work,
      PartyStorePostgres.pipe(
        Layer.provide(Notifications.layer({ self: keys })),
        Layer.provideMerge(SecretBox.layer({ keys: Redacted.make(keys), dataDir: "/nowhere" }))
      )
    )
  )

const keep = (ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { insert } = yield* PartyStore
    yield* Effect.forEach(
      ids,
      (id) => insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenB", `secret-of-${id}`)]),
      { concurrency: 6, discard: true }
    )
  })

const read = (id: string) =>
  Effect.gen(function* () {
    const { tokens } = yield* PartyStore
    return (yield* tokens(PartyId.make(id))).map(({ value }) => Redacted.value(value))
  })

const sealedWith = (id: string) =>
  Effect.gen(function* () {
    const { query } = yield* Database
    const [row] = yield* query<{ n: number }>({
      text: "SELECT count(*)::int AS n FROM party_token WHERE sealed LIKE $1",
      values: [`v1.${id}.%`]
    })
    return row!.n
  })

describe("rotateSecrets", () => {
  it.scopedLive(
    "seals all of 1000 secrets with the new key while they are read and replaced",
    () =>
      Effect.gen(function* () {
        const ids = Array.from({ length: 1000 }, (_, index) => `conn_${String(index).padStart(4, "0")}`)
        yield* withKeys(k1, keep(ids))
        assert.strictEqual(yield* sealedWith("k1"), 1000)
        let reads = 0
        const traffic = Effect.gen(function* () {
          const { putToken } = yield* PartyStore
          for (const id of ids.filter((_, index) => index % 10 === 0)) {
            yield* putToken(PartyId.make(id), "outbound", {
              name: "tokenB",
              value: Redacted.make(`new-of-${id}`)
            })
            assert.deepStrictEqual(yield* read(id), [`new-of-${id}`])
            assert.lengthOf(yield* read(ids[(reads * 37) % 1000]!), 1)
            reads += 2
          }
        })
        // A server that reads both and still writes with the old one, as in the middle of a rolling restart.
        const [{ resealed, unreadable }] = yield* Effect.all(
          [withKeys(`${k2},${k1}`, rotateSecrets(50)), withKeys(`${k1},${k2}`, traffic)],
          { concurrency: 2 }
        )
        assert.isAbove(resealed, 850)
        assert.deepStrictEqual(unreadable, [])
        yield* withKeys(`${k2},${k1}`, rotateSecrets())
        assert.deepStrictEqual([yield* sealedWith("k1"), yield* sealedWith("k2")], [0, 1000])
        const found = yield* withKeys(k2, Effect.forEach(ids, read, { concurrency: 6 }))
        assert.deepStrictEqual(
          found,
          ids.map((id, index) => [`${index % 10 === 0 ? "new" : "secret"}-of-${id}`])
        )
        tried(
          "B17",
          [`${ids.length} secrets`, "0 rows of the old key left"],
          `${reads} reads meanwhile, 0 failed`
        )
      }).pipe(Effect.provide(TestDatabase)),
    120_000
  )

  it.scopedLive("finds every token by what was written under the old key, once that one is gone", () =>
    Effect.gen(function* () {
      const found = (text: string) =>
        Effect.gen(function* () {
          const { findByToken, secrets } = yield* PartyStore
          const accepted = yield* findByToken("accept", [text])
          const known = yield* secrets(PartyId.make("conn_in"))
          return [Option.isSome(accepted), known.length]
        })
      const issued = tokenOf("issued", "tokenB", "issued-under-the-old-key")
      yield* withKeys(
        k1,
        Effect.flatMap(PartyStore, ({ insert }) =>
          insert(partyWith({ id: "conn_in", role: "EMSP" }), [issued])
        )
      )
      const { unreadable } = yield* withKeys(`${k2},${k1}`, rotateSecrets())
      assert.deepStrictEqual(unreadable, [])
      assert.deepStrictEqual(yield* withKeys(k2, found("issued-under-the-old-key")), [true, 2])
      // A process that was started with a wrong key, and another one with the right one after it.
      assert.deepStrictEqual(yield* withKeys(key("k9", 9), found("issued-under-the-old-key")), [false, 0])
      assert.deepStrictEqual(yield* withKeys(k2, found("issued-under-the-old-key")), [true, 2])
    }).pipe(Effect.provide(TestDatabase))
  )

  it.scopedLive("names what it cannot open, leaves it as it is, and seals the rest", () =>
    Effect.gen(function* () {
      yield* withKeys(key("k0", 9), keep(["conn_lost"]))
      yield* withKeys(k1, keep(["conn_good"]))
      const { resealed, unreadable } = yield* withKeys(`${k2},${k1}`, rotateSecrets())
      // Each token stands in its slot and among those that the party ever had; each k has made a key to look up with.
      assert.strictEqual(resealed, 3)
      assert.lengthOf(unreadable, 3)
      assert.match(unreadable[0]!, /party:conn_lost.*"k0" is not configured/)
      assert.match(unreadable[2]!, /lookup_key:k1.*"k0" is not configured/)
      assert.strictEqual(yield* sealedWith("k0"), 1)
    }).pipe(Effect.provide(TestDatabase))
  )

  it.scopedLive(
    "opens nothing that was changed, or moved from another row, and the party lives on without it",
    () =>
      Effect.gen(function* () {
        const { query } = yield* Database
        yield* withKeys(k1, keep(["conn_a", "conn_b", "conn_c"]))
        yield* query({
          text: `UPDATE party_token AS t SET sealed = other.sealed FROM party_token AS other
               WHERE (t.party_id, other.party_id) IN (('conn_a', 'conn_b'), ('conn_b', 'conn_a'))`
        })
        yield* query({
          text: `UPDATE party_token SET sealed = translate(sealed, $1, $2) WHERE party_id = 'conn_c'`,
          values: ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BCDEFGHIJKLMNOPQRSTUVWXYZA"]
        })
        const found = yield* withKeys(k1, Effect.forEach(["conn_a", "conn_b", "conn_c"], read))
        assert.deepStrictEqual(found, [[], [], []])
        const { unreadable } = yield* withKeys(`${k2},${k1}`, rotateSecrets())
        assert.lengthOf(
          unreadable.filter((text) => text.includes("token:outbound")),
          3
        )
        assert.notMatch(unreadable.join(), /secret-of/)
      }).pipe(Effect.provide(TestDatabase))
  )
})
