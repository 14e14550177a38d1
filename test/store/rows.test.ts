import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { CommandId, ConnectionId, KeyId, OwnerId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Heartbeats } from "../../src/placement/presence/Heartbeats.ts"
import { Presence } from "../../src/placement/presence/Presence.ts"
import { IdempotencyStore } from "../../src/store/accounts/IdempotencyStore.ts"
import { type CommandRow, CommandStore } from "../../src/store/rows/CommandStore.ts"
import { type ConnectionRow, ConnectionStore } from "../../src/store/rows/ConnectionStore.ts"
import { type ScenarioRow, ScenarioStore } from "../../src/store/rows/ScenarioStore.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const stores = Layer.mergeAll(ConnectionStore.layer, CommandStore.layer, IdempotencyStore.layer).pipe(
  Layer.provide(
    SecretBox.layer({
      keys: Redacted.make(`k1:${Buffer.alloc(32, 7).toString("base64")}`),
      dataDir: "/nowhere"
    })
  ),
  Layer.provide(Presence.layer({ processId: "here", ttlSeconds: 15 })),
  Layer.provide(Heartbeats.layer({ everySeconds: 5 })),
  Layer.provideMerge(TestDatabase)
)
const mine = OwnerId.make("own_mine")
const theirs = OwnerId.make("own_theirs")

const connection = (id: string, more: Partial<ConnectionRow> = {}): ConnectionRow => ({
  id: ConnectionId.make(id),
  ownerId: mine,
  label: "CPO example.com",
  environment: "test",
  partnerBaseUrl: "https://example.com/versions",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1",
  status: "pending",
  lastError: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  registeredAt: null,
  ...more
})

const command: CommandRow = {
  commandId: CommandId.make("cmd_1"),
  ownerId: mine,
  connectionId: ConnectionId.make("conn_1"),
  command: "START_SESSION",
  state: "sent",
  exchange: null,
  deadline: "2026-01-01T00:01:00.000Z",
  createdAt: "2026-01-01T00:00:00.000Z"
}

layer(stores)("ConnectionStore", (it) => {
  it.effect("gives a connection back as it was put in, to its owner and to the system only", () =>
    Effect.gen(function* () {
      const { find, insert } = yield* ConnectionStore
      yield* insert(connection("conn_back"))
      assert.deepStrictEqual(yield* find(mine, "conn_back"), Option.some(connection("conn_back")))
      assert.deepStrictEqual(yield* find("system", "conn_back"), Option.some(connection("conn_back")))
      assert.deepStrictEqual(yield* find(theirs, "conn_back"), Option.none())
    })
  )

  it.effect("finds nothing under an id that cannot be one", () =>
    Effect.gen(function* () {
      const { find, remove, update } = yield* ConnectionStore
      assert.deepStrictEqual(yield* find(mine, "conn\0"), Option.none())
      assert.deepStrictEqual(yield* update(mine, "' or 1=1", { label: "x" }), Option.none())
      assert.isFalse(yield* remove(mine, ""))
    })
  )

  it.effect("changes what the patch names and nothing else, and nothing of another owner's", () =>
    Effect.gen(function* () {
      const { insert, update } = yield* ConnectionStore
      yield* insert(connection("conn_patch", { lastError: "auth: 401" }))
      const patch = { status: "registered", lastError: null, label: "a\0b" } as const
      assert.deepStrictEqual(yield* update(theirs, "conn_patch", patch), Option.none())
      assert.deepStrictEqual(
        yield* update("system", "conn_patch", patch),
        Option.some(connection("conn_patch", { status: "registered", label: "a\uFFFDb" }))
      )
    })
  )

  it.effect("pages an owner's connections newest first, filtered", () =>
    Effect.gen(function* () {
      const { count, insert, list } = yield* ConnectionStore
      const ownerId = OwnerId.make("own_pages")
      for (const id of ["conn_p1", "conn_p2", "conn_p3"]) yield* insert(connection(id, { ownerId }))
      yield* insert(connection("conn_p4", { ownerId, status: "failed" }))
      const first = yield* list({ ownerId, limit: 2, status: "pending" })
      assert.deepStrictEqual(
        first.map(({ id }) => id as string),
        ["conn_p3", "conn_p2"]
      )
      const second = yield* list({ ownerId, limit: 2, status: "pending", cursor: "conn_p2" })
      assert.deepStrictEqual(
        second.map(({ id }) => id as string),
        ["conn_p1"]
      )
      assert.strictEqual(yield* count(ownerId), 4)
    })
  )

  it.effect("removes a connection once", () =>
    Effect.gen(function* () {
      const { insert, remove } = yield* ConnectionStore
      yield* insert(connection("conn_gone"))
      assert.isFalse(yield* remove(theirs, "conn_gone"))
      assert.isTrue(yield* remove(mine, "conn_gone"))
      assert.isFalse(yield* remove(mine, "conn_gone"))
    })
  )

  it.effect("keeps a command, and changes what the patch names", () =>
    Effect.gen(function* () {
      const { find, insert, list, update } = yield* CommandStore
      yield* insert(command)
      assert.deepStrictEqual(yield* find(mine, "cmd_1"), Option.some(command))
      assert.deepStrictEqual(yield* find(theirs, "cmd_1"), Option.none())
      const accepted = { ...command, state: "accepted" as const }
      assert.deepStrictEqual(yield* update(mine, "cmd_1", { state: "accepted" }), Option.some(accepted))
      const done = yield* update(mine, "cmd_1", { deadline: null })
      assert.deepStrictEqual(done, Option.some({ ...accepted, deadline: null }))
      assert.lengthOf(yield* list(mine, "conn_1", { limit: 5 }), 1)
    })
  )
})

const request = {
  ownerId: mine,
  keyId: KeyId.make("key_1"),
  endpoint: "POST /api/v1/connections",
  key: "k",
  requestHash: "h"
}
const answer = { status: 201, headers: { location: "/x" }, body: '{"success":true}' }

layer(stores)("IdempotencyStore", (it) => {
  it.effect("lets one of twenty do the work, and gives its answer again afterwards", () =>
    Effect.gen(function* () {
      const { begin, finish } = yield* IdempotencyStore
      const verdicts = yield* Effect.all(
        Array.from({ length: 20 }, () => begin(request)),
        { concurrency: 20 }
      )
      const [fresh, ...more] = verdicts.filter(({ _tag }) => _tag === "fresh")
      assert.lengthOf(more, 0)
      assert.lengthOf(
        verdicts.filter(({ _tag }) => _tag === "inFlight"),
        19
      )
      if (fresh?._tag === "fresh") yield* finish(request, fresh.claim, answer)
      assert.deepStrictEqual(yield* begin(request), { _tag: "replay", answer })
      assert.strictEqual((yield* begin({ ...request, requestHash: "other" }))._tag, "conflict")
    })
  )

  it.effect("knows a key per owner, API key and endpoint", () =>
    Effect.gen(function* () {
      const { begin } = yield* IdempotencyStore
      const other = { ...request, key: "shared" }
      for (const one of [
        other,
        { ...other, ownerId: theirs },
        { ...other, keyId: KeyId.make("key_2") },
        { ...other, endpoint: "POST /y" }
      ]) {
        assert.strictEqual((yield* begin(one))._tag, "fresh")
      }
    })
  )

  it.effect("frees a key that was given back", () =>
    Effect.gen(function* () {
      const { abandon, begin } = yield* IdempotencyStore
      const given = { ...request, key: "given back" }
      const verdict = yield* begin(given)
      if (verdict._tag === "fresh") yield* abandon(given, verdict.claim)
      assert.strictEqual((yield* begin({ ...given, requestHash: "other" }))._tag, "fresh")
    })
  )

  it.effect("holds the claim of a process that is alive, however long it takes", () =>
    Effect.gen(function* () {
      const { begin } = yield* IdempotencyStore
      const long = { ...request, key: "long" }
      yield* begin(long)
      yield* age("long", "2 hours")
      assert.strictEqual((yield* begin(long))._tag, "inFlight")
    })
  )

  it.effect("frees the claim of a dead process with its ids, and takes no late answer of it", () =>
    Effect.gen(function* () {
      const { begin, finish } = yield* IdempotencyStore
      const { query } = yield* Database
      const dead = { ...request, key: "dead" }
      const first = yield* begin(dead)
      yield* query({ text: "UPDATE idempotency SET process_id = 'gone' WHERE key = 'dead'" })
      assert.strictEqual((yield* begin({ ...dead, requestHash: "other" }))._tag, "conflict")
      const second = yield* begin(dead)
      assert(first._tag === "fresh" && second._tag === "fresh")
      assert.deepStrictEqual(
        { ...second, claim: "" },
        { ...first, claim: "", isRetry: true },
        "the same ids, begun at the same time"
      )
      yield* finish(dead, first.claim, answer)
      assert.strictEqual((yield* begin(dead))._tag, "inFlight")
    })
  )

  it.effect("frees a claim whose outcome is not known, with its ids", () =>
    Effect.gen(function* () {
      const { begin, release } = yield* IdempotencyStore
      const lost = { ...request, key: "lost" }
      const first = yield* begin(lost)
      assert(first._tag === "fresh")
      yield* release(lost, first.claim)
      const second = yield* begin(lost)
      assert(second._tag === "fresh")
      assert.isTrue(second.isRetry)
      assert.strictEqual(second.idBody, first.idBody)
    })
  )

  it.effect("keeps an answer so that the database alone does not tell it", () =>
    Effect.gen(function* () {
      const { begin, finish } = yield* IdempotencyStore
      const { query } = yield* Database
      const shown = { ...request, key: "shown once" }
      const first = yield* begin(shown)
      assert(first._tag === "fresh")
      yield* finish(shown, first.claim, { ...answer, body: '{"key":"canary-shown-once"}' })
      const dump = yield* query({ text: "SELECT i::text AS text FROM idempotency i" })
      assert.notInclude(JSON.stringify(dump), "canary-shown-once")
      assert.include(JSON.stringify(yield* begin(shown)), "canary-shown-once")
      yield* query({ text: "UPDATE idempotency SET body = 'v1.k9.x.y' WHERE key = 'shown once'" })
      assert.strictEqual((yield* begin(shown))._tag, "unreadable")
    })
  )

  it.effect("forgets after 24 hours", () =>
    Effect.gen(function* () {
      const { begin, finish, prune } = yield* IdempotencyStore
      const old = { ...request, key: "old" }
      const first = yield* begin(old)
      if (first._tag === "fresh") yield* finish(old, first.claim, answer)
      yield* age("old", "25 hours")
      assert.strictEqual((yield* begin({ ...old, requestHash: "other" }))._tag, "fresh")
      yield* age("old", "25 hours")
      assert.strictEqual(yield* prune, 1)
    })
  )
})

const age = (key: string, by: string) =>
  Effect.flatMap(Database, ({ query }) =>
    query({
      text: "UPDATE idempotency SET claimed_at = claimed_at - $2::interval WHERE key = $1",
      values: [key, by]
    })
  )

layer(ScenarioStore.layer.pipe(Layer.provideMerge(TestDatabase)))("ScenarioStore", (it) => {
  const row: ScenarioRow = {
    id: "scn_1",
    ownerId: mine,
    draft: { name: "A", templateId: "remote-start", faults: [{ fault: "late-answer", seconds: 5 }] },
    version: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z"
  }

  it.effect("gives a scenario back to its owner only, and changes it from the version that it has", () =>
    Effect.gen(function* () {
      const { change, find, insert, list, remove } = yield* ScenarioStore
      yield* insert(row)
      assert.deepStrictEqual(yield* find(mine, "scn_1"), Option.some(row))
      assert.deepStrictEqual(yield* find(theirs, "scn_1"), Option.none())
      const to = { draft: { name: "B", templateId: "first-reads" }, updatedAt: "2026-01-02T00:00:00.000Z" }
      const changed = { ...row, ...to, version: 2 }
      assert.deepStrictEqual(yield* change(theirs, "scn_1", 1, to), Option.none())
      assert.deepStrictEqual(yield* change(mine, "scn_1", 1, to), Option.some(changed))
      assert.deepStrictEqual(yield* change(mine, "scn_1", 1, to), Option.none())
      assert.deepStrictEqual(yield* list(mine, { limit: 5 }), [changed])
      assert.deepStrictEqual(yield* list(mine, { limit: 5, cursor: "scn_1" }), [])
      assert.deepStrictEqual(yield* remove(theirs, "scn_1"), Option.none())
      assert.deepStrictEqual(yield* remove(mine, "scn_1"), Option.some(changed))
    })
  )
})
