/** Each required field of each class that is listed: left out, or of another type. */
import { fieldsOf } from "../../partner/classes.ts"
import type { StrangerRole, StrangerVersion } from "../../partner/Freedoms.ts"
import type { Json } from "../../partner/validity.ts"
import { wordsOf } from "../../partner/words.ts"
import { type Edit, second, set, within, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

/** The classes of lists, with the place in the listed object and the check of its schema. */
const classes: ReadonlyArray<{
  readonly name: string
  readonly listed: string
  readonly role: StrangerRole
  readonly path?: string
  readonly check: string
}> = [
  { name: "Location", listed: "Location", role: "CPO", check: "LOC-002" },
  { name: "EVSE", listed: "Location", role: "CPO", path: "evses", check: "LOC-002" },
  { name: "Connector", listed: "Location", role: "CPO", path: "evses.connectors", check: "LOC-002" },
  { name: "Session", listed: "Session", role: "CPO", check: "SESS-002" },
  { name: "CDR", listed: "CDR", role: "CPO", check: "CDR-002" },
  { name: "Tariff", listed: "Tariff", role: "CPO", check: "TAR-002" },
  {
    name: "PriceComponent",
    listed: "Tariff",
    role: "CPO",
    path: "elements.price_components",
    check: "TAR-002"
  },
  { name: "Token", listed: "Token", role: "EMSP", check: "TOK-002" }
]

const wrongValues = (kind: string, version: StrangerVersion): ReadonlyArray<readonly [string, unknown]> => {
  if (kind === "num" || kind === "int") return [["a text for a number", "12"]]
  if (kind === "bool") return [["a text for a boolean", "true"]]
  if (kind === "dt")
    return [
      ["an offset", "2026-05-01T10:00:00+02:00"],
      ["no date", "yesterday"]
    ]
  if (kind.startsWith("enum:"))
    return wordsOf(kind.slice("enum:".length), version) === undefined ? [] : [["a number for a word", 3]]
  const length = /^(?:s|ci)(\d+)$/.exec(kind)?.[1]
  return length === undefined || fieldsOf(kind, version) !== undefined
    ? [["a text for an object", "text"]]
    : [
        ["a number for a text", 7],
        ["too long", "A".repeat(Number(length) + 1)]
      ]
}

/** The rows of a version. */
export const fieldFaults = (version: StrangerVersion): ReadonlyArray<Mutation> =>
  withAll(
    { needs: { objects: 6 } },
    classes.flatMap(({ check, listed, name, path, role }) =>
      (fieldsOf(name, version) ?? [])
        .filter(({ cardinality }) => cardinality === "1" || cardinality === "+")
        .flatMap(({ kind, name: field }): ReadonlyArray<Mutation> => {
          const row = (what: string, edit: Edit) =>
            fault(
              `${name}.${field}: ${what}`,
              check,
              second(listed, path === undefined ? edit : within(path, edit)),
              {
                roles: [role],
                // The rule of that field, the rules of its type, what refers to it, and how the list is cut by it.
                follows: `TRANS-045 TRANS-046 TRANS-047 TRANS-048 ${check.slice(0, -3)}0* ${referring(field)}`
              }
            )
          return [
            row("missing", without(field)),
            ...wrongValues(kind, version).map(([what, value]) =>
              row(what, set({ [field]: value } satisfies Json))
            )
          ]
        })
    )
  )

/** What is cut, counted or found by that field. */
function referring(field: string): string {
  if (field === "last_updated") return "PAGE-*"
  if (["id", "uid"].includes(field)) return "PAGE-* SESS-010 CDR-021 CDR-024 LOC-019 TOK-013"
  if (["country_code", "party_id"].includes(field)) return "PAGE-027 SESS-0* CDR-0* LOC-019"
  return "SESS-010 CDR-021 CDR-024"
}
