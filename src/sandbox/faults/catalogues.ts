/** Faults in the objects that a partner lists: a CPO's tariffs, an EMSP's tokens. */
import { objectsIn } from "../../findings/json.ts"
import { told } from "./edits.ts"
import { allVersions, cpo, emsp, type Fault } from "./Fault.ts"

const tariff = { module: "tariffs", versions: allVersions, roles: cpo, strength: "must" } as const
const token = { module: "tokens", versions: allVersions, roles: emsp, strength: "must" } as const
/** Values that OCPI does not know, and required parts that are missing, in a CPO's tariffs and an EMSP's tokens. */
export const catalogueFaults: ReadonlyArray<Fault> = [
  {
    ...tariff,
    id: "tariffs.unknown-currency",
    description: "Prices its tariffs in a currency that does not exist",
    caughtBy: ["TAR-004"],
    behaviour: told("tariffs", (object) => ({ ...object, currency: "EUX" }))
  },
  {
    ...tariff,
    id: "tariffs.no-components",
    description: "Lists tariff elements without a price component",
    caughtBy: ["TAR-005"],
    behaviour: told("tariffs", (object) => ({
      ...object,
      elements: objectsIn(object["elements"]).map((element) => ({ ...element, price_components: [] }))
    }))
  },
  {
    ...tariff,
    id: "tariffs.step-size-as-text",
    description: "Writes step_size as a text",
    caughtBy: ["TAR-007"],
    behaviour: told("tariffs", (object) => ({
      ...object,
      elements: objectsIn(object["elements"]).map((element) => ({
        ...element,
        price_components: objectsIn(element["price_components"]).map((component) => ({
          ...component,
          step_size: String(component["step_size"])
        }))
      }))
    }))
  },
  {
    ...token,
    id: "tokens.no-issuer",
    description: "Leaves the required issuer out of its tokens",
    caughtBy: ["TOK-002"],
    behaviour: told("tokens", ({ issuer: _, ...object }) => object)
  },
  {
    ...token,
    id: "tokens.unknown-whitelist",
    description: "Gives its tokens a whitelist type that OCPI does not know",
    caughtBy: ["TOK-004"],
    behaviour: told("tokens", (object) => ({ ...object, whitelist: "SOMETIMES" }))
  }
]
