/** When a location is open, and what is announced of the status of its EVSEs. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { when } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import { inEntriesOf, isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import {
  flawsOfLocation,
  type LocationParts,
  laterLocations,
  locationsBase,
  locationsChapter,
  onParts
} from "./readLocations.ts"

const base = { ...locationsBase, reference: `${locationsChapter}, Hours class` } as const
const places = ({ locations }: LocationParts) => locations

/** A value of regular_hours that is no list is of the form; one that is missing or empty contradicts twentyfourseven. */
export const withoutHours = ({ finding: { expected }, pointer }: SchemaFlaw): boolean =>
  pointer === "/opening_times/regular_hours" && expected === undefined

const noList = (flaw: SchemaFlaw) => flaw.pointer === "/opening_times/regular_hours" && !withoutHours(flaw)

const hoursOf = ({ json }: Placed): JsonObject | undefined =>
  isObject(json["opening_times"]) ? json["opening_times"] : undefined
const regularIn = (hours: JsonObject) => objectsIn(hours["regular_hours"])

/**
 * Judge opening times and status schedules (mod_locations, Hours, RegularHours, ExceptionalPeriod and StatusSchedule
 * classes).
 */
export const locationHoursChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-024",
    versions: laterLocations,
    title: "Hours: twentyfourseven is given, and regular_hours exactly when it is false",
    passes: "twentyfourseven is given; false comes with regular_hours, true without",
    hint: "Give twentyfourseven always, and regular_hours only when it is false.",
    judge: onParts(places, "has opening_times", (item, evidence) => {
      const hours = hoursOf(item)
      if (hours === undefined || isFlawed(evidence, locations, item, noList)) return undefined
      const { twentyfourseven } = hours
      const regular = regularIn(hours).length
      if (typeof twentyfourseven !== "boolean")
        return [
          wrong(item, "opening_times/twentyfourseven", "twentyfourseven is not given", {
            expected: "true or false",
            actual: twentyfourseven
          })
        ]
      return when(twentyfourseven === regular > 0, () =>
        wrong(
          item,
          "opening_times/regular_hours",
          "regular_hours and twentyfourseven contradict each other",
          {
            expected: twentyfourseven
              ? "no regular_hours, because it is always open"
              : "at least one entry, because it is not always open",
            actual: `${regular} entries`
          }
        )
      )
    })
  },
  {
    ...base,
    id: "LOC-025",
    versions: versionsWhere(({ ownerFields }) => !ownerFields),
    title: "Hours: exactly one of twentyfourseven = true and regular_hours is given",
    strength: "should",
    passes: "exactly one of twentyfourseven = true and regular_hours is given",
    hint: "Give either twentyfourseven = true or regular_hours.",
    judge: onParts(places, "has opening_times", (item, evidence) => {
      const hours = hoursOf(item)
      if (hours === undefined || isFlawed(evidence, locations, item, noList)) return undefined
      const { twentyfourseven = false } = hours
      // Of another type it is a finding of the schema.
      if (twentyfourseven !== null && typeof twentyfourseven !== "boolean") return []
      const regular = regularIn(hours).length
      return when((twentyfourseven === true) === regular > 0, () =>
        wrong(
          item,
          "opening_times",
          "opening_times does not have exactly one of twentyfourseven = true and regular_hours",
          {
            expected: "twentyfourseven = true or regular_hours",
            actual: `twentyfourseven ${inWords(hours["twentyfourseven"])}, ${regular} regular_hours`
          }
        )
      )
    })
  },
  {
    ...base,
    id: "LOC-026",
    title: "RegularHours: weekday and times are valid, and periods of one day do not overlap",
    reference: `${locationsChapter}, RegularHours class`,
    passes:
      "weekday 1 to 7, times as HH:MM, period_end after period_begin; periods of one day do not overlap",
    hint: "Count weekdays from Monday = 1; split hours past midnight into one period for each of the two days.",
    judge: onParts(places, "has regular hours", (item, evidence) => {
      const hours = regularIn(hoursOf(item) ?? {})
      if (hours.length === 0) return undefined
      return [
        ...flawsOfLocation(item, inEntriesOf("opening_times/regular_hours"), evidence),
        ...overlapping(item, hours)
      ]
    })
  },
  {
    ...base,
    id: "LOC-027",
    title: "ExceptionalPeriod: each begins before it ends, and no closing overlaps an opening",
    strength: "should",
    reference: `${locationsChapter}, ExceptionalPeriod class`,
    passes:
      "period_begin before period_end; no exceptional_closings entry overlaps an exceptional_openings entry",
    hint: "Give each exception once: in exceptional_openings or in exceptional_closings.",
    judge: onParts(places, "has exceptional openings or closings", (item) => {
      const hours = hoursOf(item) ?? {}
      const [openings, closings] = ["exceptional_openings", "exceptional_closings"].map((field) =>
        objectsIn(hours[field]).map((period, index) => ({
          at: `opening_times/${field}/${index}`,
          from: dateTimeMillis(period["period_begin"]),
          to: dateTimeMillis(period["period_end"])
        }))
      )
      const all = [...(openings ?? []), ...(closings ?? [])]
      if (all.length === 0) return undefined
      const backwards = all.filter(({ from, to }) => from !== undefined && to !== undefined && from >= to)
      const contradicting = (closings ?? []).filter(({ from, to }) =>
        (openings ?? []).some(
          (open) =>
            from !== undefined &&
            to !== undefined &&
            open.from !== undefined &&
            open.to !== undefined &&
            open.from < to &&
            from < open.to
        )
      )
      return [
        ...backwards.map(({ at, from, to }) =>
          wrong(item, at, "the period does not begin before it ends", {
            expected: "period_begin before period_end",
            actual: `${instant(from)} to ${instant(to)}`
          })
        ),
        ...contradicting.map(({ at, from, to }) =>
          wrong(item, at, "an exceptional closing overlaps an exceptional opening", {
            expected: "no opening at that time",
            actual: `${instant(from)} to ${instant(to)}`
          })
        )
      ]
    })
  },
  {
    ...base,
    id: "LOC-038",
    title: "StatusSchedule: each period begins before it ends, and not all are over",
    strength: "should",
    reference: `${locationsChapter}, StatusSchedule class`,
    passes: "each period of status_schedule begins before it ends, and not all of them are over",
    hint: "Remove periods from status_schedule when they are over.",
    judge: onParts(
      ({ evses }) => evses,
      "has a schedule",
      (item) => {
        const schedule = objectsIn(item.json["status_schedule"])
        return schedule.length === 0 ? undefined : scheduleFlaws(item, schedule)
      }
    )
  }
]

/** Of two texts; false where one of them is none. */
const isEarlier = (a: unknown, b: unknown) => typeof a === "string" && typeof b === "string" && a < b

function overlapping(item: Placed, hours: ReadonlyArray<JsonObject>): ReadonlyArray<Finding> {
  return hours.flatMap((one, index) => {
    const before = hours
      .slice(0, index)
      .some(
        (other) =>
          other["weekday"] === one["weekday"] &&
          isEarlier(other["period_begin"], one["period_end"]) &&
          isEarlier(one["period_begin"], other["period_end"])
      )
    return when(before, () =>
      wrong(item, `opening_times/regular_hours/${index}`, "two regular_hours of one weekday overlap", {
        expected: "one after the other",
        actual: `${inWords(one["period_begin"])} to ${inWords(one["period_end"])}`,
        strength: "should"
      })
    )
  })
}

function scheduleFlaws(item: Placed, schedule: ReadonlyArray<JsonObject>): ReadonlyArray<Finding> {
  const now = Date.parse(item.seen.exchange.startedAt)
  const periods = schedule.map((period) => ({
    begin: dateTimeMillis(objectIn(period)["period_begin"]),
    end: dateTimeMillis(objectIn(period)["period_end"])
  }))
  const backwards = periods.flatMap(({ begin, end }, index) =>
    when(begin !== undefined && end !== undefined && begin >= end, () =>
      wrong(item, `status_schedule/${index}`, "the period does not begin before it ends", {
        expected: "period_begin before period_end",
        actual: `${instant(begin)} to ${instant(end)}`
      })
    )
  )
  const over = periods.every(({ end }) => end !== undefined && end < now)
  return [
    ...backwards,
    ...when(over, () =>
      wrong(item, "status_schedule", "every period of status_schedule is over", {
        expected: "a period that is still to come or goes on",
        actual: instant(periods.at(-1)?.end)
      })
    )
  ]
}

const instant = (millis: number | undefined) =>
  millis === undefined ? undefined : new Date(millis).toISOString()
