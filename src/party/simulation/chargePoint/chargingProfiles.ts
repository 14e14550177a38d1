/**
 * Charging profiles at our charge points (mod_charging_profiles): set, read and cleared for a session, each with one
 * result to the response_url. A profile limits the power, and the EMSP is informed when it changes.
 */
import { Clock, Effect, Option } from "effect"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import type { RoutedParty } from "../../../ocpi/routing.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { push } from "../engine/pushes.ts"
import { reaction } from "../engine/reaction.ts"
import { keepOwn, ownObject, placeByIds, whereIs } from "./chargePoint.ts"
import { powerOf } from "./meter.ts"

/** Module, none of OCPI, of the profiles by session id: `{setAt, profile}`. */
const profilesModule = "charging-profiles"

/** An accepted request about the profile of a session. */
export interface ProfileOrder {
  readonly request: "set" | "read" | "clear"
  readonly sessionId: string
  readonly responseUrl: string
  /** The party that sent it, as its routing headers have it. */
  readonly from?: RoutedParty | undefined
  /** Of `set`: the ChargingProfile. */
  readonly profile?: JsonObject
  /** For `read`: the length of the requested profile. */
  readonly durationSeconds?: number
  readonly correlationId: string
}

/** The length of an update of the active profile; between 5 and 60 minutes. */
const updateReachSeconds = 3600

/** Carries out an accepted request and posts its result. */
export const carryOutProfile = traced("simulation.carryOutProfile")(function* (
  party: Party,
  order: ProfileOrder
) {
  const { correlationId, sessionId } = order
  yield* reaction(party)
  const result: JsonObject = yield* resultFor(party, order)
  yield* push(
    party,
    { module: "chargingprofiles", operation: "profile-result", method: "POST", body: result },
    { url: order.responseUrl, recipient: order.from },
    correlationId
  )
  if (order.request === "read" || result["result"] !== "ACCEPTED") return
  const active = yield* activeProfile(party, sessionId, updateReachSeconds)
  if (active === undefined) return
  yield* push(
    party,
    { module: "chargingprofiles", operation: "PUT active-profile", method: "PUT", body: active },
    { path: [sessionId], interfaceRole: "SENDER" },
    correlationId
  )
})

const resultFor = Effect.fnUntraced(function* (
  party: Party,
  { durationSeconds, profile, request, sessionId }: ProfileOrder
) {
  const store = yield* PartyStore
  if (request === "set") {
    const setAt = dateTimeOf(yield* Clock.currentTimeMillis)
    yield* keepOwn(party, profilesModule, sessionId, { setAt, profile: profile ?? {} })
    return { result: "ACCEPTED" }
  }
  if (request === "clear") {
    const known = yield* store.removeObject(party.id, profilesModule, "own", sessionId)
    return { result: known ? "ACCEPTED" : "UNKNOWN" }
  }
  const active = yield* activeProfile(party, sessionId, durationSeconds ?? updateReachSeconds)
  return active === undefined ? { result: "REJECTED" } : { result: "ACCEPTED", profile: active }
})

/** The ActiveChargingProfile from now on: the one that was set, or the connector's power; undefined without a place. */
const activeProfile = Effect.fnUntraced(function* (party: Party, sessionId: string, reachSeconds: number) {
  const session = yield* ownObject(party, "sessions", sessionId)
  if (Option.isNone(session)) return undefined
  const place = yield* placeByIds(party, whereIs(party, session.value))
  if (place === undefined) return undefined
  const set = yield* ownObject(party, profilesModule, sessionId)
  if (Option.isSome(set))
    return { start_date_time: set.value["setAt"], charging_profile: objectIn(set.value["profile"]) }
  const power = powerOf(profileOf(party.version), place.connector)
  return {
    start_date_time: dateTimeOf(yield* Clock.currentTimeMillis),
    charging_profile: {
      charging_rate_unit: "W",
      duration: reachSeconds,
      charging_profile_period: [{ start_period: 0, limit: power }]
    }
  }
})

/**
 * The limit of the session's profile at that moment; undefined when there is none. A profile has no limit before its
 * first period and after its duration.
 */
export const limitAt = traced("simulation.limitAt")(function* (
  party: Party,
  sessionId: string,
  millis: number
) {
  const set = yield* ownObject(party, profilesModule, sessionId)
  return Option.isNone(set) ? undefined : limitIn(set.value, millis)
})

/** As `limitAt`, for a stored object of `profilesModule`. */
const limitIn = (
  kept: JsonObject,
  millis: number
): { readonly unit: "W" | "A"; readonly value: number } | undefined => {
  const profile = objectIn(kept["profile"])
  const start = dateTimeMillis(String(profile["start_date_time"] ?? kept["setAt"])) ?? 0
  const seconds = (millis - start) / 1000
  const duration = profile["duration"]
  if (seconds < 0 || (typeof duration === "number" && seconds >= duration)) return undefined
  const period = objectsIn(profile["charging_profile_period"])
    .filter(({ start_period }) => Number(start_period) <= seconds)
    .toSorted((a, b) => Number(b["start_period"]) - Number(a["start_period"]))[0]
  if (period === undefined) return undefined
  return { unit: profile["charging_rate_unit"] === "A" ? "A" : "W", value: Number(period["limit"]) }
}
