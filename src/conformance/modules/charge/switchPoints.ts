/** Moments at which a tariff switches to other prices within a session: a charging period must begin there. */

import { dayMillis, minuteMillis } from "../../../../schema/fields/durations.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { objectIn, objectsIn } from "../../../findings/json.ts"
import { type decimalOf, numberOf } from "../../../findings/money/decimal.ts"
import { type Period, periodsOf } from "../../../findings/money/periods.ts"
import { localTime } from "../../../findings/money/restrictions.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { spanOf } from "./charging.ts"

const toleranceMillis = 60_000
const dayMinutes = 1440
/** Part of the session's energy or length by which a switch may be missed. */
const tolerance = 0.02
/** Longer sessions are not searched for times of day. */
const longestMillis = 3 * dayMillis

/** Switches without a period of their own; undefined when the tariffs do not switch within the session. */
export const switchPoints = (
  item: Placed,
  profile: VersionProfile,
  timeZone: string | undefined
): ReadonlyArray<Finding> | undefined => {
  const { end, start } = spanOf(item.json, profile.cdrNames)
  if (start === undefined || end === undefined || end <= start) return undefined
  const periods = periodsOf(item.json["charging_periods"], { start, end })
  const restrictions = objectsIn(item.json["tariffs"]).flatMap((tariff) =>
    objectsIn(tariff["elements"]).map((element) => objectIn(element["restrictions"]))
  )
  const numbers = (name: string) => [
    ...new Set(
      restrictions
        .flatMap((one) => numberIn(one[`min_${name}`]) ?? [])
        .concat(restrictions.flatMap((one) => numberIn(one[`max_${name}`]) ?? []))
    )
  ]
  const energy = periods.reduce((sum, { volumes }) => sum + kwhIn(volumes.get("ENERGY")), 0)
  const missedEnergy = numbers("kwh")
    .filter((kwh) => kwh > 0 && kwh < energy)
    .map((kwh) => ({
      what: `after ${kwh} kWh`,
      missed: !periods.some(({ kwhBefore }) => Math.abs(numberOf(kwhBefore) - kwh) <= energy * tolerance)
    }))
  const missedDuration = numbers("duration")
    .map((seconds) => start + seconds * 1000)
    .filter((at) => at > start && at < end)
    .map((at) => atTime(periods, at, `${(at - start) / 1000} s after the start`, (end - start) * tolerance))
  const missedClock = clockSwitches(restrictions, start, end, timeZone).map((at) =>
    atTime(periods, at, `at ${new Date(at).toISOString()}`, (end - start) * tolerance)
  )
  const all = [...missedEnergy, ...missedDuration, ...missedClock]
  if (all.length === 0) return undefined
  return all
    .filter(({ missed }) => missed)
    .map(({ what }) =>
      wrong(item, "charging_periods", `no charging period begins where the tariff switches, ${what}`, {
        expected: `a charging period ${what}`,
        actual: periods.map((period) => new Date(period.start ?? start).toISOString()).join(", ")
      })
    )
}

function atTime(periods: ReadonlyArray<Period>, at: number, what: string, slackMillis: number) {
  const slack = Math.max(toleranceMillis, slackMillis)
  return { what, missed: !periods.some(({ start }) => start !== undefined && Math.abs(start - at) <= slack) }
}

/** Instants within the session at which a start_time or end_time of a restriction comes. */
function clockSwitches(
  restrictions: ReadonlyArray<Readonly<Record<string, unknown>>>,
  start: number,
  end: number,
  timeZone: string | undefined
): ReadonlyArray<number> {
  const times = new Set(
    restrictions.flatMap((one) =>
      [one["start_time"], one["end_time"]].filter((time) => typeof time === "string")
    )
  )
  if (times.size === 0 || timeZone === undefined || end - start > longestMillis) return []
  const local = localTime(start, timeZone)
  if (local === undefined) return []
  const began = minutesOf(local.time)
  return [...times]
    .flatMap((time) => {
      // A change of the clocks within the session moves a switch by an hour: such a night is rare, and this a warning.
      const first = start + ((minutesOf(time) - began + dayMinutes) % dayMinutes) * minuteMillis
      return [0, 1, 2, 3].map((day) => first + day * dayMinutes * minuteMillis)
    })
    .filter((at) => at > start && at < end)
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

function kwhIn(value: ReturnType<typeof decimalOf>): number {
  return value === undefined ? 0 : numberOf(value)
}
