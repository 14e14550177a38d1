/** OCPI DateTime of unknown origin, read without trust; and written. The rules are those of `schema/ocpi/DateTime`. */
import { dateTimeOf, dateTimeToMillis } from "../../schema/ocpi/DateTime.ts"

/** `YYYY-MM-DDTHH:MM:SSZ`, legal in every version; fractions of a second are cut off. */
export const dateTime = dateTimeOf

/** Milliseconds since 1970 of any value that is a DateTime; undefined when it is none, or no date of the calendar. */
export const dateTimeMillis = (value: unknown): number | undefined =>
  typeof value === "string" ? dateTimeToMillis(value) : undefined
