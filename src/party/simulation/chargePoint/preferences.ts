/**
 * What a driver's charging preferences (mod_sessions, ChargingPreferences Object) do to a charge at a charge point of ours.
 * The energy that is needed is what the whole session is to bring: no more is charged. Who wants it cheap or green gets
 * it as slowly as the departure allows; everybody else as fast as it goes.
 */
import { Effect, Option } from "effect"
import { dateTimeToMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/PartyStore.ts"
import { keepOwn, ownObject } from "./chargePoint.ts"
import { powerOf, powerStepWatts } from "./meter.ts"

/** Plans by session id. Served by no module. */
const plansModule = "charging-preferences"

export interface ChargingPlan {
  /** kWh of the session after which nothing more is charged. */
  readonly energyNeed?: number
  /** What the connector may give at most. */
  readonly watts?: number
}

/** Profiles of drivers who can wait. They need a departure and an amount of energy. */
export const canWait: ReadonlySet<unknown> = new Set(["CHEAP", "GREEN"])

/** What the preferences come to; undefined: the connector cannot bring that much until then. */
export const planOf = (
  profile: VersionProfile,
  connector: JsonObject,
  session: JsonObject,
  preferences: JsonObject,
  nowMillis: number
): ChargingPlan | undefined => {
  const { energy_need: need, profile_type } = preferences
  const departure = dateTimeToMillis(textIn(preferences["departure_time"]) ?? "")
  const hoursLeft = departure === undefined ? undefined : (departure - nowMillis) / 3_600_000
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

/** From now on the session is charged like that; what was wanted before is over. */
export const keepPlan = (party: Party, sessionId: string, plan: ChargingPlan) =>
  keepOwn(party, plansModule, sessionId, { ...plan })

/** What is wanted of the session; `{}`: nothing in particular. */
export const planFor = (party: Party, sessionId: string) =>
  Effect.map(
    ownObject(party, plansModule, sessionId),
    // What `keepPlan` wrote.
    (kept): ChargingPlan => Option.getOrElse(kept, () => ({}))
  )
