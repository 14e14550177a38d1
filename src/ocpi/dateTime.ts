/** Reads OCPI DateTimes of untrusted origin, and writes them. The rules are those of `schema/ocpi/DateTime`. */
import { dateTimeOf, dateTimeToMillis } from "../../schema/ocpi/DateTime.ts"

/** `YYYY-MM-DDTHH:MM:SSZ`, legal in every version; fractions of a second are cut off. */
export const dateTime = dateTimeOf

/** Epoch milliseconds of a value that is an OCPI DateTime; undefined for any other value and for impossible dates. */
export const dateTimeMillis = (value: unknown): number | undefined =>
  typeof value === "string" ? dateTimeToMillis(value) : undefined

/** Is a DateTime written without a fraction? Then it stands for any instant of its second. */
export const isOfWholeSeconds = (value: unknown): boolean => typeof value === "string" && !value.includes(".")

/** The last millisecond that a DateTime may stand for: the end of its second when it has no fraction. */
export const latestMillis = (value: unknown): number | undefined => {
  const millis = dateTimeMillis(value)
  return millis !== undefined && isOfWholeSeconds(value) ? millis + 999 : millis
}
