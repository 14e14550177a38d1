/** OCPI DateTime: UTC, with or without the `Z`, no numeric offset. */

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z?$/

/** `YYYY-MM-DDTHH:MM:SSZ`, legal in every version; fractions of a second are cut off. */
export const dateTime = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

/** Milliseconds since 1970 of a DateTime; undefined when it is none, or no date of the calendar. */
export const dateTimeMillis = (text: unknown): number | undefined => {
  const match = typeof text === "string" ? form.exec(text) : null
  if (match === null) return undefined
  // Without the Z, Date.parse would read local time.
  const millis = Date.parse(`${match[1]}${(match[2] ?? "").slice(0, 4)}Z`)
  return Number.isNaN(millis) || dateTime(millis).slice(0, 19) !== match[1] ? undefined : millis
}
