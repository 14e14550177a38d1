/** Faults in the elements, restrictions and prices of a CPO's tariffs, and in what their links lead to. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import { field, inEach, listed, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { aboutList, editObjects, when } from "../replies.ts"

const base = { module: "tariffs", versions: allVersions, roles: cpo, strength: "should" } as const
const tariff = (edit: (tariff: JsonObject) => JsonObject) => told("tariffs", edit)
const elements = (edit: (elements: ReadonlyArray<JsonObject>) => ReadonlyArray<JsonObject>) =>
  tariff(field("elements", (value) => edit(objectsIn(value))))
const restricted = (element: JsonObject, restrictions: JsonObject): JsonObject => ({
  ...element,
  restrictions
})

/** Faults in a CPO's tariffs: elements that never or always apply, prices, VAT, texts, links, and validity. */
export const tariffPartsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tariffs.no-last-change",
    strength: "must",
    description: "Leaves last_updated out of its tariffs",
    caughtBy: ["TAR-002"],
    behaviour: { reply: listed("tariffs", without("last_updated")) }
  },
  {
    ...base,
    id: "tariffs.tax-where-none-is",
    versions: versionsWhere(({ tariffTax }) => tariffTax === "tax_included"),
    description: "States VAT in tariffs whose tax_included is N/A",
    caughtBy: ["TAR-010"],
    behaviour: tariff(field("tax_included", () => "N/A"))
  },
  {
    ...base,
    id: "tariffs.empty-range",
    description: "Restricts an element to an empty range",
    caughtBy: ["TAR-014"],
    behaviour: elements((all) => [
      ...all.slice(0, 1).map((element) => restricted(element, { min_kwh: 5, max_kwh: 5 })),
      ...all
    ])
  },
  {
    ...base,
    id: "tariffs.energy-of-reservations",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    strength: "must",
    description: "Gives reservations a price per kWh",
    caughtBy: ["TAR-015"],
    behaviour: elements((all) => [
      {
        price_components: [{ type: "ENERGY", price: 0.1, step_size: 1 }],
        restrictions: { reservation: "RESERVATION" }
      },
      ...all
    ])
  },
  {
    ...base,
    id: "tariffs.no-fallback",
    description: "Has no price for charges outside its restrictions",
    caughtBy: ["TAR-016"],
    behaviour: elements((all) => all.map((element) => restricted(element, { max_kwh: 10 })))
  },
  {
    ...base,
    id: "tariffs.never-reached",
    description: "Lists elements after one that always applies",
    caughtBy: ["TAR-017"],
    behaviour: elements((all) => [...all, ...all])
  },
  {
    ...base,
    id: "tariffs.free-in-many-words",
    description: "Offers free energy as ENERGY at 0 instead of FLAT at 0",
    caughtBy: ["TAR-018"],
    behaviour: tariff(
      inEach(
        "elements",
        field("price_components", (components) =>
          objectsIn(components)
            .filter(({ type }) => type !== "FLAT")
            .map((component) => ({ ...component, price: 0 }))
        )
      )
    )
  },
  {
    ...base,
    id: "tariffs.page-behind-a-login",
    description: "Gives a tariff_alt_url that cannot be opened without a token",
    caughtBy: ["TAR-019"],
    behaviour: {
      reply: when(
        aboutList("tariffs"),
        editObjects((object, { url }) => ({ ...object, tariff_alt_url: url.split("?")[0] }))
      )
    }
  },
  {
    ...base,
    id: "tariffs.over-and-in-use",
    versions: versionsWhere(({ priceLimitGross }) => priceLimitGross !== null),
    description: "References tariffs at connectors that ended years ago",
    caughtBy: ["TAR-020"],
    behaviour: tariff((object) => ({
      ...object,
      start_date_time: "2023-01-01T00:00:00Z",
      end_date_time: "2024-01-01T00:00:00Z"
    }))
  },
  {
    ...base,
    id: "tariffs.text-twice",
    description: "Gives two texts of a tariff in the same language",
    caughtBy: ["TAR-021"],
    behaviour: tariff(field("tariff_alt_text", (texts) => [...objectsIn(texts), ...objectsIn(texts)]))
  },
  {
    ...base,
    id: "tariffs.foreign-currency",
    description: "Prices in a currency that is not used in the country of the location",
    caughtBy: ["TAR-022"],
    behaviour: tariff(field("currency", () => "JPY"))
  }
]
