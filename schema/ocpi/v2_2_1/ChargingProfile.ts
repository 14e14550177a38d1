/** OCPI 2.2.1, document `mod_charging_profiles`: profiles, requests, answers and results. */
import { Schema } from "effect"
import { int, intNotNegative, list, num, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"

/** ChargingRateUnit enum (mod_charging_profiles): W is the power of all phases together, A the current of each. */
const ChargingRateUnit = Schema.Literal("W", "A").annotations({ identifier: "ChargingRateUnit" })

/** ChargingProfilePeriod class (mod_charging_profiles): `start_period` in seconds from the start of the profile. */
const ChargingProfilePeriod = Schema.Struct({ start_period: int, limit: num }).annotations({
  identifier: "ChargingProfilePeriod"
})

/** ChargingProfile class (mod_charging_profiles): `duration` in seconds. */
export const ChargingProfile = Schema.Struct({
  start_date_time: optional(DateTime),
  duration: optional(int),
  charging_rate_unit: ChargingRateUnit,
  min_charging_rate: optional(num),
  charging_profile_period: list(ChargingProfilePeriod)
}).annotations({ identifier: "ChargingProfile" })

/** ActiveChargingProfile class (mod_charging_profiles): a profile with the time at which it started. */
export const ActiveChargingProfile = Schema.Struct({
  start_date_time: DateTime,
  charging_profile: ChargingProfile
}).annotations({ identifier: "ActiveChargingProfile" })

/** SetChargingProfile object (mod_charging_profiles): the body of the PUT that sets a profile. */
export const SetChargingProfile = Schema.Struct({
  charging_profile: ChargingProfile,
  response_url: Url
}).annotations({ identifier: "SetChargingProfile" })

/** ChargingProfileResponseType enum (mod_charging_profiles). */
const ChargingProfileResponseType = Schema.Literal(
  "ACCEPTED",
  "NOT_SUPPORTED",
  "REJECTED",
  "TOO_OFTEN",
  "UNKNOWN_SESSION"
).annotations({ identifier: "ChargingProfileResponseType" })

/**
 * ChargingProfileResponse object (mod_charging_profiles): the answer to setting, reading and clearing; `timeout` in
 * seconds.
 */
export const ChargingProfileResponse = Schema.Struct({
  result: ChargingProfileResponseType,
  timeout: intNotNegative
}).annotations({ identifier: "ChargingProfileResponse" })

/** ChargingProfileResultType enum (mod_charging_profiles). */
const ChargingProfileResultType = Schema.Literal("ACCEPTED", "REJECTED", "UNKNOWN").annotations({
  identifier: "ChargingProfileResultType"
})

/**
 * ChargingProfileResult object (mod_charging_profiles): posted without an envelope to the response_url after a profile
 * was set.
 */
export const ChargingProfileResult = Schema.Struct({ result: ChargingProfileResultType }).annotations({
  identifier: "ChargingProfileResult"
})

/**
 * ActiveChargingProfileResult object (mod_charging_profiles): posted without an envelope to the response_url after a
 * profile was read.
 */
export const ActiveChargingProfileResult = Schema.Struct({
  result: ChargingProfileResultType,
  profile: optional(ActiveChargingProfile)
}).annotations({ identifier: "ActiveChargingProfileResult" })

/**
 * ClearProfileResult object (mod_charging_profiles): posted without an envelope to the response_url after a profile was
 * cleared.
 */
export const ClearProfileResult = Schema.Struct({ result: ChargingProfileResultType }).annotations({
  identifier: "ClearProfileResult"
})
