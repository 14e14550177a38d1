/** OCPI 2.1.1, document `mod_cdrs`: classes that Sessions and CDRs share. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { nonEmptyList, num } from "../types.ts"
import { AuthMethod as NewerAuthMethod } from "../v2_2_1/ChargingPeriod.ts"
import { DateTime } from "./DateTime.ts"

/** AuthMethod enum (mod_cdrs); 2.2 added `COMMAND`. */
export const AuthMethod = without(NewerAuthMethod, "COMMAND").annotations({ identifier: "AuthMethod" })

/** CdrDimensionType enum (mod_cdrs); later versions have no `FLAT`. */
const CdrDimensionType = Schema.Literal(
  "ENERGY",
  "FLAT",
  "MAX_CURRENT",
  "MIN_CURRENT",
  "PARKING_TIME",
  "TIME"
).annotations({ identifier: "CdrDimensionType" })

/** CdrDimension class (mod_cdrs): the unit of `volume` follows from the type (kWh, A or hours). */
const CdrDimension = Schema.Struct({ type: CdrDimensionType, volume: num }).annotations({
  identifier: "CdrDimension"
})

/** ChargingPeriod class (mod_cdrs): lasts until the next one starts; has no `tariff_id`. */
export const ChargingPeriod = Schema.Struct({
  start_date_time: DateTime,
  dimensions: nonEmptyList(CdrDimension)
}).annotations({ identifier: "ChargingPeriod" })
