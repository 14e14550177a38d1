/** A CPO that is told tokens (mod_tokens, Receiver Interface): stored as sent, changed as asked, refused when wrong. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { succeeded } from "../../model/answers.ts"
import { type Check, noneOf } from "../../model/Check.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notInvalid, notRejected, refused, taken } from "../shared/writing.ts"
import { optionalFields, written, wrongTokenSteps } from "./tokenWritesProbes.ts"

const base = {
  module: "tokens",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_tokens, Receiver Interface"
} as const
const withTypes = versionsWhere(({ tokenTypeInUrl }) => tokenTypeInUrl)

const hintGet = "Keep every field that was sent, and give it back on GET as it came."

export const tokenWriteChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-101",
    title: "Takes a new token",
    sends: "PUT of a new RFID token",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Create the token when it is not there yet: PUT is for new and known ones.",
    needs: () => ["tokens.write#put"],
    judge: (evidence) => taken(evidence, "tokens.write#put")
  },
  {
    ...base,
    id: "TOK-102",
    title: "Gives a token back as it was sent",
    sends: "GET of the token that was just put",
    passes: "every field as it was sent",
    hint: hintGet,
    needs: () => ["tokens.write#read back"],
    judge: (evidence) =>
      judgeReadBack(evidence, "tokens.write#read back", written.put(evidence), { main: true })
  },
  {
    ...base,
    id: "TOK-103",
    title: "Changes by PATCH only what is named",
    sends: "PATCH of valid and last_updated, then GET",
    passes: "only valid and last_updated have changed",
    hint: "Merge the fields of a PATCH into what is kept; leave the others alone.",
    needs: () => ["tokens.write#patch", "tokens.write#read patched"],
    judge: (evidence) => {
      const patched = taken(evidence, "tokens.write#patch")
      return patched.is === "pass"
        ? judgeReadBack(evidence, "tokens.write#read patched", written.patched(evidence))
        : patched
    }
  },
  {
    ...base,
    id: "TOK-104",
    title: "Replaces the whole token by PUT",
    reference: "transport_and_format, PUT",
    sends: "PUT of the same token without its optional fields, then GET",
    passes: "the optional fields are gone",
    hint: "A PUT is the whole object: what it has not is not there any more.",
    needs: () => ["tokens.write#replace", "tokens.write#read replaced"],
    judge: (evidence) =>
      judgeReadBack(evidence, "tokens.write#read replaced", written.replaced(evidence), {
        gone: optionalFields
      })
  },
  {
    ...base,
    id: "TOK-105",
    title: "Tells tokens with one uid apart by their type",
    versions: withTypes,
    sends: "PUT of the same uid with ?type= and another contract, then GET with ?type=",
    passes: "both tokens exist, each with its contract",
    hint: "The key of a token is uid and type together.",
    needs: () => ["tokens.types#put app", "tokens.types#read app"],
    judge: (evidence) => judgeReadBack(evidence, "tokens.types#read app", written.app(evidence))
  },
  {
    ...base,
    id: "TOK-106",
    title: "Means an RFID token when no type is given",
    versions: withTypes,
    sends: "GET of that uid without ?type=",
    passes: "the RFID token",
    hint: "Without ?type= the type is RFID.",
    needs: () => ["tokens.types#read default"],
    judge: (evidence) => judgeReadBack(evidence, "tokens.types#read default", written.rfid(evidence))
  },
  {
    ...base,
    id: "TOK-107",
    title: "Refuses to change a token that it does not have",
    strength: "should",
    reference: "transport_and_format, PATCH",
    sends: "PATCH of an unknown token, then GET",
    passes: "HTTP 404 or status_code 2xxx, and nothing was created",
    hint: "Answer 404 to a PATCH of what is not there; never create from a part.",
    needs: () => ["tokens.unknown#patch", "tokens.unknown#read back"],
    judge: (evidence) => {
      const created = stepOf(evidence, "tokens.unknown#read back")
      const patched = stepOf(evidence, "tokens.unknown#patch")
      return noneOf([patched, created].flatMap((seen) => (seen === undefined ? [] : notRejected(seen))))
    }
  },
  {
    ...base,
    id: "TOK-108",
    title: "Refuses tokens that are not valid",
    reference: "status_codes, Client errors",
    sends: "PUT of a token without valid, with whitelist MAYBE, with valid as text",
    passes: "status_code 2001 each time",
    hint: "Check required fields, types and enumerations before anything is stored.",
    needs: () => wrongTokenSteps,
    judge: (evidence) => noneOf(wrongTokenSteps.flatMap(evidence.answered).flatMap(notInvalid))
  },
  {
    ...base,
    id: "TOK-109",
    title: "Finds a token whatever the case of its uid",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    reference: "types, CiString",
    sends: "PUT of a uid in mixed case, GET in upper case",
    passes: "the token is found",
    hint: "Compare identifiers without regard to case.",
    needs: () => ["tokens.case#put", "tokens.case#read upper"],
    judge: (evidence) => {
      const seen = stepOf(evidence, "tokens.case#read upper")
      return seen === undefined || succeeded(seen) ? noneOf([]) : noneOf([refused(seen)])
    }
  },
  {
    ...base,
    id: "TOK-110",
    title: "Keeps texts of full length",
    sends: "PUT of a uid of 36 and of visual_number and issuer of 64 characters, then GET",
    passes: "stored as they were sent",
    hint: "Make the columns as wide as the specification: 36 and 64 characters.",
    needs: () => ["tokens.long#put", "tokens.long#read back"],
    judge: (evidence) => {
      const put = taken(evidence, "tokens.long#put")
      return put.is === "pass"
        ? judgeReadBack(evidence, "tokens.long#read back", written.long(evidence))
        : put
    }
  },
  {
    ...base,
    id: "TOK-111",
    title: "Takes a token of type EMAID",
    versions: versionsWhere(({ openEnums }) => openEnums),
    strength: "should",
    sends: "PUT of a token with type EMAID",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "The type is an open enumeration: take the words that you do not know.",
    needs: () => ["tokens.emaid#put"],
    judge: (evidence) => taken(evidence, "tokens.emaid#put")
  }
]
