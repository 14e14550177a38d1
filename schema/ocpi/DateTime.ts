/**
 * OCPI's DateTime: UTC always, a designator or none, never a numeric offset. JavaScript reads a zone-less text as local
 * time and accepts dates that do not exist; hence our own reader and writer.
 */
const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/

/** The regular expressions for `VersionProfile.dateTime`: whole seconds, or any fraction of them. */
export const dateTimeForms = {
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/,
  fractions: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/
}

/** Milliseconds of 146,097 days. */
const fourCenturies = 12_622_780_800_000

/** What a CDR has for a start or an end that is not known, written as in the text (mod_cdrs, CDR Object, note). */
export const unknownTime = "1970-1-1T00:00:00Z"

/** Longest DateTime that OCPI allows, in characters. */
export const dateTimeMaxLength = 25

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : monthDays[month - 1]!

/**
 * Milliseconds since the epoch, or undefined when the value is not an OCPI DateTime of any version: no text, another form, a
 * numeric offset, or a date or time of day that does not exist. Digits below a millisecond are dropped. A leap second
 * (`:60` at the end of a UTC day) counts as the first instant of the next day.
 */
export const dateTimeMillis = (text: unknown): number | undefined => {
  if (typeof text !== "string" || !form.test(text)) return undefined
  const year = numberAt(text, 0, 4)
  const [month, day] = [numberAt(text, 5, 2), numberAt(text, 8, 2)]
  const [hour, minute, second] = [numberAt(text, 11, 2), numberAt(text, 14, 2), numberAt(text, 17, 2)]
  const leapSecond = second === 60 && hour === 23 && minute === 59
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || (second > 59 && !leapSecond)) return undefined
  const millis = text[19] === "." ? numberAt(text.slice(20).replace("Z", "").padEnd(3, "0"), 0, 3) : 0
  if (year > 99) return Date.UTC(year, month - 1, day, hour, minute, second, millis)
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar repeats itself every 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second, millis) - fourCenturies
}

/** Is a DateTime written without a fraction? Then it stands for any instant of its second. */
export const isOfWholeSeconds = (value: unknown): boolean => typeof value === "string" && !value.includes(".")

/** The last millisecond that a DateTime may stand for: the end of its second when it has no fraction. */
export const latestMillis = (value: unknown): number | undefined => {
  const millis = dateTimeMillis(value)
  return millis !== undefined && isOfWholeSeconds(value) ? millis + 999 : millis
}

/** So many digits of a text as a number: a location has a dozen times, and a match of a regular expression is dearer. */
function numberAt(text: string, from: number, count: number): number {
  let number = 0
  for (let at = from; at < from + count; at++) number = number * 10 + text.charCodeAt(at) - 0x30
  return number
}

/** `YYYY-MM-DDTHH:MM:SSZ`: legal in every version, so that is what we send. Milliseconds are cut, not rounded. */
export const dateTimeOf = (epochMillis: number): string => {
  const second = Math.floor(epochMillis / 1000)
  if (second !== written.second)
    written = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  return written.text
}

/** The second that was written last: every message has one, and many are of the same. */
let written: { readonly second: number; readonly text: string } = { second: 0, text: "1970-01-01T00:00:00Z" }
