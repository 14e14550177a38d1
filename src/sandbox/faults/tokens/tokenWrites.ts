/** Faults of a CPO that receives tokens. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { field, readBack, without } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, answersCode, codeOf, editData, when } from "../replies.ts"

const base = { module: "tokens", versions: allVersions, roles: cpo, strength: "must" } as const
const withTypes = versionsWhere(({ tokenTypeInUrl }) => tokenTypeInUrl)

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("tokens")(request)
const uidOf = ({ path }: OcpiRequest) => path.at(-1) ?? ""

/** Faults in how a CPO stores tokens that an EMSP PUTs and PATCHes (tokens module, Receiver interface). */
export const tokenWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.new-refused",
    description: "Refuses tokens that it does not know yet",
    caughtBy: ["TOK-101"],
    behaviour: { reply: when(calls("PUT"), answersCode(2000)) }
  },
  {
    ...base,
    id: "tokens.patch-forgets",
    description: "Loses the optional fields of a token when it is patched",
    caughtBy: ["TOK-103"],
    behaviour: {
      reply: readBack("tokens", (token) =>
        token["valid"] === false ? without("visual_number")(token) : token
      )
    }
  },
  {
    ...base,
    id: "tokens.put-merges",
    description: "Keeps fields of a token that a PUT leaves out",
    caughtBy: ["TOK-104"],
    behaviour: { reply: readBack("tokens", (token) => ({ visual_number: "OLD 1", ...token })) }
  },
  {
    ...base,
    id: "tokens.type-ignored",
    versions: withTypes,
    description: "Returns the RFID token of a uid whatever type the request gives",
    caughtBy: ["TOK-105"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && request.query.has("type"),
        editData((token) => (isObject(token) ? { ...token, type: "RFID" } : token))
      )
    }
  },
  {
    ...base,
    id: "tokens.default-type",
    versions: withTypes,
    description: "Returns an APP_USER token when the request gives no type",
    caughtBy: ["TOK-106"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && !request.query.has("type") && uidOf(request).endsWith("-types"),
        editData((token) => (isObject(token) ? { ...token, type: "APP_USER" } : token))
      )
    }
  },
  {
    ...base,
    id: "tokens.anything-taken",
    description: "Answers success to invalid tokens",
    caughtBy: ["TOK-108"],
    behaviour: {
      reply: when(calls("PUT"), (request, reply) =>
        codeOf(reply) === 2001 ? answersCode(1000)(request, reply) : reply
      )
    }
  },
  {
    ...base,
    id: "tokens.case-matters",
    versions: withRoles,
    description: "Does not find a token when its uid is written in upper case",
    caughtBy: ["TOK-109"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && uidOf(request) === uidOf(request).toUpperCase(),
        (request, reply) => ({ ...answersCode(2004)(request, reply), httpStatus: 404 })
      )
    }
  },
  {
    ...base,
    id: "tokens.texts-cut",
    description: "Cuts the issuer of a token at 32 characters",
    caughtBy: ["TOK-110"],
    behaviour: {
      reply: readBack(
        "tokens",
        field("issuer", (issuer) => String(issuer).slice(0, 32))
      )
    }
  },
  {
    ...base,
    id: "tokens.type-refused",
    versions: versionsWhere(({ openEnums }) => openEnums),
    strength: "should",
    description: "Refuses tokens of type EMAID, which its version's list does not contain",
    caughtBy: ["TOK-111"],
    behaviour: {
      reply: when((request) => calls("PUT")(request) && request.body.includes('"EMAID"'), answersCode(2001))
    }
  }
]
