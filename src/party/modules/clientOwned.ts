/** Client-owned objects, which the partner keeps with us: GET, PUT and PATCH under `{country}/{party}/{id}`. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../findings/json.ts"
import { sameId } from "../../findings/json.ts"
import { type KeptObject, type PartyObject, PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import { hasHub } from "../wire/credentialsObject.ts"
import { instantOf, nowIso } from "../wire/instants.ts"
import { quirksOf } from "../wire/PartnerQuirks.ts"
import type { ModuleCall, Refusal } from "./Route.ts"
import { CallerChanged, notFound, Overtaken, refusal, stored, success } from "./Route.ts"
import { objectBody, sameIds, valid, validBody } from "./requestBody.ts"

/** One kind of client-owned object. */
export interface ClientOwnedKind {
  readonly module: string
  readonly object: ObjectName
  /** The field with the id of the path. */
  readonly idField: string
  /** OCPI status code that comes with HTTP 404. */
  readonly unknown: number | ((profile: VersionProfile) => number)
  /** How a PATCH changes the stored object; absent: its fields replace those of the same name. */
  readonly merge?: (kept: JsonObject, patch: JsonObject, profile: VersionProfile) => JsonObject
  /** A further rule by which a valid object may be refused. */
  readonly admit?: (call: ModuleCall, json: JsonObject) => Effect.Effect<void, Refusal>
  /** The key of the object, when its id alone is not unique. */
  readonly keyOf?: (key: string, call: ModuleCall, json: JsonObject | undefined) => string
}

/** The key `{country}/{party}/{id}` of the path; refused when the path's party is none of the partner's. */
export const ownedKey = (call: ModuleCall): Effect.Effect<string, Refusal> => {
  const { country, id, party } = call.params as { country: string; party: string; id: string } // the pattern has these names
  return isPartners(call, country, party)
    ? Effect.map(quirksOf(call.party), (has) =>
        has("keeps one object of each id") ? `-/-/${id}` : `${country}/${party}/${id}`
      )
    : notFound(
        ocpiStatus.invalidParameters,
        `${country}/${party} is not a party of this connection's partner`
      )
}

/** Did the partner name this party in its credentials? Before it named any, all count; so they do where it is a hub. */
export const isPartners = (call: ModuleCall, countryCode: string, partyId: string): boolean => {
  const parties = call.party.counterpart.parties
  return (
    parties === null ||
    hasHub(parties) ||
    parties.some((known) => sameId(known.countryCode, countryCode) && sameId(known.partyId, partyId))
  )
}

/** The stored object; refused with 404 when there is none. Fails with `CallerChanged` if the party is not as of `asOf`. */
export const keptObject = traced("party.keptObject")(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  key: string
) {
  const store = yield* PartyStore
  const { asOf, party } = call
  const since = performance.now()
  const found = yield* store.object(party.id, kind.module, "received", key)
  if (asOf !== undefined && !(yield* store.isCurrent(party.id, asOf, since)))
    return yield* new CallerChanged()
  if (Option.isNone(found))
    return yield* notFound(
      unknownStatus(kind, call.profile),
      `No ${kind.object} ${key} was PUT here, and what is only read in your list is not kept: PUT the whole ${kind.object} before any change of it`
    )
  return found.value
})

/** The OCPI status code for a missing object of that kind. */
export const unknownStatus = ({ unknown }: ClientOwnedKind, profile: VersionProfile): number =>
  typeof unknown === "number" ? unknown : unknown(profile)

/** Handler of GET: the stored object. */
export const getOwned = (kind: ClientOwnedKind) =>
  Effect.fnUntraced(function* (call: ModuleCall) {
    const key = yield* ownedKey(call)
    const { json } = yield* keptObject(call, kind, kind.keyOf?.(key, call, undefined) ?? key)
    return success(json)
  })

/** Handler of PUT: validates the body, compares its ids with the path, and stores it. */
export const putOwned = (kind: ClientOwnedKind) =>
  Effect.fnUntraced(function* (call: ModuleCall) {
    const path = yield* ownedKey(call)
    const json = yield* validBody(call, kind.object)
    yield* sameIds(json, {
      [kind.idField]: call.params["id"],
      country_code: call.params["country"],
      party_id: call.params["party"]
    })
    yield* kind.admit?.(call, json) ?? Effect.void
    return stored(yield* keep(call, kind, kind.keyOf?.(path, call, json) ?? path, json))
  })

/** Handler of PATCH: merges the fields into the stored object; the result must be valid. */
export const patchOwned = (kind: ClientOwnedKind) =>
  Effect.fnUntraced(function* (call: ModuleCall) {
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
    yield* keepOver(call, kind, { read: kept, key, json: merged })
    return success()
  })

/** The body of a PATCH: an object, with `last_updated` where the version requires it; else 2001. */
export const patchBody = traced("party.patchBody")(function* (call: ModuleCall) {
  const patch = yield* objectBody(call)
  if (call.profile.patchNeedsLastUpdated && instantOf(patch["last_updated"]) === undefined)
    return yield* refusal(ocpiStatus.invalidParameters, "A PATCH must carry last_updated, a DateTime in UTC")
  return patch
})

/**
 * Stores the object as it came and passes it to the charging simulation. Its instant is its `last_updated`, or now if it
 * has none.
 */
export const keep = Effect.fnUntraced(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  key: string,
  json: JsonObject
) {
  const store = yield* PartyStore
  const simulation = yield* ChargingSimulation
  const object = yield* received(kind, key, json)
  const kept = yield* call.asOf === undefined
    ? store.putObject(call.party.id, object)
    : store.putObjectAsOf(call.party.id, object, call.asOf)
  if (kept === undefined) return yield* new CallerChanged()
  yield* simulation.objectReceived(call.party, kind.module, json)
  return kept
})

/** An object to keep, and the one in whose place it comes. */
interface Replacement {
  /** As it was read; undefined: there was none. */
  readonly read: KeptObject | undefined
  readonly key: string
  readonly json: JsonObject
}

/**
 * As `keep`, but fails with `Overtaken` if the object changed since it was read, so that no concurrent change is lost.
 */
export const keepOver = Effect.fnUntraced(function* (
  call: ModuleCall,
  kind: ClientOwnedKind,
  { json, key, read }: Replacement
) {
  const store = yield* PartyStore
  const simulation = yield* ChargingSimulation
  const object = yield* received(kind, key, json)
  const done = yield* store.replaceObject(call.party.id, object, read?.revision ?? null)
  if (!done) return yield* new Overtaken({ key })
  yield* simulation.objectReceived(call.party, kind.module, json)
})

const received = ({ module }: ClientOwnedKind, key: string, json: JsonObject): Effect.Effect<PartyObject> => {
  const object = (lastUpdated: string): PartyObject => ({ module, key, side: "received", json, lastUpdated })
  const told = instantOf(json["last_updated"])
  return told === undefined ? Effect.map(nowIso, object) : Effect.succeed(object(told))
}
