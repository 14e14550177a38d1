/** OCPI 2.2.1, document `mod_locations`. */
import { Schema } from "effect"
import { bool, intBetween, list, TimeOfDay } from "../types.ts"
import { DateTime } from "./DateTime.ts"

/**
 * RegularHours class (mod_locations): weekdays from 1 (Monday) to 7, local times; a period ends on the day on which it
 * begins.
 */
const RegularHours = Schema.Struct({
  weekday: intBetween(1, 7),
  period_begin: TimeOfDay,
  period_end: TimeOfDay
})
  .pipe(
    Schema.filter((hours) =>
      hours.period_begin < hours.period_end
        ? undefined
        : { path: ["period_end"], message: "is not later than period_begin" }
    )
  )
  .annotations({ identifier: "RegularHours" })

/** ExceptionalPeriod class (mod_locations): an opening or closing that departs from the regular hours. */
const ExceptionalPeriod = Schema.Struct({ period_begin: DateTime, period_end: DateTime }).annotations({
  identifier: "ExceptionalPeriod"
})

/** Fields of the Hours class; 2.1.1 spreads them. */
export const hoursFields = {
  twentyfourseven: bool,
  regular_hours: list(RegularHours),
  exceptional_openings: list(ExceptionalPeriod),
  exceptional_closings: list(ExceptionalPeriod)
}

/** Hours class (mod_locations): what is not open round the clock needs at least one regular period. */
export const openingRule = (hours: {
  readonly twentyfourseven?: boolean | null | undefined
  readonly regular_hours?: ReadonlyArray<unknown> | null | undefined
}) =>
  hours.twentyfourseven === true || (hours.regular_hours ?? []).length > 0
    ? undefined
    : { path: ["regular_hours"], message: "needs at least one entry, because twentyfourseven is not true" }

/** Hours class (mod_locations), from 2.2 on: `twentyfourseven` is required. */
export const Hours = Schema.Struct(hoursFields)
  .pipe(Schema.filter(openingRule))
  .annotations({ identifier: "Hours" })
