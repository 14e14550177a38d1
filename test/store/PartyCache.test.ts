/**
 * What a process knows of a party is never relied on when another process has changed it, although nobody tells: each store
 * here hears of the other by the rows alone.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import { CommandId, ConnectionId, OwnerId, PartyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Notifications } from "../../src/database/Notifications.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { CommandStore } from "../../src/store/rows/CommandStore.ts"
import { ConnectionStore } from "../../src/store/rows/ConnectionStore.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyWith, tokenOf } from "../support/parties/parties.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const box = SecretBox.layer({
  keys: Redacted.make(`k1:${Buffer.alloc(32, 7).toString("base64")}`),
  dataDir: "/nowhere"
})
const stores = Layer.mergeAll(PartyStorePostgres, ConnectionStore.layer, CommandStore.layer)
/** Another process on the same database: nothing in memory is shared. */
const elsewhere = <A>(work: Effect.Effect<A, never, PartyStore>) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(Layer.fresh(PartyStorePostgres)), (there) => Effect.provide(work, there))
  )

const owner = OwnerId.make("own_1")
const live = "beside-live-0123456789"
const former = "beside-former-0123456789"
const echo = `${live} ${former} ${Buffer.from(former).toString("base64")}`
const exchange: Exchange = {
  id: "exc_1",
  direction: "outbound",
  module: "commands",
  operation: "UNLOCK_CONNECTOR",
  request: {
    method: "POST",
    url: `https://cpo.example/${live}`,
    headers: { a: echo },
    body: echo,
    truncated: false
  },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 0,
  requestId: "r",
  correlationId: echo
}

layer(
  stores.pipe(
    Layer.provideMerge(Notifications.layer({ self: "self" })),
    Layer.provideMerge(box),
    Layer.provideMerge(TestDatabase)
  )
)("tokens of a party", (it) => {
  it.effect("that another process has put there are known here at once", () =>
    Effect.gen(function* () {
      const { insert, secrets, update, find } = yield* PartyStore
      const id = PartyId.make("conn_elsewhere")
      yield* insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", "elsewhere-first-01")])
      assert.lengthOf(yield* secrets(id), 2, "in its slot, and among all that ever were")
      yield* elsewhere(
        Effect.gen(function* () {
          const there = yield* PartyStore
          yield* there.putToken(id, "outbound", tokenOf("outbound", "tokenC", "elsewhere-second-01"))
        })
      )
      const lastError = "protocol: elsewhere-first-01 and elsewhere-second-01"
      yield* update(id, (party) => ({ ...party, lastError }))
      assert.match(
        String(Option.getOrThrow(yield* find(id)).lastError),
        /^protocol: «tokenA:[0-9a-f]{4}» and «tokenC:[0-9a-f]{4}»$/
      )
    })
  )

  it.effect("are searched for in every write, although another process has put them there meanwhile", () =>
    Effect.gen(function* () {
      const { insert, object, objects, putObject, record, exchanges, removeObject, replaceObject } =
        yield* PartyStore
      const id = PartyId.make("conn_meanwhile")
      yield* insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", "meanwhile-0-0123456")])
      let at = 0
      /** A token that only the other process knows. */
      const another = Effect.suspend(() => {
        const value = `meanwhile-${++at}-0123456`
        return Effect.as(
          elsewhere(
            Effect.flatMap(PartyStore, (there) =>
              there.putToken(id, "outbound", tokenOf("outbound", "tokenC", value))
            )
          ),
          value
        )
      })
      const kept = (key: string, said: string) =>
        ({ module: "locations", side: "received", key, json: { said }, lastUpdated: "x" }) as const
      const first = yield* another
      assert.deepStrictEqual(yield* putObject(id, kept(`put-${first}`, first)), { created: true })
      const second = yield* another
      assert.isTrue(yield* replaceObject(id, kept(`added-${second}`, second), null))
      const third = yield* another
      const read = Option.getOrThrow(yield* object(id, "locations", "received", `added-${second}`))
      assert.isTrue(yield* replaceObject(id, kept(`added-${second}`, third), read.revision))
      const fourth = yield* another
      yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (name) => record(id, { ...exchange, id: name, request: { ...exchange.request, body: fourth } }),
        { concurrency: "unbounded" }
      )
      const { items } = yield* objects(id, "locations", "received", { offset: 0, limit: 10 })
      const rows = yield* exchanges(id, 0, 10)
      assert.lengthOf(items, 2)
      assert.lengthOf(rows, 4)
      for (const token of [first, second, third, fourth])
        assert.notInclude(JSON.stringify([items, rows]), token)
      // Found by what it was redacted to, also when the reader has yet to learn of the token.
      const fifth = yield* another
      yield* putObject(id, kept(`put-${fifth}`, ""))
      assert.isTrue(
        yield* elsewhere(
          Effect.flatMap(PartyStore, (there) =>
            there.removeObject(id, "locations", "received", `put-${fifth}`)
          )
        )
      )
      assert.isFalse(yield* removeObject(id, "locations", "received", `put-${fifth}`))
    })
  )

  it.effect("that were found in memory count only as long as nothing has changed", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const { exchanges, findByToken, head, heldByToken, insert, isCurrent, record, update } = store
      const object = (key: string) => ({
        module: "locations",
        key,
        side: "received" as const,
        json: {},
        lastUpdated: "2026-01-01T00:00:00Z"
      })
      const id = PartyId.make("conn_cached")
      yield* insert(partyWith({ id, role: "EMSP" }), [
        tokenOf("issued", "tokenB", "cached-first-0123456"),
        tokenOf("previous", "tokenB", "cached-before-0123456")
      ])
      const found = (value: string) => findByToken("accept", [value])
      const held = (value: string) => heldByToken(value, () => true)
      assert.isUndefined(held("cached-first-0123456"), "it was not in memory before")
      yield* insert(partyWith({ id: PartyId.make("conn_invited"), role: "EMSP" }), [
        tokenOf("issued", "tokenA", "cached-invited-0123456")
      ])
      const changes: ReadonlyArray<(there: PartyStore["Type"]) => Effect.Effect<unknown>> = [
        (there) => there.update(id, (party) => ({ ...party, lastError: "auth: changed" })),
        (there) => there.putToken(id, "pending", tokenOf("pending", "tokenB", "cached-next-0123456")),
        (there) => there.putToken(id, "previous", null),
        (there) => there.update(id, (party) => ({ ...party }), [{ slot: "issued", token: null }])
      ]
      for (const [step, change] of changes.entries()) {
        yield* found("cached-first-0123456")
        const { asOf, form, party } = held("cached-first-0123456")!
        assert.strictEqual(form, "raw")
        const encoded = held(Buffer.from("cached-first-0123456").toString("base64"))
        assert.deepStrictEqual([encoded?.form, encoded?.party.id], ["base64", id])
        assert.isUndefined(heldByToken("cached-first-0123456", ({ id }) => id !== party.id))
        assert.isTrue(yield* isCurrent(id, asOf))
        assert.isTrue(yield* record(party.id, { ...exchange, id: `before ${step}` }, undefined, asOf))
        const created = { created: step === 0 }
        assert.deepStrictEqual(yield* store.putObjectAsOf(id, object("held"), asOf), created)
        yield* elsewhere(Effect.flatMap(PartyStore, change))
        const before = yield* head(id)
        assert.isFalse(yield* isCurrent(id, asOf), `step ${step}`)
        // In one statement with others that are stored.
        const outcomes = yield* Effect.all(
          [
            record(id, { ...exchange, id: `first ${step}` }),
            record(id, { ...exchange, id: `old ${step}` }, undefined, asOf),
            record(id, { ...exchange, id: `last ${step}` })
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes, [true, false, true], `step ${step}`)
        const puts = yield* Effect.all(
          [
            store.putObject(id, object(`first ${step}`)),
            store.putObjectAsOf(id, object(`old ${step}`), asOf),
            store.putObject(id, object(`last ${step}`))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(puts, [{ created: true }, undefined, { created: true }], `step ${step}`)
        assert.isUndefined(yield* store.putObjectAsOf(id, object(`old ${step}`), asOf), "alone")
        assert.deepStrictEqual(yield* store.object(id, "locations", "received", `old ${step}`), Option.none())
        const stored = (yield* exchanges(id, before, 9)).map(({ exchange }) => exchange.id).sort()
        assert.deepStrictEqual(stored, [`first ${step}`, `last ${step}`])
      }
      assert.isTrue(Option.isSome(yield* found("cached-invited-0123456")))
      assert.isUndefined(held("cached-invited-0123456"), "a Token A is looked up")
      assert.deepStrictEqual(yield* found("cached-first-0123456"), Option.none())
      assert.isUndefined(held("cached-first-0123456"))
      // A party that is gone accepts nobody, whatever is in memory.
      yield* found("cached-next-0123456")
      const { asOf } = held("cached-next-0123456")!
      yield* elsewhere(Effect.flatMap(PartyStore, (there) => there.remove(id)))
      assert.isFalse(yield* isCurrent(id, asOf))
      assert.isFalse(yield* record(id, { ...exchange, id: "gone" }, undefined, asOf))
      assert.isUndefined(yield* store.putObjectAsOf(id, object("gone"), asOf))
      assert.deepStrictEqual(yield* update(id, (party) => ({ ...party, lastError: null })), Option.none())
    })
  )

  it.effect("of two processes that change a party at once, neither loses what the other has done", () =>
    Effect.gen(function* () {
      const here = yield* PartyStore
      const id = PartyId.make("conn_both")
      yield* here.insert(partyWith({ id, role: "EMSP" }), [])
      yield* here.find(id)
      yield* elsewhere(
        Effect.gen(function* () {
          const there = yield* PartyStore
          const add = (store: PartyStore["Type"], word: string) =>
            store.update(id, (party) => ({
              ...party,
              dialect: { ...party.dialect, deviations: [...party.dialect.deviations, word] }
            }))
          yield* Effect.forEach(
            Array.from({ length: 20 }, (_, at) => at),
            (at) => add(at % 2 === 0 ? here : there, `word ${at}`),
            { concurrency: "unbounded" }
          )
        })
      )
      assert.lengthOf(new Set(Option.getOrThrow(yield* here.find(id)).dialect.deviations), 20)
    })
  )

  it.effect("are read again unless that was done since the time for which they are asked", () =>
    Effect.gen(function* () {
      const here = yield* PartyStore
      const id = PartyId.make("party_since")
      yield* here.insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", former)])
      const asked = performance.now()
      const valuesSince = (since?: number) =>
        Effect.map(here.secrets(id, since), (known) => [
          ...new Set(known.map(({ value }) => Redacted.value(value)))
        ])
      yield* here.secrets(id)
      yield* here.secrets(id)
      yield* elsewhere(
        Effect.flatMap(PartyStore, (there) =>
          there.putToken(id, "outbound", tokenOf("outbound", "tokenC", live))
        )
      )
      assert.deepStrictEqual(yield* valuesSince(asked), [former])
      const sentWith = (since?: number) =>
        Effect.map(here.keyring(id, since), ({ tokens }) => tokens.map(({ value }) => Redacted.value(value)))
      assert.deepStrictEqual(yield* sentWith(asked), [former])
      assert.deepStrictEqual(yield* sentWith(performance.now()), [live])
      assert.deepStrictEqual(yield* valuesSince(performance.now()), [live, former])
      assert.deepStrictEqual(yield* valuesSince(asked), [live, former])
    })
  )

  it.effect("keep out of its connection and of its commands", () =>
    Effect.gen(function* () {
      const parties = yield* PartyStore
      const connections = yield* ConnectionStore
      const commands = yield* CommandStore
      const { query } = yield* Database
      const id = ConnectionId.make("conn_beside")
      yield* parties.insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", former)])
      yield* parties.putToken(PartyId.make(id), "outbound", tokenOf("outbound", "tokenC", live))
      yield* connections.insert({
        id,
        ownerId: owner,
        label: `CPO ${former}`,
        environment: "test",
        partnerBaseUrl: `https://cpo.example/${former}/versions`,
        ourRole: "EMSP",
        theirRole: "CPO",
        ocpiVersion: "2.2.1",
        status: "pending",
        lastError: echo,
        createdAt: "2026-01-01T00:00:00.000Z",
        registeredAt: null
      })
      yield* connections.update(owner, id, { lastError: `auth: ${echo}`, status: "failed", label: live })
      const command = {
        commandId: CommandId.make("cmd_beside"),
        ownerId: owner,
        connectionId: id,
        command: "UNLOCK_CONNECTOR",
        state: "sent",
        exchange,
        deadline: null,
        createdAt: "2026-01-01T00:00:00.000Z"
      } as const
      yield* commands.insert(command)
      const updated = yield* commands.update(owner, "cmd_beside", { exchange, state: "accepted" })
      const kept = JSON.stringify([
        yield* query({ text: "SELECT c::text FROM connection c" }),
        yield* query({ text: "SELECT c::text FROM command c" }),
        updated
      ])
      for (const text of [live, former, Buffer.from(former).toString("base64").replace(/=+$/, "")])
        assert.notInclude(kept, text)
      assert.strictEqual(Option.getOrThrow(yield* connections.find(owner, id)).status, "failed")
    })
  )
})
