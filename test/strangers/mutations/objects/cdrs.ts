/** Faults in CDRs that are listed (mod_cdrs). */
import type { StrangerVersion } from "../../partner/Freedoms.ts"
import type { Json } from "../../partner/objects/validity.ts"
import { change, copied, inTurn, second, set, within, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const cdr = (fields: Json) => second("CDR", set(fields))
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"
const number = (field: string, edit: (value: number) => number) => second("CDR", change(field, edit))
const place = (fields: Json) => second("CDR", within("cdr_location", set(fields)))
const period = (fields: Json) => second("CDR", within("charging_periods", set(fields)))
const volume = (type: string, edit: (volume: number) => number) =>
  second(
    "CDR",
    within(
      "charging_periods",
      change("dimensions", (all: ReadonlyArray<Json>) =>
        all.map((one) => (one["type"] === type ? { ...one, volume: edit(Number(one["volume"])) } : one))
      )
    )
  )
/** A tariff with limits of its price, above any sum. */
const limited = (json: Json, price: Json): Json => ({
  ...json,
  tariffs: ((json["tariffs"] ?? []) as ReadonlyArray<Json>).map((one) => ({ ...one, min_price: price }))
})
const costly = (json: Json): unknown => {
  const add = (name: string) => (price: Json) => ({ ...price, [name]: Number(price[name]) + 50 })
  const price = json["total_cost"]
  if (typeof price === "number") return price + 50
  const name = "excl_vat" in (price as Json) ? "excl_vat" : "before_taxes"
  return inTurn(
    add(name),
    change("incl_vat", (value: number) => value + 50)
  )(price as Json)
}
/** The costs of the parts are of what was calculated. */
const sums = "CDR-012 CDR-013 CDR-021 CDR-030 CDR-032"
type Versions = { readonly versions: StrangerVersion }
const old: Versions = { versions: "2.1.1" }

/** Rows of what is listed. */
export const cdrFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6, optionals: "all" } }, [
  fault("cdrs.no-auth-method", "CDR-002", second("CDR", without("auth_method")), {
    follows: `${typed} CDR-038`
  }),
  fault("cdrs.id-twice", "CDR-003", copied("CDR", "id", "country_code", "party_id"), {
    follows: "PAGE-009 PAGE-011 PAGE-012"
  }),
  fault("cdrs.long-id", "CDR-004", cdr({ id: "C".repeat(38) })),
  fault(
    "cdrs.ends-before-start",
    "CDR-005",
    second("CDR", (one) => {
      const end = "stop_date_time" in one ? "stop_date_time" : "end_date_time"
      return { ...one, start_date_time: one[end], [end]: one["start_date_time"] }
    }),
    { follows: "CDR-006 CDR-007 CDR-009 CDR-010 CDR-021 CDR-013" }
  ),
  fault("cdrs.no-periods", "CDR-006", cdr({ charging_periods: [] }), { follows: `${typed} CDR-002 CDR-007` }),
  fault("cdrs.period-after-end", "CDR-006", period({ start_date_time: "2026-05-31T23:00:00Z" }), {
    follows: "CDR-007 CDR-010 CDR-013"
  }),
  fault(
    "cdrs.late-first-period",
    "CDR-007",
    second("CDR", (one) =>
      within(
        "charging_periods",
        change("start_date_time", (text: string) => later(text, 120))
      )(one)
    ),
    {
      follows: "CDR-010 CDR-013"
    }
  ),
  fault(
    "cdrs.watt-hours",
    "CDR-008",
    number("total_energy", (kwh) => kwh * 1000),
    { follows: "CDR-021" }
  ),
  fault(
    "cdrs.time-in-seconds",
    "CDR-009",
    number("total_time", (hours) => hours * 3600),
    { follows: "CDR-010" }
  ),
  fault(
    "cdrs.twice-the-time",
    "CDR-010",
    volume("TIME", (hours) => hours * 2),
    { follows: "CDR-013" }
  ),
  fault("cdrs.parked-for-longer", "CDR-011", cdr({ total_parking_time: 100 }), { follows: "CDR-010" }),
  fault(
    "cdrs.part-too-high",
    "CDR-012",
    second("CDR", (one) => ({ ...one, total_energy_cost: costly({ total_cost: one["total_energy_cost"] }) }))
  ),
  fault(
    "cdrs.overcharged",
    "CDR-013",
    second("CDR", (one) => ({ ...one, total_cost: costly(one) })),
    {
      follows: "CDR-012 CDR-021"
    }
  ),
  fault("cdrs.foreign-tariff-in-period", "CDR-014", period({ tariff_id: "NOWHERE" }), { follows: "CDR-013" }),
  fault("cdrs.unknown-currency", "CDR-015", cdr({ currency: "EURO" }), { follows: `${typed} CDR-002` }),
  fault("cdrs.other-currency", "CDR-015", cdr({ currency: "SEK" })),
  fault("cdrs.tariff-in-part", "CDR-016", second("CDR", within("tariffs", without("currency"))), {
    follows: `${typed} CDR-002 CDR-015`
  }),
  fault(
    "cdrs.dimension-of-sessions",
    "CDR-017",
    second(
      "CDR",
      within(
        "charging_periods",
        change("dimensions", (all: ReadonlyArray<Json>) => [...all, { type: "POWER", volume: 11 }])
      )
    )
  ),
  fault("cdrs.credit-of-nothing", "CDR-018", cdr({ credit: true }), { follows: "CDR-019 CDR-029" }),
  fault("cdrs.credit-not-negative", "CDR-019", cdr({ credit: true, credit_reference_id: "NOWHERE" })),
  fault("cdrs.no-session-id", "CDR-020", second("CDR", without("session_id")), { follows: "CDR-029" }),
  fault("cdrs.never-session-id", "CDR-020", cdr({ session_id: undefined }), { follows: "CDR-029" }),
  fault("cdrs.unknown-session", "CDR-021", cdr({ session_id: "NOWHERE" })),
  fault(
    "cdrs.of-others",
    "CDR-022",
    second(
      "CDR",
      within("cdr_token", set({ country_code: "NO", party_id: "XYZ", contract_id: "NO-XYZ-C12345678" }))
    ),
    {
      versions: "2.2.1,2.3.0",
      follows: "CDR-021"
    }
  ),
  fault("cdrs.country-of-two-letters", "CDR-023", place({ country: "DE" }), { versions: "2.2+" }),
  fault(
    "cdrs.coarse-coordinates",
    "CDR-023",
    place({ coordinates: { latitude: "50.9", longitude: "6.9" } }),
    {
      versions: "2.2+",
      follows: "CDR-002"
    }
  ),
  fault(
    "cdrs.old-coarse-coordinates",
    "CDR-023",
    second("CDR", within("location", set({ coordinates: { latitude: "50.9", longitude: "6.9" } }))),
    {
      ...old,
      follows: "CDR-002"
    }
  ),
  fault(
    "cdrs.other-connector",
    "CDR-024",
    place({ connector_format: "CABLE", connector_standard: "CHADEMO" })
  ),
  fault(
    "cdrs.two-evses",
    "CDR-025",
    second(
      "CDR",
      within(
        "location",
        change("evses", (all: ReadonlyArray<Json>) => [...all, { ...all[0], uid: "MORE" }])
      )
    )
  ),
  fault("cdrs.empty-evse-id", "CDR-026", place({ evse_id: "" })),
  fault("cdrs.place-left-open", "CDR-026", place({ evse_uid: "#NA", evse_id: "#NA", connector_id: "#NA" }), {
    follows: "CDR-021 CDR-024"
  }),
  fault(
    "cdrs.lost-reference",
    "CDR-027",
    {
      shows: (json, name, index) =>
        name === "Session" && index === 1
          ? { ...json, authorization_reference: "REF1" }
          : name === "CDR" && index === 1
            ? { ...json, authorization_reference: "REF2" }
            : json
    },
    { follows: "SESS-032" }
  ),
  fault(
    "cdrs.billed-twice",
    "CDR-029",
    copied(
      "CDR",
      "session_id",
      "start_date_time",
      "end_date_time",
      "stop_date_time",
      "cdr_token",
      "cdr_location",
      "charging_periods",
      "location",
      "total_time",
      "total_energy"
    ),
    {
      follows: `${sums} CDR-005 CDR-008 CDR-009 CDR-014 CDR-015 CDR-016 CDR-022 CDR-024`
    }
  ),
  fault(
    "cdrs.below-the-minimum",
    "CDR-030",
    second("CDR", (one) => limited(one, { excl_vat: 900 })),
    {
      versions: "2.2,2.2.1",
      follows: "CDR-012 CDR-013"
    }
  ),
  fault(
    "cdrs.below-the-limit",
    "CDR-030",
    second("CDR", (one) => limited(one, { before_taxes: 900 })),
    {
      versions: "2.3.0",
      follows: "CDR-012 CDR-013"
    }
  ),
  fault(
    "cdrs.signs-nothing",
    "CDR-031",
    cdr({ signed_data: { encoding_method: "OCMF", signed_values: [] } }),
    {
      follows: `${typed} CDR-002`
    }
  ),
  fault("cdrs.cost-as-text", "CDR-032", cdr({ total_cost: "1.00" }), { follows: `${typed} CDR-002 CDR-012` }),
  fault(
    "cdrs.no-period-at-the-switch",
    "CDR-033",
    second("CDR", (one) => ({
      ...one,
      tariffs: ((one["tariffs"] ?? []) as ReadonlyArray<Json>).map((tariff) => ({
        ...tariff,
        elements: [
          {
            price_components: [{ type: "ENERGY", price: 0.3, step_size: 1 }],
            restrictions: { max_duration: 300 }
          },
          ...(tariff["elements"] as ReadonlyArray<Json>)
        ]
      }))
    })),
    { follows: "CDR-013 CDR-016" }
  ),
  fault("cdrs.other-auth-method", "CDR-038", cdr({ auth_method: "AUTH_REQUEST" }), { follows: "CDR-021" })
])

function later(text: string, seconds: number): string {
  const millis = Date.parse(text.endsWith("Z") ? text : `${text}Z`) + seconds * 1000
  return `${new Date(millis).toISOString().slice(0, 19)}Z`
}
