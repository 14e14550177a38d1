/** What every PartyStore promises of parties and their tokens. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option, Redacted } from "effect"
import { OwnerId, PartyId } from "../../schema/Ids.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import {
  type AcceptedToken,
  type Found,
  mostPastTokens,
  PartyStore
} from "../../src/store/parties/PartyStore.ts"
import { acceptedSlots, recognisedSlots } from "../../src/store/parties/TokenSlot.ts"
import { exchange, object, owner, party, token } from "../support/parties/heldParties.ts"
import { disguisesOf } from "./disguises.ts"

export const partyStoreContract = <E>(name: string, live: Layer.Layer<PartyStore, E>) =>
  layer(live)(`${name}, parties and tokens`, (it) => {
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
