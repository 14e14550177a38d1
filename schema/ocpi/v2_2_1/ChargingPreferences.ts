/** Document `mod_sessions`: ChargingPreferences, and the word that answers them. */
import { Schema } from "effect"
import { bool, num, optional } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { ProfileType } from "./Token.ts"

export const ChargingPreferences = Schema.Struct({
  profile_type: ProfileType,
  departure_time: optional(DateTime),
  energy_need: optional(num),
  discharge_allowed: optional(bool)
}).annotations({ identifier: "ChargingPreferences" })
export type ChargingPreferences = typeof ChargingPreferences.Type

/** `data` of the answer is one of these words, not an object. */
export const ChargingPreferencesResponse = Schema.Literal(
  "ACCEPTED",
  "DEPARTURE_REQUIRED",
  "ENERGY_NEED_REQUIRED",
  "NOT_POSSIBLE",
  "PROFILE_TYPE_NOT_SUPPORTED"
).annotations({ identifier: "ChargingPreferencesResponse" })
