/** Document `mod_charging_profiles`: profiles, the request for one, the answers, and the results that follow. */
import { Schema } from "effect"
import { int, intNotNegative, list, num, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"

/** W is the power of all phases together, A the current of each. */
export const ChargingRateUnit = Schema.Literal("W", "A").annotations({ identifier: "ChargingRateUnit" })

/** `start_period` in seconds from the start of the profile. */
export const ChargingProfilePeriod = Schema.Struct({ start_period: int, limit: num }).annotations({
  identifier: "ChargingProfilePeriod"
})

/** `duration` in seconds. */
export const ChargingProfile = Schema.Struct({
  start_date_time: optional(DateTime),
  duration: optional(int),
  charging_rate_unit: ChargingRateUnit,
  min_charging_rate: optional(num),
  charging_profile_period: list(ChargingProfilePeriod)
}).annotations({ identifier: "ChargingProfile" })
export type ChargingProfile = typeof ChargingProfile.Type

export const ActiveChargingProfile = Schema.Struct({
  start_date_time: DateTime,
  charging_profile: ChargingProfile
}).annotations({ identifier: "ActiveChargingProfile" })
export type ActiveChargingProfile = typeof ActiveChargingProfile.Type

export const SetChargingProfile = Schema.Struct({
  charging_profile: ChargingProfile,
  response_url: Url
}).annotations({ identifier: "SetChargingProfile" })
export type SetChargingProfile = typeof SetChargingProfile.Type

export const ChargingProfileResponseType = Schema.Literal(
  "ACCEPTED",
  "NOT_SUPPORTED",
  "REJECTED",
  "TOO_OFTEN",
  "UNKNOWN_SESSION"
).annotations({ identifier: "ChargingProfileResponseType" })

/** The answer at once to setting, reading and clearing; `timeout` in seconds. */
export const ChargingProfileResponse = Schema.Struct({
  result: ChargingProfileResponseType,
  timeout: intNotNegative
}).annotations({ identifier: "ChargingProfileResponse" })
export type ChargingProfileResponse = typeof ChargingProfileResponse.Type

export const ChargingProfileResultType = Schema.Literal("ACCEPTED", "REJECTED", "UNKNOWN").annotations({
  identifier: "ChargingProfileResultType"
})

/** What is posted to the response_url after setting, without an envelope. */
export const ChargingProfileResult = Schema.Struct({ result: ChargingProfileResultType }).annotations({
  identifier: "ChargingProfileResult"
})
export type ChargingProfileResult = typeof ChargingProfileResult.Type

/** Likewise after reading. */
export const ActiveChargingProfileResult = Schema.Struct({
  result: ChargingProfileResultType,
  profile: optional(ActiveChargingProfile)
}).annotations({ identifier: "ActiveChargingProfileResult" })
export type ActiveChargingProfileResult = typeof ActiveChargingProfileResult.Type

/** Likewise after clearing. */
export const ClearProfileResult = Schema.Struct({ result: ChargingProfileResultType }).annotations({
  identifier: "ClearProfileResult"
})
export type ClearProfileResult = typeof ClearProfileResult.Type
