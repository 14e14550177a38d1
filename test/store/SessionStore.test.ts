import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { KeyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { SessionStore } from "../../src/store/accounts/SessionStore.ts"
import { sessionStoreContract } from "../contracts/sessionStore.ts"
import { Later, sessionStore } from "../support/http/memorySessions.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Moves all that is stored into the past. */
const later = Layer.effect(
  Later,
  Effect.map(
    Database,
    ({ query }) =>
      (seconds: number) =>
        Effect.zipRight(
          query({
            text: "UPDATE session SET last_used_at = last_used_at - $1 * interval '1 second', expires_at = expires_at - $1 * interval '1 second'",
            values: [seconds]
          }),
          query({
            text: "UPDATE sign_in_code SET expires_at = expires_at - $1 * interval '1 second'",
            values: [seconds]
          })
        ).pipe(Effect.asVoid)
  )
)
const onPostgres = Layer.merge(SessionStore.layer, later).pipe(Layer.provideMerge(TestDatabase))

sessionStoreContract("sessions in memory", sessionStore)
sessionStoreContract("sessions on Postgres", onPostgres)

layer(onPostgres, { excludeTestServices: true })("what is stored of sessions and codes", (it) => {
  it.effect("is nothing that anybody could sign in with", () =>
    Effect.gen(function* () {
      const { begin, makeCode } = yield* SessionStore
      const { query } = yield* Database
      const { secret } = yield* begin(KeyId.make("key_1"))
      const { code } = yield* makeCode(KeyId.make("key_1"))
      const rows = yield* query({
        text: "SELECT s::text FROM session s UNION ALL SELECT c::text FROM sign_in_code c"
      })
      assert.lengthOf(rows, 2)
      for (const text of [secret, code].map(Redacted.value)) {
        const stored = JSON.stringify(rows)
        for (const form of [
          text,
          Buffer.from(text).toString("hex"),
          Buffer.from(text, "base64url").toString("hex")
        ])
          assert.notInclude(stored, form)
      }
    })
  )

  it.effect("is pruned from its tables", () =>
    Effect.gen(function* () {
      const { begin, makeCode, prune } = yield* SessionStore
      const { query } = yield* Database
      yield* begin(KeyId.make("key_1"))
      yield* makeCode(KeyId.make("key_1"))
      yield* (yield* Later)(8 * 86_400)
      yield* prune
      assert.deepStrictEqual(
        yield* query({ text: "SELECT FROM session UNION ALL SELECT FROM sign_in_code" }),
        []
      )
    })
  )
})
