/** Faults in what a CPO's tariffs are made of, and in what they lead to. */
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

export const tariffPartsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tariffs.no-last-change",
    strength: "must",
    description: "Does not say when a tariff was last changed",
    caughtBy: ["TAR-002"],
    behaviour: { reply: listed("tariffs", without("last_updated")) }
  },
  {
    ...base,
    id: "tariffs.tax-where-none-is",
    versions: versionsWhere(({ tariffTax }) => tariffTax === "tax_included"),
    description: "Names VAT in tariffs to which no tax applies",
    caughtBy: ["TAR-010"],
    behaviour: tariff(field("tax_included", () => "N/A"))
  },
  {
    ...base,
    id: "tariffs.empty-range",
    description: "Restricts an element to a range that holds nothing",
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
    description: "Prices the energy of reservations",
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
    description: "Has no price for what lies beyond the restrictions",
    caughtBy: ["TAR-016"],
    behaviour: elements((all) => all.map((element) => restricted(element, { max_kwh: 10 })))
  },
  {
    ...base,
    id: "tariffs.never-reached",
    description: "Puts elements behind one that always counts",
    caughtBy: ["TAR-017"],
    behaviour: elements((all) => [...all, ...all])
  },
  {
    ...base,
    id: "tariffs.free-in-many-words",
    description: "Offers energy for 0 instead of a FLAT price of 0",
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
    description: "Explains its tariffs on a page that nobody can open",
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
    description: "Names tariffs at connectors that ended years ago",
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
    description: "Describes a tariff twice in one language",
    caughtBy: ["TAR-021"],
    behaviour: tariff(field("tariff_alt_text", (texts) => [...objectsIn(texts), ...objectsIn(texts)]))
  },
  {
    ...base,
    id: "tariffs.foreign-currency",
    description: "Prices in a currency that nobody has where it charges",
    caughtBy: ["TAR-022"],
    behaviour: tariff(field("currency", () => "JPY"))
  }
]
