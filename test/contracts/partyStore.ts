/** What every PartyStore promises. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option, PubSub, Queue, Redacted } from "effect"
import { defaultDialect } from "../../schema/Connection.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import { OwnerId, PartyId } from "../../schema/Ids.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import {
  type AcceptedToken,
  type ExchangePage,
  expectedResults,
  type Found,
  mostPastTokens,
  type PartyObject,
  PartyStore,
  refusedKept
} from "../../src/store/parties/PartyStore.ts"
import { acceptedSlots, type PartyToken, recognisedSlots } from "../../src/store/parties/TokenSlot.ts"
import { disguisesOf } from "./disguises.ts"

const owner = OwnerId.make("own_a")

const party = (id: string, kind: Party["kind"] = "connection"): Party => ({
  id: PartyId.make(id),
  ownerId: owner,
  kind,
  role: "EMSP",
  version: "2.2.1",
  identity: { countryCode: "NL", partyId: "PFT", name: "Plugfest" },
  registration: "none",
  counterpart: { role: "CPO", versionsUrl: "https://cpo.example/versions", endpoints: [], parties: null },
  dialect: defaultDialect,
  registeredAt: null,
  sandbox: kind === "sandbox" ? { faults: [], seed: 1, speed: 60 } : null
})

const token = (slot: PartyToken["slot"], value: string): PartyToken => ({
  slot,
  name: "tokenB",
  value: Redacted.make(value)
})

const object = (key: string, lastUpdated: string, json: Record<string, unknown> = {}): PartyObject => ({
  module: "locations",
  key,
  side: "received",
  json,
  lastUpdated
})

const exchange = (id: string, direction: Exchange["direction"] = "inbound"): Exchange => ({
  id,
  direction,
  module: "sessions",
  operation: "PUT session",
  request: {
    method: "PUT",
    url: "https://us.example/x",
    headers: { b: "1", a: "2" },
    body: "\0{}",
    truncated: false
  },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1.5,
  requestId: "r",
  correlationId: "c"
})

export const partyStoreContract = <E>(name: string, live: Layer.Layer<PartyStore, E>) =>
  layer(live)(name, (it) => {
    it.effect("gives a party back as it was put in", () =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        yield* store.insert(party("p_back"), [])
        assert.deepStrictEqual(yield* store.find(PartyId.make("p_back")), Option.some(party("p_back")))
      })
    )

    it.effect("finds nothing under an id that cannot be one", () =>
      Effect.gen(function* () {
        const { find, head, object, tokens } = yield* PartyStore
        const id = PartyId.make("p\0'; --")
        assert.deepStrictEqual(yield* find(id), Option.none())
        assert.deepStrictEqual(yield* tokens(id), [])
        assert.deepStrictEqual(yield* object(id, "locations", "own", "x"), Option.none())
        assert.strictEqual(yield* head(id), 0)
      })
    )

    it.effect("changes tokens together with the party, or neither", () =>
      Effect.gen(function* () {
        const { findByToken, insert, tokens, update } = yield* PartyStore
        const id = PartyId.make("p_settled")
        yield* insert(party("p_settled"), [token("issued", "old-issued"), token("pending", "new-issued")])
        const change = [
          { slot: "issued", token: token("issued", "new-issued") },
          { slot: "outbound", token: token("outbound", "theirs") },
          { slot: "pending", token: null }
        ] as const
        const held = Effect.map(tokens(id), (all) =>
          all.map(({ slot, value }) => `${slot} ${Redacted.value(value)}`)
        )
        yield* update(id, (same) => same, change)
        assert.deepStrictEqual(yield* held, ["issued old-issued", "pending new-issued"])
        yield* update(id, (old) => ({ ...old, registration: "registered" }), change)
        assert.deepStrictEqual(yield* held, ["issued new-issued", "outbound theirs"])
        assert.isTrue(Option.isNone(yield* findByToken("accept", ["old-issued"])))
        assert.isTrue(Option.isSome(yield* findByToken("accept", ["new-issued"])))
        const gone = PartyId.make("p_never_there")
        assert.isTrue(Option.isNone(yield* update(gone, (old) => ({ ...old }), change)))
        assert.deepStrictEqual(yield* tokens(gone), [])
      })
    )
    it.effect("loses no update of twenty at once", () =>
      Effect.gen(function* () {
        const { find, insert, update } = yield* PartyStore
        const id = PartyId.make("p_update")
        yield* insert(party("p_update"), [])
        const add = (deviation: string) =>
          update(id, (old) => ({
            ...old,
            dialect: { ...old.dialect, deviations: [...old.dialect.deviations, deviation] }
          }))
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => `d${n}`),
          add,
          { concurrency: 20 }
        )
        const found = Option.getOrThrow(yield* find(id))
        assert.strictEqual(new Set(found.dialect.deviations).size, 20)
      })
    )

    it.effect("finds the party by a token that it issued, and says which candidate matched", () =>
      Effect.gen(function* () {
        const { findByToken, insert } = yield* PartyStore
        yield* insert(party("p_token"), [token("issued", "issued-1"), token("pending", "pending-1")])
        const found = Option.getOrThrow(yield* findByToken("accept", ["nobody's", "pending-1"]))
        assert.strictEqual(found.party.id, "p_token")
        assert.strictEqual(found.token.slot, "pending")
        assert.strictEqual(Redacted.value(found.token.value), "pending-1")
        assert.strictEqual(found.candidate, 1)
      })
    )

    it.effect("never finds a party by what it sends to others", () =>
      Effect.gen(function* () {
        const { findByToken, insert } = yield* PartyStore
        yield* insert(party("p_outbound"), [token("outbound", "outbound-1")])
        assert.deepStrictEqual(yield* findByToken("accept", ["outbound-1"]), Option.none())
        assert.deepStrictEqual(yield* findByToken("recognise", ["outbound-1"]), Option.none())
      })
    )

    it.effect("finds a token for the purpose of its slot alone, and by no form of it but itself", () =>
      Effect.gen(function* () {
        const { findByToken, insert, tokens } = yield* PartyStore
        const slots = [...acceptedSlots, ...recognisedSlots, "outbound"] as const
        const valueOf = (slot: string) => `Value-of.${slot}-0123456789`
        yield* insert(
          party("p_purpose"),
          slots.map((slot) => token(slot, valueOf(slot)))
        )
        for (const slot of slots) {
          const value = valueOf(slot)
          const accepted = yield* findByToken("accept", [value])
          const recognised = yield* findByToken("recognise", [value])
          assert.strictEqual(
            Option.isSome(accepted),
            acceptedSlots.some((one) => one === slot),
            slot
          )
          assert.strictEqual(
            Option.isSome(recognised),
            recognisedSlots.some((one) => one === slot),
            slot
          )
          const disguises = disguisesOf(value)
          assert.isAbove(disguises.length, 400)
          for (const purpose of ["accept", "recognise"] as const)
            for (let at = 0; at < disguises.length; at += 100) {
              const some = disguises.slice(at, at + 100)
              assert.deepStrictEqual(yield* findByToken(purpose, some), Option.none(), `${purpose} ${slot}`)
            }
        }
        const kept = (yield* tokens(PartyId.make("p_purpose"))).map(({ slot, value }) => [
          slot,
          Redacted.value(value)
        ])
        assert.deepStrictEqual(
          Object.fromEntries(kept),
          Object.fromEntries(slots.map((s) => [s, valueOf(s)]))
        )
      })
    )

    it.effect("gives no token to whoever is only recognised: to serve by one does not compile", () =>
      Effect.gen(function* () {
        const { findByToken, insert } = yield* PartyStore
        yield* insert(party("p_types"), [token("dead", "types-dead")])
        const found: Found<"recognise"> = Option.getOrThrow(yield* findByToken("recognise", ["types-dead"]))
        // @ts-expect-error: there is none
        const none: AcceptedToken | undefined = found.token
        assert.isUndefined(none)
        assert.notInclude(JSON.stringify(found), "types-dead")
      })
    )

    it.effect("finds among the parties that count, however many others have the same token", () =>
      Effect.gen(function* () {
        const { findByToken, insert } = yield* PartyStore
        for (const id of ["p_same_1", "p_same_2", "p_same_3"])
          yield* insert(party(id), [token("returned", "same-everywhere")])
        const found = yield* findByToken("recognise", ["same-everywhere"], ({ id }) => id === "p_same_3")
        assert.strictEqual(Option.getOrThrow(found).party.id, "p_same_3")
        const nobody = yield* findByToken("recognise", ["same-everywhere"], () => false)
        assert.deepStrictEqual(nobody, Option.none())
      })
    )

    it.effect("knows every token that a party ever had, and one that was only handed over", () =>
      Effect.gen(function* () {
        const { findByToken, insert, putToken, remember, secrets } = yield* PartyStore
        const id = PartyId.make("p_secrets")
        const known = Effect.map(secrets(id), (all) => new Set(all.map(({ value }) => Redacted.value(value))))
        assert.deepStrictEqual(yield* secrets(id), [])
        yield* insert(party("p_secrets"), [token("outbound", "first-a")])
        assert.deepStrictEqual([...(yield* known)], ["first-a"])
        assert.strictEqual(yield* secrets(id), yield* secrets(id), "the same array until one is added")
        yield* putToken(id, "outbound", token("outbound", "second-a"))
        yield* putToken(id, "pending", token("pending", "never-used"))
        yield* putToken(id, "pending", null)
        yield* putToken(id, "outbound", null)
        yield* remember(id, [token("outbound", "refused-b"), token("outbound", "second-a")])
        assert.sameMembers([...(yield* known)], ["first-a", "second-a", "never-used", "refused-b"])
        for (const text of yield* known)
          for (const purpose of ["accept", "recognise"] as const)
            assert.deepStrictEqual(yield* findByToken(purpose, [text]), Option.none())
      })
    )

    it.effect(
      "writes no token that the party ever had, wherever a partner puts it; what holds none as it came",
      () =>
        Effect.gen(function* () {
          const store = yield* PartyStore
          const id = PartyId.make("p_door")
          const live = "door-live-0123456789"
          const former = "door-former-0123456789"
          const offered = "door-offered-0123456789"
          const echo = [live, former, offered].map((one) => `${one} ${Buffer.from(one).toString("base64")}`)
          const counterpart = {
            ...party("p_door").counterpart,
            versionsUrl: `https://cpo.example/${live}/versions?t=${former}`
          }
          yield* store.insert({ ...party("p_door"), counterpart }, [token("outbound", live)])
          const inserted = JSON.stringify(yield* store.find(id))
          assert.notInclude(inserted, live)
          yield* store.putToken(id, "issued", token("issued", former))
          yield* store.putToken(id, "issued", token("issued", "door-issued-0123456789"))
          yield* store.remember(id, [token("outbound", offered)])
          const said = echo.join(" ")
          yield* store.update(id, (now) => ({
            ...now,
            lastError: `protocol: ${said}`,
            counterpart: {
              ...counterpart,
              endpoints: [{ identifier: `x-${live}`, role: null, url: `https://cpo.example/${former}/x` }],
              parties: [{ role: said, countryCode: "DE", partyId: "ABC", name: said }]
            },
            dialect: { ...now.dialect, deviations: [said] }
          }))
          const honest = object("DE/ABC/HONEST", "2026-01-01T00:00:00Z", {
            z: 1,
            name: "Straße",
            list: [null, "x"]
          })
          yield* store.putObject(id, honest)
          yield* store.putObject(
            id,
            object(`DE/ABC/${live}`, "2026-01-02T00:00:00Z", { [former]: { deep: [said] } })
          )
          assert.isTrue(yield* store.replaceObject(id, object("r", "2026-01-03T00:00:00Z", { said }), null))
          const { request, ...rest } = exchange("exc_door")
          const headers = { [`x-${live}`]: said }
          yield* store.record(id, {
            ...rest,
            operation: `PUT ${live}`,
            request: { ...request, headers, body: said, url: `https://us.example/${former}` }
          })
          const { items } = yield* store.objects(id, "locations", "received", { offset: 0, limit: 9 })
          const written = JSON.stringify([
            yield* store.find(id),
            items,
            yield* store.exchanges(id, 0, 9),
            yield* store.object(id, "locations", "received", "r")
          ])
          for (const secret of [live, former, offered])
            for (const form of [secret, Buffer.from(secret).toString("base64").replace(/=+$/, "")])
              assert.notInclude(written, form)
          assert.match(written, /«tokenB:[0-9a-f]{4}»/)
          assert.strictEqual(JSON.stringify(items[0]!.json), JSON.stringify(honest.json))
          // The partner finds its object where it has put it.
          assert.isTrue(Option.isSome(yield* store.object(id, "locations", "received", `de/abc/${live}`)))
          assert.isTrue(yield* store.removeObject(id, "locations", "received", `DE/ABC/${live}`))
        })
    )

    it.effect("takes no word for a token that an ordinary word is: what is ours stays as it is", () =>
      Effect.gen(function* () {
        const { find, insert, object: read, putObject, putToken, update } = yield* PartyStore
        const id = PartyId.make("p_words")
        const plain = party("p_words")
        yield* insert(plain, [
          token("outbound", "none"),
          token("issued", "EMSP"),
          token("pending", "locations")
        ])
        yield* putToken(id, "previous", token("previous", "registered"))
        const endpoint = {
          identifier: "locations",
          role: "SENDER",
          url: "https://cpo.example/locations"
        } as const
        const taught = (now: Party): Party => ({
          ...now,
          registration: "registered",
          counterpart: { ...now.counterpart, endpoints: [endpoint] }
        })
        yield* update(id, taught)
        assert.deepStrictEqual(yield* find(id), Option.some(taught(plain)))
        const json = { id: "EMSP", status: "none", tariff: "locations" }
        yield* putObject(id, object("EMSP", "2026-01-01T00:00:00Z", json))
        assert.deepStrictEqual(Option.getOrThrow(yield* read(id, "locations", "received", "EMSP")).json, json)
      })
    )

    it.effect("keeps so many tokens that are over, the newest, and never loses one in use", () =>
      Effect.gen(function* () {
        const { insert, putToken, remember, secrets } = yield* PartyStore
        const id = PartyId.make("p_many_secrets")
        yield* insert(party("p_many_secrets"), [token("issued", "in-use-for-long")])
        yield* putToken(id, "outbound", token("outbound", "replaced-at-first"))
        yield* putToken(id, "outbound", null)
        for (let n = 0; n < mostPastTokens + 10; n += 1) yield* remember(id, [token("outbound", `past-${n}`)])
        const texts = new Set((yield* secrets(id)).map(({ value }) => Redacted.value(value)))
        assert.isTrue(texts.has("in-use-for-long"))
        assert.isTrue(texts.has(`past-${mostPastTokens + 9}`))
        assert.isFalse(texts.has("replaced-at-first"))
        assert.isAtMost(texts.size, mostPastTokens + 1)
      })
    )

    it.effect("rotates: a token moves from pending to issued, the old one to previous, and then away", () =>
      Effect.gen(function* () {
        const { findByToken, insert, putToken, tokens } = yield* PartyStore
        const id = PartyId.make("p_rotate")
        yield* insert(party("p_rotate"), [token("issued", "rotate-old"), token("pending", "rotate-new")])
        yield* putToken(id, "previous", token("previous", "rotate-old"))
        yield* putToken(id, "issued", token("issued", "rotate-new"))
        yield* putToken(id, "pending", null)
        const held = (yield* tokens(id)).map(({ slot, value }) => [slot, Redacted.value(value)])
        assert.deepStrictEqual(held, [
          ["issued", "rotate-new"],
          ["previous", "rotate-old"]
        ])
        const slotOf = (text: string) =>
          Effect.map(
            findByToken("accept", [text]),
            Option.map(({ token }) => token.slot)
          )
        assert.deepStrictEqual(yield* slotOf("rotate-new"), Option.some("issued" as const))
        assert.deepStrictEqual(yield* slotOf("rotate-old"), Option.some("previous" as const))
        yield* putToken(id, "previous", null)
        assert.deepStrictEqual(yield* slotOf("rotate-old"), Option.none())
      })
    )

    it.effect("forgets tokens and objects with the party, and keeps its exchanges", () =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const id = PartyId.make("p_remove")
        yield* store.insert(party("p_remove"), [token("issued", "remove-1")])
        yield* store.putObject(id, object("NL/TNM/1", "2026-01-01T00:00:00Z"))
        yield* store.record(id, exchange("exc_remove"))
        yield* store.remove(id)
        assert.deepStrictEqual(yield* store.find(id), Option.none())
        assert.deepStrictEqual(yield* store.findByToken("accept", ["remove-1"]), Option.none())
        assert.strictEqual(
          (yield* store.objects(id, "locations", "received", { offset: 0, limit: 9 })).total,
          0
        )
        assert.strictEqual((yield* store.exchanges(id, 0, 9)).length, 1)
      })
    )

    it.effect("stores objects that are put at once, each object's last content, and says which are new", () =>
      Effect.gen(function* () {
        const { insert, object: read, putObject, removeObject } = yield* PartyStore
        const id = PartyId.make("p_at_once")
        yield* insert(party("p_at_once"), [])
        // From now on the party is in memory, and puts come to the store in their order.
        yield* putObject(id, object("first", "2026-01-01T00:00:00Z"))
        const keys = ["b", "a", "c", "A", "b", 'with "quotes" \\ and é', "b"]
        const puts = keys.map((key, at) =>
          putObject(id, { ...object(key, "2026-01-01T00:00:00Z"), json: { at } })
        )
        const made = yield* Effect.all(puts, { concurrency: "unbounded" })
        assert.deepStrictEqual(
          made.map(({ created }) => created),
          [true, true, true, false, false, true, false]
        )
        for (const [key, at] of [
          ["a", 3],
          ["b", 6],
          ["c", 2],
          [keys[5]!, 5]
        ] as const) {
          const { module, side } = object(key, "")
          const found = Option.getOrThrow(yield* read(id, module, side, key))
          assert.deepStrictEqual(found.json, { at })
          assert.isTrue(yield* removeObject(id, module, side, key))
        }
      })
    )

    it.effect("compares object keys without regard to case and keeps the JSON as it came", () =>
      Effect.gen(function* () {
        const { insert, object: read, putObject } = yield* PartyStore
        const id = PartyId.make("p_case")
        yield* insert(party("p_case"), [])
        const json = { z: 1, a: { name: "\0 Straße" } }
        assert.isTrue((yield* putObject(id, object("nl/tnm/Loc1", "2026-01-01T00:00:00Z"))).created)
        assert.isFalse((yield* putObject(id, object("NL/TNM/LOC1", "2026-01-02T00:00:00Z", json))).created)
        const found = Option.getOrThrow(yield* read(id, "locations", "received", "nL/tNm/loc1"))
        assert.strictEqual(JSON.stringify(found.json), JSON.stringify(json))
        assert.deepStrictEqual(yield* read(id, "locations", "own", "nl/tnm/loc1"), Option.none())
      })
    )

    it.effect("pages objects oldest first, by instants and not by their spelling", () =>
      Effect.gen(function* () {
        const { insert, objects, putObject } = yield* PartyStore
        const id = PartyId.make("p_pages")
        yield* insert(party("p_pages"), [])
        yield* putObject(id, object("c", "2026-01-03T00:00:00Z"))
        yield* putObject(id, object("b", "2026-01-02T00:00:00.000Z"))
        yield* putObject(id, object("a", "2026-01-02T00:00:00Z"))
        yield* putObject(id, object("old", "2026-01-01T00:00:00Z"))
        const page = yield* objects(id, "locations", "received", { offset: 1, limit: 2 })
        assert.deepStrictEqual([page.items.map(({ key }) => key), page.total], [["a", "b"], 4])
        const between = { from: "2026-01-02T00:00:00Z", to: "2026-01-03T00:00:00.000Z", offset: 0, limit: 1 }
        const filtered = yield* objects(id, "locations", "received", between)
        assert.deepStrictEqual([filtered.items.map(({ key }) => key), filtered.total], [["a"], 2])
      })
    )

    it.effect("loses no change of twenty at once to one object, nor the first of twenty that make it", () =>
      Effect.gen(function* () {
        const { insert, object: read, replaceObject } = yield* PartyStore
        const id = PartyId.make("p_replace")
        yield* insert(party("p_replace"), [])
        const change = (name: string): Effect.Effect<void> =>
          Effect.gen(function* () {
            const kept = Option.getOrUndefined(yield* read(id, "locations", "received", "NL/TNM/1"))
            yield* Effect.yieldNow()
            const changed = object("nl/tnm/1", "2026-01-01T00:00:00Z", { ...kept?.json, [name]: name })
            if (!(yield* replaceObject(id, changed, kept?.revision ?? null))) yield* change(name)
          })
        const names = Array.from({ length: 20 }, (_, n) => `f${n}`)
        yield* Effect.forEach(names, change, { concurrency: "unbounded", discard: true })
        const found = Option.getOrThrow(yield* read(id, "locations", "received", "NL/TNM/1"))
        assert.sameMembers(Object.keys(found.json), names)
      })
    )

    it.effect(
      "replaces nothing that was changed or removed meanwhile, and takes what is there for done",
      () =>
        Effect.gen(function* () {
          const { insert, object: read, putObject, removeObject, replaceObject } = yield* PartyStore
          const id = PartyId.make("p_overtaken")
          yield* insert(party("p_overtaken"), [])
          const at = (n: number) => object("x", "2026-01-01T00:00:00Z", { n })
          assert.isTrue(yield* replaceObject(id, at(1), null))
          assert.isFalse(yield* replaceObject(id, at(2), null))
          const { revision } = Option.getOrThrow(yield* read(id, "locations", "received", "x"))
          yield* putObject(id, at(3))
          assert.isFalse(yield* replaceObject(id, at(4), revision))
          assert.isTrue(yield* replaceObject(id, at(3), revision))
          assert.isTrue(yield* replaceObject(id, at(3), null))
          yield* removeObject(id, "locations", "received", "x")
          assert.isFalse(yield* replaceObject(id, at(5), revision))
          assert.deepStrictEqual(yield* read(id, "locations", "received", "x"), Option.none())
          assert.isTrue(yield* replaceObject(PartyId.make("p_nobody"), at(6), null))
        })
    )

    it.effect("finds whose response_url has an id, and nobody for another one", () =>
      Effect.gen(function* () {
        const { expecting, insert, putObject, remove } = yield* PartyStore
        const asking = party("conn_asking")
        yield* insert(asking, [])
        const key = "exc_ResultOfAsking"
        yield* putObject(asking.id, {
          module: expectedResults,
          key,
          side: "own",
          json: { command: "START_SESSION" },
          lastUpdated: "2026-01-01T00:00:00Z"
        })
        assert.deepStrictEqual(yield* expecting(key.toUpperCase()), Option.some(asking.id))
        assert.deepStrictEqual(yield* expecting(`${key}x`), Option.none())
        assert.deepStrictEqual(yield* expecting("\u0000"), Option.none())
        yield* remove(asking.id)
        assert.deepStrictEqual(yield* expecting(key), Option.none())
      })
    )
    it.effect("removes an object once", () =>
      Effect.gen(function* () {
        const { insert, putObject, removeObject } = yield* PartyStore
        const id = PartyId.make("p_removeObject")
        yield* insert(party("p_removeObject"), [])
        yield* putObject(id, object("x", "2026-01-01T00:00:00Z"))
        assert.isTrue(yield* removeObject(id, "locations", "received", "X"))
        assert.isFalse(yield* removeObject(id, "locations", "received", "x"))
      })
    )

    it.effect(
      "keeps exchanges in order, absorbs one that is recorded twice, and wakes only for inbound ones",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const { arrivals, exchanges, exchangesBefore, head, inboundAfter, insert, record } =
              yield* PartyStore
            const id = PartyId.make("p_exchanges")
            yield* insert(party("p_exchanges"), [])
            const woken = yield* PubSub.subscribe(arrivals)
            yield* record(id, exchange("exc_1", "outbound"))
            yield* record(id, exchange("exc_2"))
            yield* record(id, { ...exchange("exc_1", "outbound"), outcome: "completed" })
            yield* record(id, exchange("exc_3"))
            const all = yield* exchanges(id, 0, 10)
            assert.deepStrictEqual(
              all.map(({ exchange: { id, outcome } }) => [id, outcome]),
              [
                ["exc_1", "completed"],
                ["exc_2", "unknown"],
                ["exc_3", "unknown"]
              ]
            )
            assert.deepStrictEqual(all[1]!.exchange, exchange("exc_2"))
            assert.strictEqual(yield* head(id), all[2]!.position)
            const outbound = yield* exchanges(id, 0, 10, "outbound")
            assert.deepStrictEqual(outbound, all.slice(0, 1))
            const before = (page: Omit<ExchangePage, "limit">, limit = 2) =>
              Effect.map(exchangesBefore(id, { limit, ...page }), (found) => found.map(({ id }) => id))
            assert.deepStrictEqual(yield* before({}), ["exc_3", "exc_2"])
            assert.deepStrictEqual(yield* before({ cursor: "exc_2" }), ["exc_1"])
            assert.deepStrictEqual(yield* before({ direction: "inbound" }, 9), ["exc_3", "exc_2"])
            assert.deepStrictEqual(yield* before({ direction: "outbound" }), ["exc_1"])
            assert.deepStrictEqual(yield* before({ direction: "outbound", cursor: "exc_1" }), [])
            for (const cursor of ["exc_gone", "\0"]) assert.deepStrictEqual(yield* before({ cursor }), [])
            const later = yield* inboundAfter(id, all[0]!.position, 1)
            assert.deepStrictEqual(
              later.map(({ exchange: { id } }) => id),
              ["exc_2"]
            )
            assert.deepStrictEqual([...(yield* Queue.takeAll(woken))], [id, id])
          })
        )
    )

    it.effect(
      "keeps the latest of the calls that were refused, and all others",
      () =>
        Effect.gen(function* () {
          const { inboundAfter, insert, record } = yield* PartyStore
          const [id, other] = [PartyId.make("p_refused"), PartyId.make("p_refused_too")]
          yield* insert(party("p_refused"), [])
          yield* insert(party("p_refused_too"), [])
          yield* record(id, exchange("exc_good"))
          yield* record(other, exchange("exc_other"), "refused")
          yield* Effect.forEach(Array.from({ length: refusedKept + 20 }), (_, n) =>
            record(id, exchange(`exc_${n}`), "refused")
          )
          const all = yield* inboundAfter(id, 0, 5000)
          assert.lengthOf(all, refusedKept + 1)
          assert.deepStrictEqual(
            [all[0]!.exchange.id, all[1]!.exchange.id, all.at(-1)!.exchange.id],
            ["exc_good", "exc_20", `exc_${refusedKept + 19}`]
          )
          assert.lengthOf(yield* inboundAfter(other, 0, 10), 1)
        }),
      60_000
    )

    it.effect("lets no reader of growing positions miss a slower writer", () =>
      Effect.gen(function* () {
        const { inboundAfter, insert, record } = yield* PartyStore
        const id = PartyId.make("p_race")
        yield* insert(party("p_race"), [])
        const seen: Array<string> = []
        const writing = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 200 }, (_, n) => `exc_${n}`),
            (name) => record(id, exchange(name)),
            {
              concurrency: 20,
              discard: true
            }
          )
        )
        let position = 0
        while (seen.length < 200) {
          const isWritten = writing.unsafePoll() !== null
          const page = yield* inboundAfter(id, position, 50)
          seen.push(...page.map(({ exchange }) => exchange.id))
          position = page.at(-1)?.position ?? position
          yield* Effect.yieldNow()
          if (isWritten && page.length === 0) break
        }
        assert.strictEqual(new Set(seen).size, 200)
      })
    )

    it.effect("finds the parties whose simulation no living process carries on", () =>
      Effect.gen(function* () {
        const { insert, leftBehind, putObject, removeObject } = yield* PartyStore
        const living = new Set(["living"])
        yield* insert(party("conn_under_way"), [])
        yield* insert(party("conn_still"), [])
        const object = { key: "1", json: {}, lastUpdated: "2026-01-01T00:00:00Z" } as const
        yield* putObject(PartyId.make("conn_still"), { ...object, module: "sessions", side: "own" })
        yield* putObject(PartyId.make("conn_still"), { ...object, module: "charges", side: "received" })
        const underWay = PartyId.make("conn_under_way")
        for (const module of ["charges", "reservations", "activity"]) {
          yield* putObject(underWay, { ...object, json: { by: "dead" }, module, side: "own" })
          assert.deepStrictEqual(yield* leftBehind(living), [underWay])
          yield* putObject(underWay, { ...object, json: { by: "living" }, module, side: "own" })
          assert.deepStrictEqual(yield* leftBehind(living), [])
          yield* removeObject(underWay, module, "own", "1")
        }
      })
    )

    it.effect(
      "takes a charge that names no process for left behind, and what a partner has done for done",
      () =>
        Effect.gen(function* () {
          const { insert, leftBehind, putObject } = yield* PartyStore
          const object = { key: "1", side: "own", json: {}, lastUpdated: "2026-01-01T00:00:00Z" } as const
          yield* insert(party("sbx_charges_unnamed"), [])
          yield* insert(party("sbx_has_told"), [])
          yield* putObject(PartyId.make("sbx_charges_unnamed"), { ...object, module: "charges" })
          yield* putObject(PartyId.make("sbx_has_told"), { ...object, module: "activity" })
          assert.deepStrictEqual(yield* leftBehind(new Set()), [PartyId.make("sbx_charges_unnamed")])
        })
    )

    it.effect("lists objects as they were first stored where that is asked, whatever changes", () =>
      Effect.gen(function* () {
        const { insert, object, objects, putObject, removeObject, replaceObject } = yield* PartyStore
        const id = PartyId.make("sbx_order")
        yield* insert(party("sbx_order"), [])
        const at = (key: string, day: number) => ({
          module: "locations",
          key,
          side: "own" as const,
          json: { id: key, day },
          lastUpdated: `2026-01-0${day}T00:00:00Z`
        })
        const listed = (offset = 0, limit = 9) =>
          Effect.map(
            objects(id, "locations", "own", { offset, limit, order: "created" }),
            ({ items, total }) => ({ keys: items.map(({ key }) => key), total })
          )
        yield* putObject(id, at("C", 3))
        yield* putObject(id, at("A", 2))
        assert.isTrue(yield* replaceObject(id, at("B", 1), null))
        assert.deepStrictEqual(yield* listed(), { keys: ["C", "A", "B"], total: 3 })
        // A change in the store, of either kind, leaves each in its place.
        yield* putObject(id, at("C", 5))
        const known = Option.getOrThrow(yield* object(id, "locations", "own", "A"))
        assert.isTrue(yield* replaceObject(id, at("A", 6), known.revision))
        assert.deepStrictEqual(yield* listed(), { keys: ["C", "A", "B"], total: 3 })
        assert.deepStrictEqual(yield* listed(1, 1), { keys: ["A"], total: 3 })
        const since = yield* objects(id, "locations", "own", {
          from: "2026-01-04T00:00:00Z",
          offset: 0,
          limit: 9,
          order: "created"
        })
        assert.deepStrictEqual(
          since.items.map(({ key }) => key),
          ["C", "A"]
        )
        assert.isTrue(yield* removeObject(id, "locations", "own", "C"))
        yield* putObject(id, at("C", 7))
        assert.deepStrictEqual((yield* listed()).keys, ["A", "B", "C"])
      })
    )

    it.effect("lists an owner's sandboxes, newest first, and nobody else's", () =>
      Effect.gen(function* () {
        const { allSandboxes, insert, sandboxes } = yield* PartyStore
        const other = OwnerId.make("own_other")
        yield* insert(party("sbx_1", "sandbox"), [])
        yield* insert(party("sbx_2", "sandbox"), [])
        yield* insert({ ...party("sbx_3", "sandbox"), ownerId: other }, [])
        const own = yield* sandboxes(owner)
        assert.deepStrictEqual(
          own.map(({ id }) => id as string),
          ["sbx_2", "sbx_1"]
        )
        assert.isNotNaN(Date.parse(own[0]!.createdAt))
        assert.strictEqual((yield* allSandboxes).length, 3)
      })
    )
  })
