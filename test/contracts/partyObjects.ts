/** What every PartyStore promises of the objects of a party. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { PartyId } from "../../schema/Ids.ts"
import { expectedResults, PartyStore } from "../../src/store/parties/PartyStore.ts"
import { object, party } from "../support/parties/heldParties.ts"

export const partyObjectsContract = <E>(name: string, live: Layer.Layer<PartyStore, E>) =>
  layer(live)(`${name}, objects`, (it) => {
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

    it.effect("finds what was received under an id, whoever owns it", () =>
      Effect.gen(function* () {
        const { insert, putObject, receivedAs } = yield* PartyStore
        const id = PartyId.make("p_received_as")
        yield* insert(party("p_received_as"), [])
        yield* putObject(id, object("NL/TNM/Loc%1", "2026-01-02T00:00:00Z"))
        yield* putObject(id, object("de/abc/LOC%1", "2026-01-01T00:00:00Z"))
        yield* putObject(id, object("NL/TNM/XLoc%1", "2026-01-01T00:00:00Z"))
        yield* putObject(id, object("NL/TNM/Loc11", "2026-01-01T00:00:00Z"))
        yield* putObject(id, { ...object("NL/TNM/Loc%1", "2026-01-01T00:00:00Z"), side: "own" })
        const keysOf = (module: string, objectId: string) =>
          Effect.map(receivedAs(id, module, objectId), (found) => found.map(({ key }) => key))
        assert.deepStrictEqual(yield* keysOf("locations", "loc%1"), ["de/abc/LOC%1", "NL/TNM/Loc%1"])
        assert.deepStrictEqual(yield* keysOf("sessions", "loc%1"), [])
        assert.deepStrictEqual(yield* keysOf("locations", ""), [])
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
  })
