/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { bool, list, optional } from "../types.ts"
import { hoursFields, openingRule } from "../v2_2_1/Hours.ts"
import { DateTime } from "./DateTime.ts"

/** ExceptionalPeriod class (mod_locations), with the times of this version. */
const ExceptionalPeriod = Schema.Struct({ period_begin: DateTime, period_end: DateTime }).annotations({
  identifier: "ExceptionalPeriod"
})

/** Hours class (mod_locations): open round the clock, or at regular hours; `twentyfourseven` may be absent. */
export const Hours = Schema.Struct({
  ...hoursFields,
  twentyfourseven: optional(bool),
  exceptional_openings: list(ExceptionalPeriod),
  exceptional_closings: list(ExceptionalPeriod)
})
  .pipe(Schema.filter(openingRule))
  .annotations({ identifier: "Hours" })
