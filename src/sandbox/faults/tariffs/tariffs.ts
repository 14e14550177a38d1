/** Further faults in the fields of a CPO's tariffs. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { field, inEach, sameKey, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "tariffs", versions: allVersions, roles: cpo, strength: "must" } as const
const withLimits = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)
const tariff = (edit: (tariff: JsonObject) => JsonObject) => told("tariffs", edit)
const components = (edit: (component: JsonObject) => JsonObject) =>
  tariff(inEach("elements", inEach("price_components", edit)))

/** Faults in a CPO's tariffs: ids, dimensions, prices, price limits, tax and times. */
export const tariffsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tariffs.id-twice",
    description: "Lists two tariffs under one id",
    caughtBy: ["TAR-003"],
    behaviour: { reply: sameKey("tariffs", "id") }
  },
  {
    ...base,
    id: "tariffs.unknown-dimension",
    description: "Prices a dimension that OCPI does not know",
    caughtBy: ["TAR-006"],
    behaviour: components(field("type", () => "KWH"))
  },
  {
    ...base,
    id: "tariffs.negative-price",
    strength: "should",
    description: "Gives every price below zero",
    caughtBy: ["TAR-008"],
    behaviour: components(field("price", (price) => -1 - Number(price)))
  },
  {
    ...base,
    id: "tariffs.tax-unsaid",
    versions: versionsWhere(({ tariffTax }) => tariffTax === "tax_included"),
    description: "Leaves tax_included out of its tariffs",
    caughtBy: ["TAR-009"],
    behaviour: tariff(without("tax_included"))
  },
  {
    ...base,
    id: "tariffs.limit-as-number",
    versions: withLimits,
    description: "Writes the maximum price as a plain number",
    caughtBy: ["TAR-012"],
    behaviour: tariff((object) => ({ ...object, max_price: 99 }))
  },
  {
    ...base,
    id: "tariffs.over-before-begun",
    versions: withLimits,
    strength: "should",
    description: "Gives tariffs an end a year before their start",
    caughtBy: ["TAR-011"],
    behaviour: tariff((object) => ({
      ...object,
      start_date_time: "2025-01-01T00:00:00Z",
      end_date_time: "2024-01-01T00:00:00Z"
    }))
  },
  {
    ...base,
    id: "tariffs.twelve-hour-clock",
    description: "Writes start_time of restrictions in 12-hour form",
    caughtBy: ["TAR-013"],
    behaviour: tariff(
      field("elements", (elements) =>
        objectsIn(elements).map((element) => ({
          ...element,
          restrictions: { ...objectIn(element["restrictions"]), start_time: "8:00 PM" }
        }))
      )
    )
  }
]
