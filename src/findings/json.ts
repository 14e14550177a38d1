/** Looking into JSON that somebody else wrote. Nothing here throws, and nothing is believed. */

export type JsonObject = Record<string, unknown>

/** Is the value a JSON object: neither null nor an array? */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value as an object; an empty one when it is none. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects in a list; an empty list when it is none. */
export const objectsIn = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The value as text; undefined when it is none or empty. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/**
 * The number that the value is, or that it writes as text; NaN for anything else. `Number` throws at an object that has a field
 * `toString`.
 */
export const numberFrom = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN

/** Identifiers of OCPI are compared without regard to case. */
export const sameId = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && a.toUpperCase() === b.toUpperCase()

/**
 * Finds the first of the items with these identifiers, as `sameId` compares them. For lists of any length that are searched for
 * many ids: made once, it looks each up.
 */
export const indexed = <A>(
  items: ReadonlyArray<A>,
  idsOf: (item: A) => ReadonlyArray<unknown>
): ((...ids: ReadonlyArray<unknown>) => A | undefined) => {
  const index = new Map<string, A>()
  for (const item of items) {
    const key = idKeyOf(idsOf(item))
    if (key !== undefined && !index.has(key)) index.set(key, item)
  }
  return (...ids) => {
    const key = idKeyOf(ids)
    return key === undefined ? undefined : index.get(key)
  }
}

const idKeyOf = (ids: ReadonlyArray<unknown>): string | undefined =>
  ids.every((id) => typeof id === "string") ? JSON.stringify(ids).toUpperCase() : undefined

/**
 * The value as a key, or as a segment of a URL: a text as it is, all else as JSON, and nothing of what is absent. Sentences have
 * `inWords`.
 */
export const keyText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value ?? undefined) ?? "")
