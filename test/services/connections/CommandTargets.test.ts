/** The party behind a hub that a single command is for. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { CommandTargets } from "../../../src/services/connections/CommandTargets.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { party, scriptedPartner } from "../../support/parties/ScriptedPartner.ts"

const named = (role: string, partyId: string) => ({ role, countryCode: "DE", partyId, name: partyId })
const hub = { ...party, counterpart: { ...party.counterpart, parties: [named("HUB", "HUB")] } }

const reserving = (reservation_id: string, location_id: string) =>
  ({ request: { body: JSON.stringify({ reservation_id, location_id }) } }) as Exchange // only this is read

/** The party that the command is for, and how many requests were sent to find it. */
const recipient = (body: Readonly<Record<string, unknown>>, of = hub) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.insert(of, [])
    yield* store.putObject(of.id, {
      module: "sessions",
      key: "DE/TWO/S1",
      side: "received",
      json: { country_code: "DE", party_id: "TWO", id: "S1" },
      lastUpdated: "2026-06-01T00:00:00.000Z"
    })
    const partner = scriptedPartner(store)
    const before = {
      among: [{ country_code: "DE", party_id: "ONE", id: "L1" }],
      earlier: Effect.succeed([reserving("R2", "L1"), reserving("R1", "LOC1")])
    }
    const found = yield* Effect.flatMap(CommandTargets, (targets) =>
      targets.recipient(of, body, before)
    ).pipe(Effect.provide(Layer.provide(CommandTargets.layer, partner.layer)))
    return [found?.partyId, partner.hits.length]
  }).pipe(Effect.provide(PartyStoreMemory))

describe("a command to a hub", () => {
  it.effect.each([
    ["the owner of the location that was chosen", { location_id: "l1" }, ["ONE", 0]],
    ["the owner of the session that was pushed", { session_id: "S1" }, ["TWO", 0]],
    ["the owner of a location that the hub lists", { location_id: "LOC1" }, ["CPO", 1]],
    ["the party of the reservation", { reservation_id: "R1" }, ["CPO", 1]],
    ["nobody who is known, at a location that nobody lists", { location_id: "L9" }, [undefined, 1]],
    ["nobody who is known, of a reservation that we did not make", { reservation_id: "R9" }, [undefined, 0]]
  ] as const)("is for %s", ([_, body, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* recipient(body), [...expected])
    })
  )
})

describe("a command to a platform of several parties", () => {
  it.effect("is for the owner of the location, which the list of each is read for until it is found", () =>
    Effect.gen(function* () {
      const parties = [named("CPO", "ONE"), named("CPO", "CPO"), named("CPO", "TWO")]
      const several = { ...party, counterpart: { ...party.counterpart, parties } }
      assert.deepStrictEqual(yield* recipient({ location_id: "LOC1" }, several), ["CPO", 1])
      assert.deepStrictEqual(yield* recipient({ location_id: "L9" }, several), [undefined, 3])
    })
  )
})

describe("a command to a platform of one party", () => {
  it.effect("is for that party, which nothing has to be asked for", () =>
    Effect.gen(function* () {
      const one = { ...party, counterpart: { ...party.counterpart, parties: [named("CPO", "CPO")] } }
      assert.deepStrictEqual(yield* recipient({ location_id: "LOC1" }, one), [undefined, 0])
    })
  )
})
