/** When a location is open, and what is announced of the status of its EVSEs. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { when } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import type { Check } from "../../model/Check.ts"
import { flawsOf, locations, type Placed, wrong } from "../shared/readObjects.ts"
import { laterLocations, locationsBase, locationsChapter, onParts, type Read } from "./readLocations.ts"

const base = { ...locationsBase, reference: `${locationsChapter}, Hours class` } as const
const places = ({ locations }: Read) => locations

const hoursOf = ({ json }: Placed): JsonObject | undefined =>
  isObject(json["opening_times"]) ? json["opening_times"] : undefined
const regularIn = (hours: JsonObject) => objectsIn(hours["regular_hours"])

export const locationHoursChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-024",
    versions: laterLocations,
    title: "Opening times: exactly one of twentyfourseven and regular_hours is given",
    passes: "twentyfourseven is given; false comes with regular_hours, true without",
    hint: "twentyfourseven is required; regular_hours belong to false only.",
    judge: onParts(places, "says when it is open", (item) => {
      const hours = hoursOf(item)
      if (hours === undefined) return undefined
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
        wrong(item, "opening_times/regular_hours", "regular_hours and twentyfourseven do not fit", {
          expected: twentyfourseven
            ? "no regular_hours, because it is always open"
            : "at least one entry, because it is not always open",
          actual: `${regular} entries`
        })
      )
    })
  },
  {
    ...base,
    id: "LOC-025",
    versions: versionsWhere(({ ownerFields }) => !ownerFields),
    title: "Opening times: exactly one of twentyfourseven and regular_hours is given",
    strength: "should",
    passes: "exactly one of twentyfourseven = true and regular_hours is given",
    hint: "The two are a choice: give one of them.",
    judge: onParts(places, "says when it is open", (item) => {
      const hours = hoursOf(item)
      if (hours === undefined) return undefined
      const regular = regularIn(hours).length
      return when((hours["twentyfourseven"] === true) === regular > 0, () =>
        wrong(item, "opening_times", "it is not one of twentyfourseven and regular_hours", {
          expected: "twentyfourseven = true or regular_hours",
          actual: `twentyfourseven ${String(hours["twentyfourseven"])}, ${regular} regular_hours`
        })
      )
    })
  },
  {
    ...base,
    id: "LOC-026",
    title: "Regular hours are hours of a day",
    reference: `${locationsChapter}, RegularHours class`,
    passes: "weekday 1 to 7, times as HH:MM, the end later than the begin; periods of one day do not overlap",
    hint: "Monday is 1; hours past midnight are a period of each of the two days.",
    judge: onParts(places, "has regular hours", (item, evidence) => {
      const hours = regularIn(hoursOf(item) ?? {})
      if (hours.length === 0) return undefined
      const own = flawsOf(evidence, locations).filter(
        ({ finding, pointer }) =>
          pointer.startsWith("/opening_times/regular_hours/") &&
          finding.exchangeId === item.seen.exchange.id &&
          finding.pointer?.startsWith(`${item.pointer}/`)
      )
      return [...own.map(({ finding }) => finding), ...overlapping(item, hours)]
    })
  },
  {
    ...base,
    id: "LOC-027",
    title: "Exceptions are periods that do not contradict each other",
    strength: "should",
    reference: `${locationsChapter}, ExceptionalPeriod class`,
    passes: "each begins before it ends; no closing overlaps an opening",
    hint: "Give each exception once: open or closed.",
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
          wrong(item, at, "it is closed and open at once", {
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
    title: "Announces what is to come",
    strength: "should",
    reference: `${locationsChapter}, StatusSchedule class`,
    passes: "each period of status_schedule begins before it ends, and not all of them are over",
    hint: "Take periods out of the schedule when they are over.",
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

function overlapping(item: Placed, hours: ReadonlyArray<JsonObject>): ReadonlyArray<Finding> {
  return hours.flatMap((one, index) => {
    const before = hours
      .slice(0, index)
      .some(
        (other) =>
          other["weekday"] === one["weekday"] &&
          String(other["period_begin"]) < String(one["period_end"]) &&
          String(one["period_begin"]) < String(other["period_end"])
      )
    return when(before, () =>
      wrong(item, `opening_times/regular_hours/${index}`, "two periods of a day overlap", {
        expected: "one after the other",
        actual: `${String(one["period_begin"])} to ${String(one["period_end"])}`,
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
      wrong(item, "status_schedule", "the whole schedule is over", {
        expected: "a period that is still to come or goes on",
        actual: instant(periods.at(-1)?.end)
      })
    )
  ]
}

const instant = (millis: number | undefined) =>
  millis === undefined ? undefined : new Date(millis).toISOString()
