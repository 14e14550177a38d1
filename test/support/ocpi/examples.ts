/**
 * Valid objects built from the tables of a version, and every single way in which one field of them can be broken.
 *
 * The notation of a table: `1` required, `?` optional, `*` list, `+` list of at least one; then the type: ciN, sN, dt, url, num,
 * int, bool, enum, open (enum), geo, geo6 (six decimals), hhmm, date, alpha2, alpha3, currency,
 * language, zone, token, hub, or the name of another table.
 */
export type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A value for each enum, where the field's name and class tell which: `Class.field`. */
export type Words = Readonly<Record<string, string>>

type Json = Record<string, unknown>

const plain: Readonly<Record<string, unknown>> = {
  dt: "2026-02-28T23:59:59.123Z",
  url: "https://partner.example/ocpi",
  num: 12.5,
  int: 3,
  bool: true,
  geo: "51.0475991",
  geo6: "51.047599",
  hhmm: "08:30",
  date: "2026-02-28",
  alpha2: "NL",
  alpha3: "NLD",
  currency: "EUR",
  language: "en",
  zone: "Europe/Amsterdam",
  token: "a1-b2_c3",
  hub: "NLHUB"
}

/** Fields whose value is bound by another one. */
const chosen: Readonly<Record<string, unknown>> = { "RegularHours.period_end": "17:00" }

/** The fields that a rule between fields needs: leaving them out of the full example is a flaw of its own. */
const bound = new Set([
  "PublishTokenType.type",
  "PublishTokenType.issuer",
  "START_SESSION.evse_uid",
  "CDR.credit_reference_id"
])

const maxOf = (type: string): number | undefined =>
  /^(ci|s)\d+$/.test(type) ? Number(/\d+/.exec(type)![0]) : undefined

export interface Mutation {
  readonly object: string
  readonly pointer: string
  /** undefined = the field is taken away. */
  readonly value: unknown
  readonly legal: boolean
}

const noDateTimes = [
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01T00:00:00+01:00",
  "2026-01-01",
  1767225600,
  ""
]

const wrongValues = (tables: Tables, type: string): ReadonlyArray<unknown> => {
  const max = maxOf(type)
  if (type in tables) return ["text", 7, [], true]
  if (max !== undefined) {
    const unprintable = type.startsWith("ci") ? ["é", "tab\t"] : ["tab\t", "line\nbreak"]
    return ["x".repeat(max + 1), 7, {}, ...unprintable]
  }
  const wrong: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    dt: noDateTimes,
    url: ["partner.example/ocpi", "", `https://partner.example/${"x".repeat(255)}`, 7],
    num: ["12.5", true, {}],
    int: [1.5, "3", null],
    bool: ["true", 1],
    open: ["", 7, {}],
    enum: ["NOT_A_VALUE", "", 7],
    geo: ["51.0475", "51,047599", 51.047599, "51.04759912"],
    geo6: ["51.04759", "51.0475991", "51,047599", 51.047599],
    hhmm: ["24:00", "8:30", "08:60", 830],
    date: ["2026-2-28", "28-02-2026", "2026-02-29", 20260228],
    alpha2: ["ZZ", "NLD", "", 31],
    alpha3: ["NL", "ZZZ", "nld", 528],
    currency: ["EURO", "eur", "ZZZ", 978],
    language: ["eng", "zz", "", 1],
    zone: ["Europe/Nowhere", "+01:00", "", 1],
    token: ["has space", "x".repeat(65), "", 7],
    hub: ["HUB", "NLHUBX", "12HUB", "", 7]
  }
  return wrong[type]!
}

/** The objects of one version. */
export class Examples {
  readonly tables: Tables
  readonly words: Words

  constructor(tables: Tables, words: Words) {
    this.tables = tables
    this.words = words
  }

  /** With every field of the table, or with the required ones only; texts are as long as they may be. */
  example(name: string, full: boolean): Json {
    const object: Json = {}
    for (const [field, notation] of Object.entries(this.tables[name]!)) {
      const [cardinality, type] = notation.split(" ") as [string, string]
      if (!full && (cardinality === "?" || cardinality === "*")) continue
      const value = this.sampleOf(`${name}.${field}`, type, full)
      object[field] = cardinality === "*" || cardinality === "+" ? [value] : value
    }
    return object
  }

  /** Every field of the object and of all that it holds, broken in every way that its type knows. */
  mutationsOf(object: string): ReadonlyArray<Mutation> {
    return this.mutationsAt(object, object, "")
  }

  /** A copy of the full example with the mutation done to it. */
  mutated({ object, pointer, value }: Mutation): Json {
    const copy = structuredClone(this.example(object, true))
    const steps = pointer.split("/").slice(1)
    const last = steps.pop()!
    const parent = steps.reduce<Json>((json, step) => json[step] as Json, copy)
    if (value === undefined) delete parent[last]
    else parent[last] = value
    return copy
  }

  /** The places of a field (`Class.field`) in the full example of an object. */
  placesOf(object: string, field: string, name = object, base = ""): ReadonlyArray<string> {
    return Object.entries(this.tables[name]!).flatMap(([key, notation]) => {
      const [cardinality, type] = notation.split(" ") as [string, string]
      const place = `${base}/${key}${cardinality === "*" || cardinality === "+" ? "/0" : ""}`
      if (`${name}.${key}` === field) return [place]
      return type in this.tables ? this.placesOf(object, field, type, place) : []
    })
  }

  private sampleOf(field: string, type: string, full: boolean): unknown {
    if (type in this.tables) return this.example(type, full)
    if (field in chosen) return chosen[field]
    if (type === "enum" || type === "open") return this.words[field]
    return maxOf(type) === undefined ? plain[type] : "x".repeat(maxOf(type)!)
  }

  private mutationsAt(object: string, name: string, base: string): ReadonlyArray<Mutation> {
    return Object.entries(this.tables[name]!).flatMap(([field, notation]) => {
      const [cardinality, type] = notation.split(" ") as [string, string]
      const pointer = `${base}/${field}`
      const listed = cardinality === "*" || cardinality === "+"
      const left = [undefined, null, ...(listed ? [[]] : [])]
      const place = listed ? `${pointer}/0` : pointer
      return [
        ...(bound.has(`${name}.${field}`) ? [] : left).map((value) => ({
          object,
          pointer,
          value,
          legal: cardinality === "?" || cardinality === "*"
        })),
        ...wrongValues(this.tables, type)
          .filter((value) => value !== null || cardinality === "1")
          .map((value) => ({ object, pointer: place, value, legal: false })),
        ...(listed ? [{ object, pointer, value: "text", legal: false }] : []),
        ...(type in this.tables ? this.mutationsAt(object, type, place) : [])
      ]
    })
  }
}
