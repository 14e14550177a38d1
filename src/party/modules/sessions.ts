/**
 * Sessions (mod_sessions): a CPO serves the list and accepts charging preferences; an EMSP accepts what the CPO pushes.
 */
import { Clock, Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectsIn } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { placeByIds } from "../simulation/chargePoint/chargePoint.ts"
import { canWait, keepPlan, planOf } from "../simulation/chargePoint/preferences.ts"
import { placeIdsOf } from "../simulation/chargePoint/sessionFields.ts"
import { canAt } from "./capabilities.ts"
import { type ClientOwnedKind, getOwned, patchOwned, putOwned } from "./clientOwned.ts"
import { ownList } from "./ownList.ts"
import { ofOwnToken } from "./ownTokens.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { notFound, success } from "./Route.ts"
import { validBody } from "./requestBody.ts"

const kind: ClientOwnedKind = {
  module: "sessions",
  object: "Session",
  idField: "id",
  unknown: ocpiStatus.clientError,
  merge: appendPeriods,
  admit: ofOwnToken
}

const path = ["{country}", "{party}", "{id}"]
const receiver = { module: "sessions", interfaceRole: "RECEIVER", pattern: path } as const
const sender = { module: "sessions", interfaceRole: "SENDER" } as const

/** In versions that say so a PATCH appends its charging periods to the stored ones; absent or empty, they stay. */
function appendPeriods(kept: JsonObject, patch: JsonObject, profile: VersionProfile): JsonObject {
  if (profile.patchAppendsPeriods !== true) return { ...kept, ...patch }
  const added = objectsIn(patch["charging_periods"])
  const merged = { ...kept, ...patch }
  if (added.length > 0) merged["charging_periods"] = [...objectsIn(kept["charging_periods"]), ...added]
  else if ("charging_periods" in kept) merged["charging_periods"] = kept["charging_periods"]
  return merged
}

/** The simulation charges by accepted preferences, see preferences.ts. */
const chargingPreferences = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const id = call.params["id"]!
  const preferences = yield* validBody(call, "ChargingPreferences")
  const session = yield* store.object(call.party.id, "sessions", "own", id)
  if (Option.isNone(session)) return yield* notFound(ocpiStatus.invalidParameters, `No session ${id}`)
  const { json } = session.value
  if (!(yield* canAt(call, json, "CHARGING_PREFERENCES_CAPABLE")))
    return yield* notFound(
      ocpiStatus.invalidParameters,
      `The EVSE of session ${id} has no capability CHARGING_PREFERENCES_CAPABLE`
    )
  if (json["status"] !== "ACTIVE") return success("NOT_POSSIBLE")
  if (!(yield* hasTariff(call, preferences["profile_type"]))) return success("PROFILE_TYPE_NOT_SUPPORTED")
  if (canWait.has(preferences["profile_type"])) {
    if (preferences["departure_time"] === undefined) return success("DEPARTURE_REQUIRED")
    if (preferences["energy_need"] === undefined) return success("ENERGY_NEED_REQUIRED")
  }
  const place = yield* placeByIds(call.party, placeIdsOf(call.profile, json))
  const plan =
    place &&
    planOf(
      { profile: call.profile, connector: place.connector, session: json },
      preferences,
      yield* Clock.currentTimeMillis
    )
  if (plan === undefined) return success("NOT_POSSIBLE")
  yield* keepPlan(call.party, id, plan)
  return success("ACCEPTED")
})

/** The most tariffs that are searched. */
const mostTariffs = 500

/** Does a tariff exist for this profile type? REGULAR needs none. */
const hasTariff = Effect.fnUntraced(function* ({ party }: ModuleCall, profileType: unknown) {
  if (profileType === "REGULAR") return true
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, "tariffs", "own", { offset: 0, limit: mostTariffs })
  return items.some(({ json }) => json["type"] === `PROFILE_${profileType}`)
})

/** Routes of the module sessions. */
export const sessionRoutes: ReadonlyArray<Route> = [
  {
    ...sender,
    method: "GET",
    pattern: [],
    operation: "list",
    handle: ownList("sessions", { dateFromRequired: true })
  },
  {
    ...sender,
    method: "PUT",
    pattern: ["{id}", "charging_preferences"],
    operation: "PUT charging_preferences",
    offered: ({ objects }) => objects.ChargingPreferences !== undefined,
    handle: chargingPreferences
  },
  { ...receiver, method: "GET", operation: "GET session", handle: getOwned(kind) },
  { ...receiver, method: "PUT", operation: "PUT session", confirmsCaller: true, handle: putOwned(kind) },
  { ...receiver, method: "PATCH", operation: "PATCH session", confirmsCaller: true, handle: patchOwned(kind) }
]
