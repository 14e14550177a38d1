/** Each required field of each class that is listed: left out, or of another type. */

import type { StrangerRole, StrangerVersion } from "../../partner/Freedoms.ts"
import { fieldsOf } from "../../partner/objects/classes.ts"
import type { Json } from "../../partner/objects/validity.ts"
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
  if (kind.startsWith("enum:")) return [["a number for a word", 3]]
  const length = /^(?:s|ci)(\d+)$/.exec(kind)?.[1]
  return length === undefined || fieldsOf(kind, version) !== undefined
    ? [["a text for an object", "text"]]
    : [
        ["a number for a text", 7],
        ["too long", "A".repeat(Number(length) + 1)]
      ]
}

/** How a list is cut and ordered by last_updated. */
const cut =
  "PAGE-010 PAGE-011 PAGE-012 PAGE-019 PAGE-020 PAGE-021 PAGE-022 PAGE-023 PAGE-024 PAGE-025 PAGE-026 PAGE-028 PAGE-030"
/** How the objects of a list are told apart. */
const counted = "PAGE-008 PAGE-009 PAGE-010 PAGE-011 PAGE-012 PAGE-013 PAGE-023 PAGE-024 PAGE-026"

/** The rules that read a field, by class and field. What a stranger draws decides which of them have something to say. */
const readers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Location: {
    country_code: "PAGE-027 LOC-010 LOC-047 LOC-048 LOC-019 SESS-010 CDR-024",
    party_id: "PAGE-027 LOC-010 LOC-047 LOC-048 LOC-019 SESS-010 CDR-024",
    id: `${counted} LOC-010 LOC-034 LOC-035 LOC-036 LOC-037 LOC-047 LOC-048 SESS-010 CDR-024`,
    publish: "LOC-022",
    country: "LOC-006 LOC-008",
    coordinates: "LOC-007 LOC-008",
    time_zone: "LOC-009",
    last_updated: `${cut} LOC-014 LOC-015 LOC-045 LOC-049 LOC-050`
  },
  EVSE: {
    uid: "LOC-011 LOC-035 LOC-036 LOC-037 LOC-046 LOC-047 SESS-010 CDR-021 CDR-024",
    status: "LOC-003 LOC-018 LOC-044 SESS-016",
    connectors: "LOC-013 LOC-036 SESS-010 CDR-024",
    last_updated: "LOC-014 LOC-015 LOC-045"
  },
  Connector: {
    id: "LOC-012 LOC-036 SESS-010 CDR-024",
    standard: "LOC-004 LOC-031 CDR-024",
    format: "LOC-003 CDR-024",
    power_type: "LOC-003 LOC-030 LOC-031 CDR-024",
    voltage: "LOC-030",
    amperage: "LOC-030",
    max_voltage: "LOC-030",
    max_amperage: "LOC-030",
    last_updated: "LOC-014 LOC-015"
  },
  Session: {
    country_code: "PAGE-027 SESS-010 SESS-018 CDR-021",
    party_id: "PAGE-027 SESS-010 SESS-018 CDR-021",
    id: `${counted} SESS-017 SESS-018 CDR-021 CDR-029 CDR-038`,
    start_datetime: "SESS-005 SESS-006 SESS-008 CDR-021",
    start_date_time: "SESS-005 SESS-006 SESS-008 CDR-021",
    kwh: "SESS-007 CDR-021",
    auth_id: "CDR-021",
    cdr_token: "SESS-013 CDR-021",
    auth_method: "SESS-004 CDR-038",
    location: "SESS-010 SESS-012 CDR-021",
    location_id: "SESS-010 CDR-021",
    evse_uid: "SESS-010 SESS-011 CDR-021",
    connector_id: "SESS-010 SESS-011 CDR-021",
    currency: "SESS-014 CDR-015",
    status: "SESS-004 SESS-006 CDR-021",
    last_updated: `${cut} SESS-006 SESS-017`
  },
  CDR: {
    country_code: "PAGE-027 CDR-003 CDR-021",
    party_id: "PAGE-027 CDR-003 CDR-021",
    id: `${counted} CDR-003 CDR-004 CDR-028`,
    start_date_time: "CDR-005 CDR-006 CDR-007 CDR-009 CDR-013 CDR-021 CDR-029",
    stop_date_time: "CDR-005 CDR-006 CDR-009 CDR-013 CDR-021",
    end_date_time: "CDR-005 CDR-006 CDR-009 CDR-013 CDR-021",
    auth_id: "CDR-021",
    cdr_token: "CDR-021 CDR-022",
    auth_method: "CDR-038",
    location: "CDR-021 CDR-023 CDR-024 CDR-025",
    cdr_location: "CDR-021 CDR-023 CDR-024 CDR-026",
    currency: "CDR-013 CDR-015",
    charging_periods: "CDR-006 CDR-007 CDR-008 CDR-010 CDR-012 CDR-013 CDR-014",
    total_cost: "CDR-012 CDR-013 CDR-030 CDR-032",
    total_energy: "CDR-008 CDR-021",
    total_time: "CDR-009 CDR-010",
    last_updated: `${cut} CDR-005 CDR-028`
  },
  Tariff: {
    country_code: "PAGE-027 TAR-003 LOC-019 SESS-010",
    party_id: "PAGE-027 TAR-003 LOC-019 SESS-010",
    id: `${counted} TAR-003 LOC-019 SESS-010`,
    currency: "TAR-004 TAR-022",
    elements: "TAR-005 TAR-016",
    tax_included: "TAR-009",
    last_updated: `${cut} TAR-034 TAR-035`
  },
  PriceComponent: { type: "TAR-006 TAR-016", price: "TAR-008", step_size: "TAR-007" },
  Token: {
    country_code: "TOK-003 TOK-008 TOK-013",
    party_id: "TOK-003 TOK-008 TOK-013",
    uid: `${counted} TOK-003 TOK-012 TOK-013 TOK-018`,
    type: "TOK-003 TOK-004 TOK-005 TOK-006 TOK-012 TOK-013 TOK-018 TOK-022",
    auth_id: "TOK-009 TOK-013",
    contract_id: "TOK-009 TOK-013",
    issuer: "TOK-013",
    valid: "TOK-013 TOK-018",
    whitelist: "TOK-004 TOK-005 TOK-010 TOK-013",
    last_updated: `${cut} TOK-013 TOK-030 TOK-031`
  }
}

/** What is listed with a flaw is pushed with it, where the stranger pushes. */
const pushed: Readonly<Record<string, string>> = { EVSE: "LOC-042", Connector: "LOC-042" }

/** The rules of the types of fields (types). */
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"

/**
 * Each flaw is told once: the check of the schema leaves these fields to another one, when they are there and wrong, and those
 * of the second table when they are missing, too.
 */
const toldWrong: Readonly<Record<string, string>> = {
  "Location.country": "LOC-006",
  "Location.time_zone": "LOC-009",
  "EVSE.status": "LOC-003",
  "Connector.format": "LOC-003",
  "Connector.power_type": "LOC-003",
  "Session.status": "SESS-004",
  "Session.auth_method": "SESS-004",
  "Session.currency": "SESS-014",
  "CDR.currency": "CDR-015",
  "Tariff.currency": "TAR-004",
  "PriceComponent.type": "TAR-006",
  "Token.type": "TOK-004",
  "Token.whitelist": "TOK-004"
}
const toldAlways: Readonly<Record<string, string>> = {
  "EVSE.connectors": "LOC-013",
  "CDR.charging_periods": "CDR-006",
  "CDR.total_cost": "CDR-032",
  "Tariff.elements": "TAR-005",
  "Tariff.tax_included": "TAR-009",
  "PriceComponent.step_size": "TAR-007"
}
/** Words of types and of plugs are closed before 2.3.0. */
const toldWhereClosed: Readonly<Record<string, string>> = {
  "Location.type": "LOC-004",
  "Connector.standard": "LOC-004"
}
const tellerOf = (field: string, isMissing: boolean, version: StrangerVersion): string | undefined =>
  toldAlways[field] ??
  (isMissing ? undefined : (toldWrong[field] ?? (version === "2.3.0" ? undefined : toldWhereClosed[field])))

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
              tellerOf(`${name}.${field}`, what === "missing", version) ?? check,
              second(listed, path === undefined ? edit : within(path, edit)),
              { roles: [role], follows: `${typed} ${pushed[name] ?? ""} ${readers[name]?.[field] ?? ""}` }
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
