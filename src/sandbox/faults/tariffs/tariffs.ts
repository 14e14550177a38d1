/** Further faults in what a CPO's tariffs say. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { field, inEach, sameKey, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "tariffs", versions: allVersions, roles: cpo, strength: "must" } as const
const withLimits = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)
const tariff = (edit: (tariff: JsonObject) => JsonObject) => told("tariffs", edit)
const components = (edit: (component: JsonObject) => JsonObject) =>
  tariff(inEach("elements", inEach("price_components", edit)))

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
    description: "Pays its customers: every price is below zero",
    caughtBy: ["TAR-008"],
    behaviour: components(field("price", (price) => -1 - Number(price)))
  },
  {
    ...base,
    id: "tariffs.tax-unsaid",
    versions: versionsWhere(({ tariffTax }) => tariffTax === "tax_included"),
    description: "Does not say whether its prices include tax",
    caughtBy: ["TAR-009"],
    behaviour: tariff(without("tax_included"))
  },
  {
    ...base,
    id: "tariffs.limit-as-number",
    versions: withLimits,
    description: "Writes the highest price as a plain number",
    caughtBy: ["TAR-012"],
    behaviour: tariff((object) => ({ ...object, max_price: 99 }))
  },
  {
    ...base,
    id: "tariffs.over-before-begun",
    versions: withLimits,
    strength: "should",
    description: "Has its tariffs end in the year before they begin",
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
    description: "Restricts tariffs by times of a twelve-hour clock",
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
