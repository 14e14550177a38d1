/** What partners do first: an EMSP that sends commands and charging profiles, a CPO at whose charge points cards are shown. */
import { Effect, Schedule } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { push } from "../../../src/party/simulation/engine/pushes.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import type { Happening } from "../../support/parties/quickWorld.ts"
import { askForProfile } from "./askForProfile.ts"

/** Its own objects of a module. */
export const own = (party: Party, module: string) =>
  Effect.flatMap(PartyStore, (store) =>
    Effect.map(store.objects(party.id, module, "own", { offset: 0, limit: 100 }), ({ items }) =>
      // A test looks into JSON of any shape.
      items.map(({ json }) => json as any)
    )
  )

/** The EMSP starts at an EVSE of ours, reserves one, and unlocks one. */
export const commandsTo: Happening = ({ ours, partner }) =>
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
      yield* askForProfile(partner, past.id, request, `profile-${request.request}`)
    }
  })

/** A card of ours is shown at the CPO, and one that nobody knows. */
export const cardsAt: Happening = ({ ours, partner }) =>
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

/** Drivers show the cards of the run that the CPO was told of, and the one that it was not, each at another location. */
export const drivers: Happening = ({ partner }) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const simulation = yield* ChargingSimulation
    const told = Effect.map(
      store.objects(partner.id, "tokens", "received", { offset: 0, limit: 100 }),
      ({ items }) => items.map(({ json }) => String(json["uid"])).filter((uid) => /^TST-.*-CARD-/.test(uid))
    )
    yield* Effect.repeat(Effect.sleep("1 second"), {
      until: () => Effect.map(told, (uids) => uids.length > 0)
    })
    yield* Effect.sleep("2 seconds")
    const uids = yield* told
    // The run itself charges at the first ones, and while drivers are there at one of those that follow theirs.
    const locations = (yield* own(partner, "locations")).toReversed()
    const stranger = uids[0]?.replace(/[A-Z]+$/, "UNKNOWN") ?? ""
    for (const [index, tokenUid] of [...uids, stranger].entries()) {
      const { evses, id } = locations[tokenUid === stranger ? index + 1 : index]
      yield* simulation.swipe(partner, { tokenUid, locationId: id, evseUid: evses[0].uid })
    }
  })

/** It registers, and tries until it is: as a person who watches the run does. */
export const itsTurn: Happening = ({ partner }) =>
  Effect.flatMap(Handshake, (handshake) => handshake.run(partner.id)).pipe(
    Effect.delay("5 seconds"),
    Effect.repeat({ until: ({ ok }) => ok, schedule: Schedule.spaced("20 seconds") })
  )

/** The EMSP speaks to us in all ways that the version has. */
export const spokenTo = (version: OcpiVersion): Happening =>
  profileOf(version).modules.includes("chargingprofiles")
    ? (pair) => Effect.zipRight(commandsTo(pair), profilesTo(pair))
    : commandsTo
