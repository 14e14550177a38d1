/** A value bent at one place, in one way: what a proof does with every field of what a stranger says. */
import { isJson, type Json } from "../../../strangers/partner/objects/validity.ts"

/** The class of the objects of each module that lists them, by the module's id. */
export const listedClasses = {
  locations: "Location",
  sessions: "Session",
  cdrs: "CDR",
  tariffs: "Tariff",
  tokens: "Token"
} as const

/** Steps from an object to a value in it. */
export type Path = ReadonlyArray<string | number>

/** Of a value another one; the same: there is no such way. undefined: the value is left out. */
export type Bent = (value: unknown) => unknown

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)

/** The ways, by what becomes of the value. */
export const bends: Readonly<Record<string, Bent>> = {
  "left out": () => undefined,
  null: () => null,
  empty: (value) => (typeof value === "string" ? "" : Array.isArray(value) ? [] : isJson(value) ? {} : value),
  "of another type": (value) =>
    typeof value === "string" ? 17 : typeof value === "object" ? "text" : String(value),
  "too long": (value) => (typeof value === "string" ? `${value}${"x".repeat(600)}` : value),
  "another word": (value) =>
    typeof value === "string" ? "BANANA" : typeof value === "number" ? -value - 7 : value,
  "in small letters": (value) => (typeof value === "string" ? value.toLowerCase() : value),
  "times a thousand": (value) => (typeof value === "number" ? value * 1000 : value),
  "forty days later": (value) =>
    isMoment(value) ? new Date(Date.parse(value) + 40 * 86_400_000).toISOString() : value,
  "a day alone": (value) => (isMoment(value) ? value.slice(0, 10) : value)
}

/** The places of all values; of a list those of its first entry. */
export const pathsIn = (value: unknown, at: Path = []): ReadonlyArray<Path> =>
  Array.isArray(value)
    ? value.slice(0, 1).flatMap((one) => [[...at, 0], ...pathsIn(one, [...at, 0])])
    : isJson(value)
      ? Object.entries(value).flatMap(([name, one]) => [[...at, name], ...pathsIn(one, [...at, name])])
      : []

/** The object with another value at a place; as it is where it has no such place. */
export const bentAt = (json: Json, path: Path, bend: Bent): Json => {
  const copy = structuredClone(json)
  let parent: unknown = copy
  for (const step of path.slice(0, -1)) parent = (parent as Record<string | number, unknown> | null)?.[step]
  const last = path.at(-1)
  if (last === undefined || typeof parent !== "object" || parent === null || !(last in parent)) return json
  const holder = parent as Record<string | number, unknown>
  const value = bend(holder[last])
  if (value !== undefined) holder[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete holder[last]
  return copy
}

/** The names of the fields on the way, for readers. */
export const fieldsOf = (path: Path): string => path.filter((step) => typeof step === "string").join(".")
