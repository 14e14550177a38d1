/**
 * OCPI's DateTime: UTC always, a designator or none, never a numeric offset. JavaScript reads a zone-less text as local
 * time and accepts dates that do not exist; hence our own reader and writer.
 */
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z?$/

/** The regular expressions for `VersionProfile.dateTime`: whole seconds, or any fraction of them. */
export const dateTimeForms = {
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/,
  fractions: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/
}

/** Longest DateTime that OCPI allows, in characters. */
export const dateTimeMaxLength = 25

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

/**
 * Milliseconds since the epoch, or undefined when the text is not an OCPI DateTime of any version: another form, a
 * numeric offset, or a date or time of day that does not exist. Digits below a millisecond are dropped. A leap second
 * (`:60` at the end of a UTC day) counts as the first instant of the next day.
 */
export const dateTimeToMillis = (text: string): number | undefined => {
  const parts = form.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const leapSecond = second === 60 && hour === 23 && minute === 59
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || (second > 59 && !leapSecond)) return undefined
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; setUTCFullYear does not.
  const date = new Date(
    Date.UTC(2000, 0, 1, hour, minute, second, Number((parts[7] ?? ".0").slice(1, 4).padEnd(3, "0")))
  )
  const dayOffset = Math.floor((date.getTime() - Date.UTC(2000, 0, 1)) / 86_400_000)
  date.setUTCFullYear(year, month - 1, day + dayOffset)
  return date.getTime()
}

/** `YYYY-MM-DDTHH:MM:SSZ`: legal in every version, so that is what we send. Milliseconds are cut, not rounded. */
export const dateTimeOf = (epochMillis: number): string =>
  `${new Date(epochMillis).toISOString().slice(0, 19)}Z`
