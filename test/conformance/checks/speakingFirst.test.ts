/** What partners do first: an EMSP that sends commands and tokens, a CPO at whose charge points cards are shown. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../schema/Connection.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { chargingProfileCall } from "../../../src/party/chargingProfileCall.ts"
import { PartnerCalls } from "../../../src/party/PartnerCalls.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { push } from "../../../src/party/simulation/pushes.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { type Party, PartyStore } from "../../../src/store/PartyStore.ts"
import { gradedQuickly, type Happening, type Scene } from "../quickWorld.ts"

const observed: Readonly<Record<Role, ReadonlyArray<string>>> = {
  EMSP: [
    ...["CMD-101", "CMD-102", "CMD-103", "CMD-104", "CMD-105", "CMD-106", "TOK-028", "TOK-029"],
    ...["CMD-107", "CMD-108", "CMD-109", "CMD-110", "CMD-111", "CMD-112", "CP-101", "CP-102"]
  ],
  CPO: ["TOK-122", "TOK-124"]
}

const own = (party: Party, module: string) =>
  Effect.flatMap(PartyStore, (store) =>
    Effect.map(store.objects(party.id, module, "own", { offset: 0, limit: 100 }), ({ items }) =>
      // A test looks into JSON of any shape.
      items.map(({ json }) => json as any)
    )
  )

/** The EMSP starts at an EVSE of ours, reserves one, and unlocks one. */
const commandsTo: Happening = ({ ours, partner }) =>
  Effect.gen(function* () {
    const [location] = yield* own(ours, "locations")
    const [token] = yield* own(partner, "tokens")
    const evse = location.evses[0]
    const place = { location_id: location.id, evse_uid: evse.uid }
    const reservation_id = profileOf(ours.version).reservationId === "text" ? "R1" : 1
    const reserve = { token, reservation_id, expiry_date: "2099-01-01T00:00:00Z", ...place }
    const unlock = { ...place, connector_id: evse.connectors[0].id }
    for (const [index, [name, body]] of [
      ["START_SESSION", { token, ...place }] as const,
      ["RESERVE_NOW", reserve] as const,
      ["UNLOCK_CONNECTOR", unlock] as const
    ].entries()) {
      const response_url = yield* (yield* PartnerCalls).expectResult(partner, name, `command-${index}`)
      const what = {
        module: "commands",
        operation: name,
        method: "POST",
        body: { ...body, response_url }
      } as const
      yield* push(partner, what, { path: [name], interfaceRole: "RECEIVER" }, "correlation-1")
    }
  })

/** The EMSP sets, reads and clears the charging profile of a session of ours that is under way. */
const profilesTo: Happening = ({ ours, partner }) =>
  Effect.gen(function* () {
    const client = yield* OcpiClient
    const store = yield* PartyStore
    const [past] = yield* own(ours, "sessions")
    const at = (yield* own(ours, "locations")).flatMap(({ evses, id }) =>
      evses
        .filter((evse: any) => evse.capabilities?.includes("CHARGING_PROFILE_CAPABLE"))
        .map(({ uid }: any) => ({ location_id: id, evse_uid: uid, status: "ACTIVE" }))
    )[0]
    const lastUpdated = "2026-06-01T12:00:00Z"
    yield* store.putObject(ours.id, {
      module: "sessions",
      key: past.id,
      side: "own",
      json: { ...past, ...at },
      lastUpdated
    })
    const profile = { charging_rate_unit: "W", charging_profile_period: [{ start_period: 0, limit: 3600 }] }
    for (const request of [
      { request: "set", profile },
      { request: "read", durationSeconds: 600 },
      { request: "clear" }
    ] as const) {
      const ids = { exchangeId: `exc_${request.request}`, resultKey: `profile-${request.request}` }
      yield* client.exchange(yield* chargingProfileCall(partner, past.id, request, ids))
    }
  })

/** Our EVSEs can neither be started from afar, nor reserved, nor unlocked. */
const withoutCapabilities = (party: Party) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    for (const location of yield* own(party, "locations")) {
      const evses = location.evses.map((evse: any) => ({ ...evse, capabilities: ["RFID_READER"] }))
      const json = { ...location, evses }
      const lastUpdated = "2026-06-01T12:00:00Z"
      yield* store.putObject(party.id, {
        module: "locations",
        key: location.id,
        side: "own",
        json,
        lastUpdated
      })
    }
  })

/** A card of ours is shown at the CPO, and one that nobody knows. */
const cardsAt: Happening = ({ ours, partner }) =>
  Effect.gen(function* () {
    const simulation = yield* ChargingSimulation
    const tokens = yield* own(ours, "tokens")
    const card = tokens.find(
      ({ type, valid, whitelist }) => type === "RFID" && valid && whitelist === "NEVER"
    )
    const [first, second] = yield* own(partner, "locations")
    for (const [tokenUid, location] of [
      [String(card.uid), first],
      ["NOBODYS-CARD", second]
    ] as const)
      yield* simulation.swipe(partner, {
        tokenUid,
        locationId: location.id,
        evseUid: location.evses[0].uid
      })
  })

const spokenTo = (version: OcpiVersion): Happening =>
  profileOf(version).modules.includes("chargingprofiles")
    ? (pair) => Effect.zipRight(commandsTo(pair), profilesTo(pair))
    : commandsTo

const scene = (role: Role, version: OcpiVersion, faults: ReadonlyArray<string> = []): Scene => ({
  role,
  version,
  faults,
  checks: observed[role],
  activity: role === "EMSP" ? "catalogue" : "quiet",
  listenSeconds: 60,
  before: role === "EMSP" ? spokenTo(version) : cardsAt
})

describe("partners that speak first", () => {
  const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
  it.live.each(honest)("are all right when they are an honest $role in $version", ({ role, version }) =>
    Effect.map(gradedQuickly(scene(role, version)), ({ assertions }) => {
      // Nobody has started where a connector is required.
      const told = assertions.filter(({ id }) => id !== "CMD-105")
      assert.isNotEmpty(told)
      for (const { id, message, outcome, reason } of told)
        assert.strictEqual(outcome, "passed", `${id}: ${message ?? reason}`)
    })
  )

  it.live.each(versionNumbers)("are told when an EVSE cannot do what they command, in %s", (version) =>
    Effect.map(
      gradedQuickly({
        ...scene("EMSP", version),
        checks: ["CMD-106"],
        before: (pair) => Effect.zipRight(withoutCapabilities(pair.ours), commandsTo(pair))
      }),
      ({ assertions: [assertion] }) => assert.strictEqual(assertion?.outcome, "warned")
    )
  )

  const proofs = faultLibrary.flatMap(({ caughtBy, id, roles, versions }) =>
    roles.flatMap((role) => {
      const checks = caughtBy.filter((check) => observed[role].includes(check))
      return checks.length === 0
        ? []
        : versions
            .filter((version) => profileOf(version).modules.includes("commands"))
            .map((version) => ({ fault: id, role, version, checks }))
    })
  )
  it.live.each(proofs)("$checks catch $fault in $version", ({ checks, fault, role, version }) =>
    Effect.map(gradedQuickly(scene(role, version, [fault])), ({ assertions }) => {
      for (const { id, message, outcome, reason } of assertions)
        if (checks.includes(id))
          assert.include(["failed", "warned"], outcome, `${id}: ${message ?? reason ?? "passed"}`)
    })
  )
})
