/** Whether two readings of an object say the same: apart from `last_updated`, and however they are written. */
import { dateTimeMillis } from "../../../../../schema/ocpi/DateTime.ts"
import { isObject, type JsonObject } from "../../../../findings/json.ts"
import { isHttpUrl } from "../../../../findings/links.ts"
import { isEmpty } from "../../../../findings/objectDifferences.ts"

/** JSON Pointers that are left out of the comparison. */
type Ignored = ReadonlySet<string>

const nothing: Ignored = new Set()
const stampField = "last_updated"

/**
 * The same fields with the same values. `last_updated` does not count at any depth, and neither do the order of lists, upper
 * and lower case, the query of URLs (a signature may be in it), and how an instant or nothing at all is written.
 */
export const sameContent = (one: JsonObject, other: JsonObject): boolean =>
  canonical(one) === canonical(other)

/** Fields of either object that the other one has otherwise. `unknown`: JSON Pointers of each that do not count. */
export const otherFields = (
  [one, unknownOfOne]: readonly [JsonObject, ReadonlyArray<string>],
  [other, unknownOfOther]: readonly [JsonObject, ReadonlyArray<string>]
): ReadonlyArray<string> => {
  const ignored = [new Set(unknownOfOne), new Set(unknownOfOther)] as const
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) =>
      name !== stampField &&
      canonical(one[name], `/${name}`, ignored[0]) !== canonical(other[name], `/${name}`, ignored[1])
  )
}

/** The value as a text: two values that say the same have the same one. Undefined: it says nothing. */
const canonical = (value: unknown, pointer = "", ignored: Ignored = nothing): string | undefined =>
  JSON.stringify(canonicalValue(value, pointer, ignored))

function canonicalValue(value: unknown, pointer: string, ignored: Ignored): unknown {
  if (isEmpty(value) || ignored.has(pointer)) return undefined
  if (Array.isArray(value))
    return value.map((one: unknown, index) => canonical(one, `${pointer}/${index}`, ignored) ?? "").toSorted()
  if (isObject(value)) {
    const fields = Object.keys(value)
      .filter((name) => name !== stampField)
      .toSorted()
      .map((name) => [name, canonicalValue(value[name], `${pointer}/${name}`, ignored)] as const)
      .filter(([, one]) => one !== undefined)
    return fields.length === 0 ? undefined : Object.fromEntries(fields)
  }
  if (typeof value === "number") return Math.round(value * 10_000)
  if (typeof value !== "string") return value
  const isUrl: boolean = isHttpUrl(value)
  return dateTimeMillis(value) ?? (isUrl ? value.split("?")[0] : value.toUpperCase())
}
