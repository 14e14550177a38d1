/** Faults in the energy, times and prices of a CPO's CDRs. */
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import { field, inEach, listed, told } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "cdrs", versions: allVersions, roles: cpo, strength: "should" } as const
const cdr = (edit: (cdr: JsonObject) => JsonObject) => told("cdrs", edit)
const limits = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)

/** Adds 10 to a price, before and after VAT if it has both. */
const tenMore = (price: unknown): unknown =>
  typeof price === "number"
    ? price + 10
    : isObject(price)
      ? Object.fromEntries(
          Object.entries(price).map(([name, value]) => [name, typeof value === "number" ? value + 10 : value])
        )
      : price

/** Faults in a CPO's CDRs: prices and charging periods that do not follow from the CDR's tariffs and times. */
export const cdrMoneyFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "cdrs.overcharged",
    description: "Charges 10 more for the energy than its tariff says",
    caughtBy: ["CDR-013"],
    behaviour: cdr((object) => field("total_cost", tenMore)(field("total_energy_cost", tenMore)(object)))
  },
  {
    ...base,
    id: "cdrs.foreign-tariff-in-period",
    versions: versionsWhere(({ periodTariff }) => periodTariff),
    description: "References a tariff in charging periods that the CDR does not contain",
    caughtBy: ["CDR-014"],
    behaviour: cdr(inEach("charging_periods", (period) => ({ ...period, tariff_id: "NO-SUCH-TARIFF" })))
  },
  {
    ...base,
    id: "cdrs.late-first-period",
    description: "Starts the first charging period a minute after the CDR",
    caughtBy: ["CDR-007"],
    behaviour: {
      reply: listed(
        "cdrs",
        field("charging_periods", (periods) =>
          objectsIn(periods).map((period, index) => {
            const start = dateTimeMillis(period["start_date_time"])
            return index > 0 || start === undefined
              ? period
              : { ...period, start_date_time: dateTimeOf(start + 60_000) }
          })
        )
      )
    }
  },
  {
    ...base,
    id: "cdrs.twice-the-time",
    description: "Counts twice the time in the TIME dimensions of its charging periods",
    caughtBy: ["CDR-010"],
    behaviour: cdr(
      inEach(
        "charging_periods",
        inEach("dimensions", (dimension) =>
          dimension["type"] === "TIME" ? { ...dimension, volume: Number(dimension["volume"]) * 2 } : dimension
        )
      )
    )
  },
  {
    ...base,
    id: "cdrs.below-the-minimum",
    versions: limits,
    description: "Charges less than the minimum price of its tariff",
    caughtBy: ["CDR-030"],
    behaviour: {
      reply: listed(
        "cdrs",
        inEach("tariffs", (tariff) => ({
          ...tariff,
          min_price: "tax_included" in tariff ? { before_taxes: 1000 } : { excl_vat: 1000 }
        }))
      )
    }
  },
  {
    ...base,
    id: "cdrs.no-period-at-the-switch",
    description: "Starts no new charging period where another tariff element applies",
    caughtBy: ["CDR-033"],
    behaviour: cdr(
      inEach(
        "tariffs",
        field("elements", (elements) => {
          const all = objectsIn(elements)
          return [
            ...all.slice(0, 1).map((element) => ({ ...element, restrictions: { min_duration: 300 } })),
            ...all
          ]
        })
      )
    )
  },
  {
    ...base,
    id: "cdrs.cost-as-text",
    versions: versionsWhere(({ price }) => price === "number"),
    strength: "must",
    description: "Writes the total cost as a text",
    caughtBy: ["CDR-032"],
    behaviour: cdr(field("total_cost", String))
  }
]
