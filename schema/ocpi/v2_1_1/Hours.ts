/** Document `mod_locations`: Hours; a place is open round the clock or has regular hours, so either field may be absent. */
import { Schema } from "effect"
import { bool, list, optional } from "../types.ts"
import { hoursFields, openingRule } from "../v2_2_1/Hours.ts"
import { DateTime } from "./DateTime.ts"

export const ExceptionalPeriod = Schema.Struct({ period_begin: DateTime, period_end: DateTime }).annotations({
  identifier: "ExceptionalPeriod"
})

export const Hours = Schema.Struct({
  ...hoursFields,
  twentyfourseven: optional(bool),
  exceptional_openings: list(ExceptionalPeriod),
  exceptional_closings: list(ExceptionalPeriod)
})
  .pipe(Schema.filter(openingRule))
  .annotations({ identifier: "Hours" })
