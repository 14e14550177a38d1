/** Faults in a CPO's CDRs: their form, and how they agree with each other, their sessions and locations. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import { eitherField, field, inEach, inside, listed, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { aboutList, editData, editObjects, when } from "../replies.ts"

const base = { module: "cdrs", versions: allVersions, roles: cpo, strength: "must" } as const
const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)
const cdr = (edit: (cdr: JsonObject) => JsonObject) => told("cdrs", edit)

/** Replaces the second CDR of a list by one made from the first two. */
const secondOf = (make: (first: JsonObject, second: JsonObject) => JsonObject) => ({
  reply: when(
    aboutList("cdrs"),
    editData((data) => {
      const items = objectsIn(data)
      const [first] = items
      return first === undefined ? data : items.map((item, index) => (index === 1 ? make(first, item) : item))
    })
  )
})

const otherFormat: Readonly<Record<string, string>> = { SOCKET: "CABLE", CABLE: "SOCKET" }

/** Faults in how a CPO's CDRs agree with sessions, locations and other CDRs, and in some of their fields. */
export const cdrLinksFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "cdrs.no-auth-method",
    description: "Leaves auth_method out of its CDRs",
    caughtBy: ["CDR-002"],
    behaviour: cdr(without("auth_method"))
  },
  {
    ...base,
    id: "cdrs.long-id",
    versions: detailed,
    description: "Gives CDRs that are no Credit CDRs ids of 38 characters",
    caughtBy: ["CDR-004"],
    behaviour: cdr(field("id", (id) => String(id).padEnd(38, "-")))
  },
  {
    ...base,
    id: "cdrs.other-auth-method",
    versions: detailed,
    description: "Writes auth_method COMMAND into every CDR",
    caughtBy: ["CDR-038"],
    behaviour: {
      reply: listed(
        "cdrs",
        field("auth_method", () => "COMMAND")
      )
    }
  },
  {
    ...base,
    id: "cdrs.lost-reference",
    versions: detailed,
    description: "Leaves the session's authorization_reference out of the CDR",
    caughtBy: ["CDR-027"],
    behaviour: cdr(without("authorization_reference"))
  },
  {
    ...base,
    id: "cdrs.of-others",
    strength: "should",
    description: "Lists CDRs of another EMSP's drivers",
    caughtBy: ["CDR-022"],
    behaviour: {
      reply: listed("cdrs", (object) =>
        inside("cdr_token", (token) =>
          field("party_id", () => "YYY")({ ...token, contract_id: "XX-YYY-C00000000" })
        )(field("auth_id", () => "XX-YYY-C00000000")(object))
      )
    }
  },
  {
    ...base,
    id: "cdrs.country-of-two-letters",
    description: "Gives the country of a CDR's location as alpha-2 instead of alpha-3",
    caughtBy: ["CDR-023"],
    behaviour: cdr(
      eitherField(["cdr_location", "location"], (at) => (isObject(at) ? { ...at, country: "NL" } : at))
    )
  },
  {
    ...base,
    id: "cdrs.other-connector",
    versions: versionsWhere(({ place }) => place === "ids"),
    strength: "should",
    description: "Gives another connector format in the CDR than in its locations",
    caughtBy: ["CDR-024"],
    behaviour: cdr(
      inside(
        "cdr_location",
        field("connector_format", (format) => otherFormat[String(format)] ?? format)
      )
    )
  },
  {
    ...base,
    id: "cdrs.never-final",
    description: "Changes CDRs after they were issued",
    caughtBy: ["CDR-028"],
    behaviour: {
      reply: when(
        aboutList("cdrs"),
        editObjects((object, { receivedAt }) => ({ ...object, meter_id: receivedAt }))
      )
    }
  },
  {
    ...base,
    id: "cdrs.billed-twice",
    strength: "should",
    description: "Bills one session in two CDRs",
    caughtBy: ["CDR-029"],
    behaviour: secondOf((first, second) => ({ ...first, id: second["id"] }))
  },
  {
    ...base,
    id: "cdrs.credit-not-negative",
    versions: detailed,
    description: "Lists a Credit CDR whose costs are not negative",
    caughtBy: ["CDR-019"],
    behaviour: secondOf((first, second) => ({
      ...first,
      id: second["id"],
      credit: true,
      credit_reference_id: first["id"]
    }))
  },
  {
    ...base,
    id: "cdrs.signs-nothing",
    versions: detailed,
    description: "Sends signed_data without any signed value",
    caughtBy: ["CDR-031"],
    behaviour: cdr((object) => ({ ...object, signed_data: { encoding_method: "OCMF", signed_values: [] } }))
  },
  {
    ...base,
    id: "cdrs.tariff-in-part",
    description: "Leaves last_updated out of the tariffs in its CDRs",
    caughtBy: ["CDR-016"],
    behaviour: cdr(inEach("tariffs", without("last_updated")))
  }
]
