/** How an object looks on the wire: the same facts, by the choices of a stranger. */
import type { Chance } from "../chance.ts"
import type { Freedoms, StrangerVersion } from "../Freedoms.ts"
import { fieldsOf } from "./classes.ts"
import { isJson, type Json } from "./validity.ts"

/** A DateTime (types, DateTime type) of that version, as the stranger writes it. */
export const stamp = (millis: number, freedoms: Freedoms, version: StrangerVersion): string => {
  const digits = version === "2.1.1" ? 0 : freedoms.digits
  const iso = new Date(millis).toISOString()
  const fraction = digits === 0 ? "" : iso.slice(19, 20 + digits)
  return `${iso.slice(0, 19)}${fraction}${freedoms.zulu ? "Z" : ""}`
}

/** The moment that `stamp` writes: no finer than its digits. */
export const tick = (millis: number, freedoms: Freedoms, version: StrangerVersion): number => {
  const step = 1000 / 10 ** (version === "2.1.1" ? 0 : freedoms.digits)
  return Math.floor(millis / step) * step
}

/** Milliseconds of a DateTime; undefined when it is none. */
export const momentOf = (text: unknown): number | undefined => {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(text)) return undefined
  const millis = Date.parse(`${text.replace(/Z$/, "")}Z`)
  return Number.isNaN(millis) ? undefined : millis
}

/** Optional fields that the stranger always gives where it has them: other objects refer to them. */
const kept = new Set([
  "evses",
  "parking_places",
  "capabilities",
  "tariff_id",
  "tariff_ids",
  "evse_id",
  "session_id",
  "charging_periods",
  "tariffs",
  "end_date_time",
  "end_datetime",
  "authorization_reference",
  "twentyfourseven",
  "regular_hours",
  "group_id",
  "publish_allowed_to",
  "tariff_id",
  "total_cost",
  "restrictions",
  "vat",
  "taxes",
  "incl_vat"
])

/** Of these, those that nothing needs: where they are left out, less can be said of the object. */
const spared = new Set([
  "capabilities",
  "tariff_id",
  "tariff_ids",
  "evse_id",
  "charging_periods",
  "tariffs",
  "group_id",
  "total_cost",
  "taxes",
  "incl_vat"
])

/** Lists whose order means nothing. */
const unordered = new Set([
  "evses",
  "connectors",
  "capabilities",
  "facilities",
  "directions",
  "tariff_alt_text",
  "energy_sources",
  "environ_impact",
  "regular_hours",
  "parking_places",
  "parking",
  "parking_restrictions",
  "related_locations",
  "dimensions"
])

/** The object with what is left out left out, as null or an empty list where that was drawn, and with fields of its own. */
export const dressed = (
  name: string,
  json: Json,
  version: StrangerVersion,
  freedoms: Freedoms,
  chance: Chance
): Json => {
  const fields = fieldsOf(name, version) ?? []
  const pairs = fields.flatMap(({ cardinality, kind, name: field }): ReadonlyArray<[string, unknown]> => {
    const value = json[field]
    const optional = cardinality === "?" || cardinality === "*"
    const given =
      !optional ||
      (kept.has(field) && !(freedoms.lean && spared.has(field) && chance.next() < 0.3)) ||
      (freedoms.optionals === "all" && !kept.has(field)) ||
      (freedoms.optionals === "some" && !kept.has(field) && chance.next() < 0.5)
    if (value === undefined || value === null || !given)
      return !freedoms.nulls || !optional
        ? []
        : [[field, cardinality === "*" && chance.next() < 0.5 ? [] : null]]
    const inner = (one: unknown) =>
      isJson(one) && fieldsOf(kind, version) !== undefined
        ? dressed(kind, one, version, freedoms, chance)
        : one
    if (!Array.isArray(value)) return [[field, inner(value)]]
    const all = value.map(inner)
    return [[field, freedoms.mixedLists && unordered.has(field) ? shuffled(all, chance) : all]]
  })
  const more: ReadonlyArray<[string, unknown]> = freedoms.unknownFields
    ? [
        [
          `${chance.text("abcdefghij", 5)}_note`,
          chance.of([1, "text", true, null, ["a"], { deep: { er: 1 } }])
        ],
        [
          "customExtension",
          { vendor: version === "2.1.1" ? "ACME" : "Ünïcode ☃", level: chance.between(1, 9) }
        ]
      ]
    : []
  return Object.fromEntries(mixed([...pairs, ...more], freedoms, chance))
}

/** In another order, where that was drawn. */
export const mixed = <A>(all: ReadonlyArray<A>, freedoms: Freedoms, chance: Chance): ReadonlyArray<A> =>
  freedoms.mixedFields ? shuffled(all, chance) : all

const shuffled = <A>(all: ReadonlyArray<A>, chance: Chance): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
