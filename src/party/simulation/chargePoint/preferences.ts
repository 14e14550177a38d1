/**
 * How a driver's charging preferences (mod_sessions, ChargingPreferences Object) affect a charge. The needed energy is
 * that of the whole session: no more is charged. CHEAP and GREEN charge as slowly as the departure allows, every other
 * profile as fast as possible.
 */
import { Effect, Option } from "effect"
import { hourMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { keepOwn, ownObject } from "./chargePoint.ts"
import { powerOf, powerStepWatts } from "./meter.ts"

/** Module, none of OCPI, of the plans by session id. */
const plansModule = "charging-preferences"

/** The limits that a driver's preferences set to a session. */
interface ChargingPlan {
  /** Energy of the session in kWh, after which nothing more is charged. */
  readonly energyNeed?: number
  /** The most power, in watts. */
  readonly watts?: number
}

/** Profiles of drivers who can wait. They need a departure time and an amount of energy. */
export const canWait: ReadonlySet<unknown> = new Set(["CHEAP", "GREEN"])

/** A session, and the connector that it charges at. */
interface SessionAt {
  readonly profile: VersionProfile
  readonly connector: JsonObject
  readonly session: JsonObject
}

/** The plan for the preferences; undefined: the connector cannot deliver that much energy by the departure. */
export const planOf = (
  { connector, profile, session }: SessionAt,
  preferences: JsonObject,
  nowMillis: number
): ChargingPlan | undefined => {
  const { energy_need: need, profile_type } = preferences
  const departure = dateTimeMillis(preferences["departure_time"])
  const hoursLeft = departure === undefined ? undefined : (departure - nowMillis) / hourMillis
  if (hoursLeft !== undefined && hoursLeft <= 0) return undefined
  if (typeof need !== "number") return {}
  const missing = Math.max(0, need - Number(session["kwh"]))
  if (hoursLeft === undefined) return { energyNeed: need }
  const watts = (missing * 1000) / hoursLeft
  if (watts > powerOf(profile, connector)) return undefined
  if (!canWait.has(profile_type)) return { energyNeed: need }
  return {
    energyNeed: need,
    watts: Math.max(powerStepWatts, Math.ceil(watts / powerStepWatts) * powerStepWatts)
  }
}

/** Stores the plan of a session; it replaces an earlier one. */
export const keepPlan = (party: Party, sessionId: string, plan: ChargingPlan) =>
  keepOwn(party, plansModule, sessionId, { ...plan })

/** The plan of a session; `{}` without preferences. */
export const planFor = (party: Party, sessionId: string) =>
  Effect.map(
    ownObject(party, plansModule, sessionId),
    // `keepPlan` wrote it.
    (kept): ChargingPlan => Option.getOrElse(kept, () => ({}))
  )
