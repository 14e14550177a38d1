/** Further faults in what a CPO's CDRs say: their form, each other, their sessions and places. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import { eitherField, field, inEach, inside, listed, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { aboutList, editData, editObjects, when } from "../replies.ts"

const base = { module: "cdrs", versions: allVersions, roles: cpo, strength: "must" } as const
const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)
const cdr = (edit: (cdr: JsonObject) => JsonObject) => told("cdrs", edit)

/** The second CDR of a list is made from the first. */
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

export const cdrLinksFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "cdrs.no-auth-method",
    description: "Does not say how a session was authorized",
    caughtBy: ["CDR-002"],
    behaviour: cdr(without("auth_method"))
  },
  {
    ...base,
    id: "cdrs.long-id",
    versions: detailed,
    description: "Gives CDRs ids of 38 characters, though they take nothing back",
    caughtBy: ["CDR-004"],
    behaviour: cdr(field("id", (id) => String(id).padEnd(38, "-")))
  },
  {
    ...base,
    id: "cdrs.other-auth-method",
    versions: detailed,
    description: "Calls every session one that a command started",
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
    description: "Does not repeat the authorization reference of the session",
    caughtBy: ["CDR-027"],
    behaviour: cdr(without("authorization_reference"))
  },
  {
    ...base,
    id: "cdrs.of-others",
    strength: "should",
    description: "Lists the CDRs of another EMSP's customers",
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
    description: "Names the country of a CDR's location by two letters",
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
    description: "Describes another kind of connector than its locations do",
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
    description: "Goes on changing CDRs",
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
    description: "Takes a CDR back by one that charges the same again",
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
    description: "Brings signed data without any signed value",
    caughtBy: ["CDR-031"],
    behaviour: cdr((object) => ({ ...object, signed_data: { encoding_method: "OCMF", signed_values: [] } }))
  },
  {
    ...base,
    id: "cdrs.tariff-in-part",
    description: "Puts tariffs into CDRs without the time of their last change",
    caughtBy: ["CDR-016"],
    behaviour: cdr(inEach("tariffs", without("last_updated")))
  }
]
