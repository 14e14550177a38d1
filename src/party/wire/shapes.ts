/** Departures of shape that a registration lets pass, each noted in words: one object in a list, a list without brackets. */
import { isObject, type JsonObject } from "../../findings/json.ts"

/** The object, also where it came as the only item of a list. Anything else as it is. */
export const unwrapped = (what: string, value: unknown, deviations: Array<string>): unknown => {
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return value
  deviations.push(`${what}: a single object came wrapped in a list`)
  return value[0]
}

/** The list, also where its only item came bare. */
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
