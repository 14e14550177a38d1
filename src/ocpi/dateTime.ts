/** Reads OCPI DateTimes of untrusted origin, and writes them. The rules are those of `schema/ocpi/DateTime`. */
import { dateTimeOf, dateTimeToMillis } from "../../schema/ocpi/DateTime.ts"

/** `YYYY-MM-DDTHH:MM:SSZ`, legal in every version; fractions of a second are cut off. */
export const dateTime = dateTimeOf

/** Epoch milliseconds of a value that is an OCPI DateTime; undefined for any other value and for impossible dates. */
export const dateTimeMillis = (value: unknown): number | undefined =>
  typeof value === "string" ? dateTimeToMillis(value) : undefined
