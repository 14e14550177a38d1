/** OCPI 2.2.1, document `mod_sessions`. */
import { Schema } from "effect"
import { bool, num, optional } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { ProfileType } from "./Token.ts"

/** ChargingPreferences object (mod_sessions): what the driver wants; `energy_need` in kWh. */
export const ChargingPreferences = Schema.Struct({
  profile_type: ProfileType,
  departure_time: optional(DateTime),
  energy_need: optional(num),
  discharge_allowed: optional(bool)
}).annotations({ identifier: "ChargingPreferences" })
