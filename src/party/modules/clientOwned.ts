/** Objects that the partner owns and keeps at our side: GET, PUT and PATCH under `{country}/{party}/{id}`. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../findings/json.ts"
import { sameId } from "../../findings/json.ts"
import { type KeptObject, type PartyObject, PartyStore } from "../../store/parties/PartyStore.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import { instantOf, nowIso } from "../wire/instants.ts"
import type { ModuleCall, Refusal } from "./Route.ts"
import { notFound, Overtaken, refusal, stored, success } from "./Route.ts"
import { objectBody, sameIds, valid, validBody } from "./requestBody.ts"

/** One kind of client-owned object. */
export interface ClientOwnedKind {
  readonly module: string
  readonly object: ObjectName
  /** The field that holds the id of the path. */
  readonly idField: string
  /** OCPI status code beside HTTP 404. */
  readonly unknown: number | ((profile: VersionProfile) => number)
  /** How a PATCH changes what is kept; absent: named fields replace. */
  readonly merge?: (kept: JsonObject, patch: JsonObject, profile: VersionProfile) => JsonObject
  /** Why an object that is valid is not taken all the same. */
  readonly admit?: (call: ModuleCall, json: JsonObject) => Effect.Effect<void, Refusal>
  /** Where the object stands, when its id alone does not tell. */
  readonly keyOf?: (key: string, call: ModuleCall, json: JsonObject | undefined) => string
}

/** `{country}/{party}/{id}` of the path, after making sure that the path's party is one of the partner's. */
export const ownedKey = (call: ModuleCall): Effect.Effect<string, Refusal> => {
  const { country, id, party } = call.params as { country: string; party: string; id: string } // names of the pattern
  return isPartners(call, country, party)
    ? Effect.succeed(`${country}/${party}/${id}`)
    : Effect.fail(
        notFound(
          ocpiStatus.invalidParameters,
          `${country}/${party} is not a party of this connection's partner`
        )
      )
}

/** Is it a party that the partner named in its credentials? Before it named any, all are. */
export const isPartners = (call: ModuleCall, countryCode: string, partyId: string): boolean => {
  const parties = call.party.counterpart.parties
  return (
    parties === null ||
    parties.some((known) => sameId(known.countryCode, countryCode) && sameId(known.partyId, partyId))
  )
}

/** The kept object, or 404. */
export const keptObject = Effect.fn("party.keptObject")(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  key: string
) {
  const store = yield* PartyStore
  const found = yield* store.object(call.party.id, kind.module, "received", key)
  if (Option.isNone(found))
    return yield* notFound(
      unknownStatus(kind, call.profile),
      `No ${kind.object} ${key} has been put here; PUT it first`
    )
  return found.value
})

/** OCPI status code for an object of that kind which is not here. */
export const unknownStatus = ({ unknown }: ClientOwnedKind, profile: VersionProfile): number =>
  typeof unknown === "number" ? unknown : unknown(profile)

export const getOwned = (kind: ClientOwnedKind) => (call: ModuleCall) =>
  Effect.gen(function* () {
    const key = yield* ownedKey(call)
    const { json } = yield* keptObject(call, kind, kind.keyOf?.(key, call, undefined) ?? key)
    return success(json)
  })

export const putOwned = (kind: ClientOwnedKind) => (call: ModuleCall) =>
  Effect.gen(function* () {
    const path = yield* ownedKey(call)
    const json = yield* validBody(call, kind.object)
    yield* sameIds(json, {
      [kind.idField]: call.params["id"],
      country_code: call.params["country"],
      party_id: call.params["party"]
    })
    yield* kind.admit?.(call, json) ?? Effect.void
    return stored((yield* keep(call, kind, kind.keyOf?.(path, call, json) ?? path, json)).created)
  })

export const patchOwned = (kind: ClientOwnedKind) => (call: ModuleCall) =>
  Effect.gen(function* () {
    const path = yield* ownedKey(call)
    const patch = yield* patchBody(call)
    yield* sameIds(patch, {
      [kind.idField]: call.params["id"],
      country_code: call.params["country"],
      party_id: call.params["party"]
    })
    const key = kind.keyOf?.(path, call, undefined) ?? path
    const kept = yield* keptObject(call, kind, key)
    const merged = kind.merge?.(kept.json, patch, call.profile) ?? { ...kept.json, ...patch }
    yield* valid(call.profile, kind.object, merged)
    yield* keepOver(call, kind, kept, key, merged)
    return success()
  })

/** A PATCH body: an object, and where the version wants it so it says when the change happened. */
export const patchBody = Effect.fn("party.patchBody")(function* (call: ModuleCall) {
  const patch = yield* objectBody(call)
  if (call.profile.patchNeedsLastUpdated && instantOf(patch["last_updated"]) === undefined)
    return yield* refusal(ocpiStatus.invalidParameters, "A PATCH must carry last_updated, a DateTime in UTC")
  return patch
})

/** Keeps the object as it came, and lets a simulated EMSP hear of it; its instant is its `last_updated`, or now where it has none. */
export const keep = Effect.fn("party.keep")(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  key: string,
  json: JsonObject
) {
  const store = yield* PartyStore
  const simulation = yield* ChargingSimulation
  const kept = yield* store.putObject(call.party.id, yield* received(kind, key, json))
  yield* simulation.hear(call.party, kind.module, json)
  return kept
})

/** Like `keep`, but in the place of what was read, or of nothing: whoever has changed it meanwhile loses no change. */
export const keepOver = Effect.fn("party.keepOver")(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  read: KeptObject | undefined,
  key: string,
  json: JsonObject
) {
  const store = yield* PartyStore
  const simulation = yield* ChargingSimulation
  const object = yield* received(kind, key, json)
  const done = yield* store.replaceObject(call.party.id, object, read?.revision ?? null)
  if (!done) return yield* new Overtaken({ key })
  yield* simulation.hear(call.party, kind.module, json)
})

const received = ({ module }: ClientOwnedKind, key: string, json: JsonObject) =>
  Effect.map(
    nowIso,
    (now): PartyObject => ({
      module,
      key,
      side: "received",
      json,
      lastUpdated: instantOf(json["last_updated"]) ?? now
    })
  )
