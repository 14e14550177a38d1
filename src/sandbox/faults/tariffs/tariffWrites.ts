/** Faults of an EMSP that receives tariffs. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { objectsIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { field, inEach, readBack, without } from "../edits.ts"
import { allVersions, emsp, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, answersCode, storedAnyhow, takesAnyhow, when } from "../replies.ts"

const base = { module: "tariffs", versions: allVersions, roles: emsp, strength: "must" } as const
const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("tariffs")(request)
/** The price to which the test patches a tariff. Faults are stateless: they recognize a patched tariff by it. */
const patchedPrice = 0.7

/** Faults in how an EMSP stores tariffs that a CPO PUTs, PATCHes and DELETEs (tariffs module, Receiver interface). */
export const tariffWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tariffs.new-refused",
    description: "Refuses tariffs that it does not know yet",
    caughtBy: ["TAR-101"],
    behaviour: { reply: when(calls("PUT"), answersCode(2000)) }
  },
  {
    ...base,
    id: "tariffs.refused-and-stored",
    description: "Refuses invalid tariffs, and stores them all the same",
    caughtBy: ["TAR-107"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && /-no-elements$/.test(request.path.at(-1) ?? ""),
        storedAnyhow
      )
    }
  },
  {
    ...base,
    id: "tariffs.case-matters",
    versions: withRoles,
    strength: "should",
    description: "Does not find a tariff when its id is written in upper case",
    caughtBy: ["TAR-110"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && /-MIXED$/.test(request.path.at(-1) ?? ""),
        (request, reply) => ({ ...answersCode(2000)(request, reply), httpStatus: 404 })
      )
    }
  },
  {
    ...base,
    id: "tariffs.components-sorted",
    description: "Returns the price components of a tariff in another order",
    caughtBy: ["TAR-102"],
    behaviour: {
      reply: readBack(
        "tariffs",
        inEach(
          "elements",
          field("price_components", (components) => objectsIn(components).toReversed())
        )
      )
    }
  },
  {
    ...base,
    id: "tariffs.put-merges",
    description: "Keeps fields of a tariff that a PUT leaves out",
    caughtBy: ["TAR-103"],
    behaviour: {
      reply: readBack("tariffs", (tariff) => ({
        tariff_alt_text: [{ language: "en", text: "the former price" }],
        ...tariff
      }))
    }
  },
  {
    ...base,
    id: "tariffs.never-deleted",
    description: "Refuses to delete tariffs",
    caughtBy: ["TAR-104"],
    behaviour: { reply: when(calls("DELETE"), answersCode(2000)) }
  },
  {
    ...base,
    id: "tariffs.patch-forgets",
    versions: versionsWhere(({ tariffPatch }) => tariffPatch),
    description: "Loses the texts of a tariff when it is patched",
    caughtBy: ["TAR-106"],
    behaviour: {
      reply: readBack("tariffs", (tariff) => {
        const [element] = objectsIn(tariff["elements"])
        const [component] = objectsIn(element?.["price_components"])
        const single = objectsIn(tariff["elements"]).length === 1
        return single && component?.["price"] === patchedPrice ? without("tariff_alt_text")(tariff) : tariff
      })
    }
  },
  {
    ...base,
    id: "tariffs.anything-taken",
    description: "Answers success to invalid tariffs",
    caughtBy: ["TAR-107"],
    behaviour: { reply: when(calls("PUT"), takesAnyhow(2001)) }
  },
  {
    ...base,
    id: "tariffs.restrictions-lost",
    description: "Loses the restrictions of a tariff",
    caughtBy: ["TAR-108"],
    behaviour: { reply: readBack("tariffs", inEach("elements", without("restrictions"))) }
  }
]
