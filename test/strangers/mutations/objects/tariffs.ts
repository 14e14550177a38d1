/** Faults in tariffs that are listed (mod_tariffs). */
import type { Json } from "../../partner/objects/validity.ts"
import { copied, second, set, within, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const tariff = (fields: Json) => second("Tariff", set(fields))
const component = (fields: Json) => second("Tariff", within("elements.price_components", set(fields)))
const energy = { type: "ENERGY", price: 0.3, step_size: 1 }
const restricted = (restrictions: Json, more: ReadonlyArray<Json> = [{ price_components: [energy] }]) =>
  tariff({ elements: [{ price_components: [energy], restrictions }, ...more] })
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"

/** Rows of what is listed. */
export const tariffFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6 } }, [
  fault("tariffs.no-last-change", "TAR-002", second("Tariff", without("last_updated")), {
    follows: `${typed}`
  }),
  fault("tariffs.id-twice", "TAR-003", copied("Tariff", "id", "country_code", "party_id"), {
    follows: "PAGE-009 PAGE-011 PAGE-012 LOC-019 SESS-010"
  }),
  fault("tariffs.unknown-currency", "TAR-004", tariff({ currency: "EURO" }), {
    follows: `${typed} TAR-002 TAR-022`
  }),
  fault("tariffs.no-elements", "TAR-005", tariff({ elements: [] }), { follows: `${typed} TAR-002` }),
  fault("tariffs.no-components", "TAR-005", tariff({ elements: [{ price_components: [] }] }), {
    follows: `${typed} TAR-002`
  }),
  fault("tariffs.unknown-dimension", "TAR-006", component({ type: "KWH" }), { follows: "TAR-002" }),
  fault("tariffs.step-size-as-text", "TAR-007", component({ step_size: "1" }), {
    follows: `${typed} TAR-002`
  }),
  fault("tariffs.negative-price", "TAR-008", component({ price: -1 })),
  fault("tariffs.tax-unsaid", "TAR-009", second("Tariff", without("tax_included")), {
    follows: `${typed} TAR-002`
  }),
  fault(
    "tariffs.tax-where-none-is",
    "TAR-010",
    second("Tariff", (one) =>
      within("elements.price_components", set({ vat: 19 }))({ ...one, tax_included: "N/A" })
    )
  ),
  fault(
    "tariffs.over-before-begun",
    "TAR-011",
    tariff({ start_date_time: "2026-09-01T00:00:00Z", end_date_time: "2026-08-01T00:00:00Z" })
  ),
  fault("tariffs.limit-as-number", "TAR-012", tariff({ min_price: 1 }), { follows: `${typed} TAR-002` }),
  fault("tariffs.twelve-hour-clock", "TAR-013", restricted({ start_time: "9 am", end_time: "11:00" }), {
    follows: `${typed} TAR-002`
  }),
  fault("tariffs.empty-range", "TAR-014", restricted({ min_kwh: 20, max_kwh: 10 })),
  fault("tariffs.energy-of-reservations", "TAR-015", restricted({ reservation: "RESERVATION" })),
  fault("tariffs.no-fallback", "TAR-016", restricted({ max_kwh: 10 }, [])),
  fault(
    "tariffs.never-reached",
    "TAR-017",
    tariff({
      elements: [{ price_components: [energy] }, { price_components: [energy], restrictions: { min_kwh: 5 } }]
    })
  ),
  fault(
    "tariffs.free-in-many-words",
    "TAR-018",
    tariff({ elements: [{ price_components: [{ ...energy, price: 0 }] }] })
  ),
  fault("tariffs.over-and-in-use", "TAR-020", {
    shows: (json, name) =>
      name === "Tariff"
        ? { ...json, start_date_time: "2020-01-01T00:00:00Z", end_date_time: "2021-01-01T00:00:00Z" }
        : json
  }),
  fault(
    "tariffs.text-twice",
    "TAR-021",
    tariff({
      tariff_alt_text: [
        { language: "en", text: "a" },
        { language: "en", text: "b" }
      ]
    })
  ),
  fault(
    "tariffs.foreign-currency",
    "TAR-022",
    {
      shows: (json, name) => (name === "Tariff" ? { ...json, currency: "JPY" } : json)
    },
    { follows: "CDR-015 SESS-014" }
  ),
  fault(
    "tariffs.two-at-once",
    "LOC-020",
    {
      shows: (json, name) =>
        name === "Location"
          ? {
              ...json,
              evses: (json["evses"] as ReadonlyArray<Json>).map((one) => ({
                ...one,
                connectors: (one["connectors"] as ReadonlyArray<Json>).map((connector) => ({
                  ...connector,
                  tariff_ids: ["TARIFF1", "TARIFF2"]
                }))
              }))
            }
          : name === "Tariff"
            ? { ...without("start_date_time")(without("end_date_time")(json)), type: "REGULAR" }
            : json
    },
    { versions: "2.2+", needs: { ids: "plain", parties: 1, otherCase: false } }
  )
])
