/** Deviations of shape that a registration accepts and notes: one object in a list, a list without brackets. */
import { isObject, type JsonObject } from "../../findings/json.ts"

/** The object, also if it came as the only item of a list (which is noted). Any other value unchanged. */
export const unwrapped = (what: string, value: unknown, deviations: Array<string>): unknown => {
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return value
  deviations.push(`${what}: a single object came wrapped in a list`)
  return value[0]
}

/** The list, also if its only item came without the list (which is noted). */
export const listed = (
  what: string,
  value: unknown,
  isItem: (object: JsonObject) => boolean,
  deviations: Array<string>
): unknown => {
  if (!isObject(value) || !isItem(value)) return value
  deviations.push(`${what}: a single object came in place of a list`)
  return [value]
}
