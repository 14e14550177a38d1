/**
 * When a tariff element counts (mod_tariffs, TariffRestrictions class). All restrictions of an element must hold at the
 * start of a charging period: a period is to begin wherever another price becomes active.
 */
import type { JsonObject } from "../json.ts"
import { type Decimal, decimal, decimalOf, isMore } from "./decimal.ts"
import { currentOf, type Period, powerOf } from "./periods.ts"

/** What restrictions look at besides the period. */
export interface Circumstances {
  /** Start of the session, milliseconds since 1970. */
  readonly sessionStart: number | undefined
  /** IANA zone of the place; undefined when it is not known. */
  readonly timeZone: string | undefined
  /** Is it a reservation that was not used? */
  readonly expired: boolean
}

/** Does the element apply? `unknown` names what would have to be known to tell. */
type Applies = boolean | { readonly unknown: string }

/** Days as `day_of_week` has them, Sunday first. */
const days = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"]

/** False beats unknown: one restriction that does not hold is enough. */
export const applies = (restrictions: JsonObject, period: Period, circumstances: Circumstances): Applies => {
  const answers = [
    forReservation(restrictions, period, circumstances),
    inTime(restrictions, period, circumstances),
    within(restrictions, "kwh", period.kwhBefore, "the energy charged before the period"),
    within(restrictions, "power", powerOf(period), "the power of the period"),
    within(restrictions, "current", currentOf(period), "the current of the period"),
    within(restrictions, "duration", durationOf(period, circumstances), "when the period begins")
  ]
  if (answers.includes(false)) return false
  return answers.find((answer) => typeof answer === "object") ?? true
}

/** Elements for reservations count for time that was reserved, the others for the rest. */
function forReservation(restrictions: JsonObject, { volumes }: Period, { expired }: Circumstances): Applies {
  const kind = restrictions["reservation"] ?? undefined
  const reserved = volumes.has("RESERVATION_TIME")
  if (kind === undefined) return !reserved
  return reserved && (kind !== "RESERVATION_EXPIRES" || expired)
}

/** `min_…` is included, `max_…` is not. */
function within(restrictions: JsonObject, what: string, value: Decimal | undefined, named: string): Applies {
  const [least, most] = [decimalOf(restrictions[`min_${what}`]), decimalOf(restrictions[`max_${what}`])]
  if (least === undefined && most === undefined) return true
  if (value === undefined) return { unknown: named }
  return (least === undefined || !isMore(least, value)) && (most === undefined || isMore(most, value))
}

function durationOf({ start }: Period, { sessionStart }: Circumstances): Decimal | undefined {
  return start === undefined || sessionStart === undefined
    ? undefined
    : decimal((start - sessionStart) / 1000)
}

/** Time of day, dates and weekdays, all in local time. */
function inTime(restrictions: JsonObject, { start }: Period, { timeZone }: Circumstances): Applies {
  const text = (name: string) => (typeof restrictions[name] === "string" ? restrictions[name] : undefined)
  const [from, to, first, last] = ["start_time", "end_time", "start_date", "end_date"].map(text)
  const weekdays = Array.isArray(restrictions["day_of_week"]) ? restrictions["day_of_week"] : []
  if ([from, to, first, last].every((one) => one === undefined) && weekdays.length === 0) return true
  if (start === undefined) return { unknown: "when the period begins" }
  const local = timeZone === undefined ? undefined : localTime(start, timeZone)
  if (local === undefined) return { unknown: "the time zone of the location" }
  return (
    timeFits(local.time, from, to) &&
    (first === undefined || local.date >= first) &&
    (last === undefined || local.date < last) &&
    (weekdays.length === 0 || weekdays.includes(local.weekday))
  )
}

/** From is included, to is not; a span may run over midnight, and 00:00 as its end is the end of the day. */
function timeFits(time: string, from: string | undefined, to: string | undefined): boolean {
  const end = to === "00:00" ? "24:00" : to
  if (from === undefined) return end === undefined || time < end
  if (end === undefined) return time >= from
  return from < end ? time >= from && time < end : time >= from || time < end
}

/** `YYYY-MM-DD`, `HH:MM` and the weekday at a place; undefined when the zone is none. */
export const localTime = (
  millis: number,
  timeZone: string
): { readonly date: string; readonly time: string; readonly weekday: string } | undefined => {
  try {
    const parts = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit"
    }).formatToParts(millis)
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ""
    const date = `${part("year")}-${part("month")}-${part("day")}`
    const weekday = days[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ""
    return { date, time: `${part("hour")}:${part("minute")}`, weekday }
  } catch {
    return undefined
  }
}
