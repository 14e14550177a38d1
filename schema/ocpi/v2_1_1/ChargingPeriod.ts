/** Document `mod_cdrs`: what Sessions and CDRs share. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { nonEmptyList, num } from "../types.ts"
import { AuthMethod as NewerAuthMethod } from "../v2_2_1/ChargingPeriod.ts"
import { DateTime } from "./DateTime.ts"

export const AuthMethod = without(NewerAuthMethod, "COMMAND").annotations({ identifier: "AuthMethod" })

export const CdrDimensionType = Schema.Literal(
  "ENERGY",
  "FLAT",
  "MAX_CURRENT",
  "MIN_CURRENT",
  "PARKING_TIME",
  "TIME"
).annotations({ identifier: "CdrDimensionType" })

export const CdrDimension = Schema.Struct({ type: CdrDimensionType, volume: num }).annotations({
  identifier: "CdrDimension"
})

export const ChargingPeriod = Schema.Struct({
  start_date_time: DateTime,
  dimensions: nonEmptyList(CdrDimension)
}).annotations({ identifier: "ChargingPeriod" })
