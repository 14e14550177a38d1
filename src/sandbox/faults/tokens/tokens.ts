/** Faults of an EMSP's tokens, and of its answers to real-time authorization. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { field, sameKey, told, without } from "../edits.ts"
import { allVersions, closedVersions, emsp, type Fault, withRoles } from "../Fault.ts"
import { type About, aboutModule, editData, editEnvelope, when } from "../replies.ts"

const base = { module: "tokens", versions: allVersions, roles: emsp, strength: "must" } as const
const detailed = versionsWhere(({ authorizationDetails }) => authorizationDetails)
const token = (edit: (token: JsonObject) => JsonObject) => told("tokens", edit)

const asksForVerdict: About = (request) =>
  request.method === "POST" && aboutModule("tokens")(request) && request.path.at(-1) === "authorize"
const verdict = (edit: (verdict: JsonObject) => JsonObject) => ({
  reply: when(
    asksForVerdict,
    editData((data) => (isObject(data) && "allowed" in data ? edit(data) : data))
  )
})

/** Faults in an EMSP's tokens, and in the content, status codes and speed of its authorization answers. */
export const tokensFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.unknown-type",
    versions: closedVersions,
    description: "Gives its tokens a type that the version does not know",
    caughtBy: ["TOK-004"],
    behaviour: token(field("type", () => "PLASTIC"))
  },
  {
    ...base,
    id: "tokens.uid-twice",
    strength: "should",
    description: "Lists two tokens under one uid",
    caughtBy: ["TOK-003"],
    behaviour: { reply: sameKey("tokens", "uid") }
  },
  {
    ...base,
    id: "tokens.no-contract",
    description: "Leaves the contract id out of its tokens",
    caughtBy: ["TOK-002"],
    behaviour: token(without("auth_id", "contract_id"))
  },
  {
    ...base,
    id: "tokens.unknown-language",
    strength: "should",
    description: "Gives its tokens a language that does not exist",
    caughtBy: ["TOK-011"],
    behaviour: token((object) => ({ ...object, language: "xx" }))
  },
  {
    ...base,
    id: "tokens.foreign-owner",
    versions: versionsWhere(({ ownerFields }) => ownerFields),
    strength: "should",
    description: "Lists tokens of another party",
    caughtBy: ["TOK-008"],
    behaviour: token(field("party_id", () => "XXX"))
  },
  {
    ...base,
    id: "tokens.unknown-verdict",
    description: "Answers an authorization request with a value that OCPI does not know",
    caughtBy: ["TOK-012"],
    behaviour: verdict(field("allowed", () => "YES"))
  },
  {
    ...base,
    id: "tokens.verdict-without-token",
    versions: detailed,
    description: "Leaves the token out of its authorization answers",
    caughtBy: ["TOK-013"],
    behaviour: verdict(without("token"))
  },
  {
    ...base,
    id: "tokens.everybody-allowed",
    description: "Allows tokens that it lists as invalid",
    caughtBy: ["TOK-018"],
    behaviour: verdict(field("allowed", () => "ALLOWED"))
  },
  {
    ...base,
    id: "tokens.one-reference-for-all",
    versions: detailed,
    strength: "should",
    description: "Gives every authorization the same authorization_reference",
    caughtBy: ["TOK-025"],
    behaviour: verdict(field("authorization_reference", () => "REFERENCE-1"))
  },
  {
    ...base,
    id: "tokens.slow-verdict",
    strength: "should",
    description: "Takes four seconds for every authorization",
    caughtBy: ["TOK-026"],
    behaviour: { reply: when(asksForVerdict, (_, reply) => ({ ...reply, delayMillis: 4_000 })) }
  },
  {
    ...base,
    id: "tokens.unknown-is-no-404",
    versions: withRoles,
    description: "Answers HTTP 200 to an authorization request for an unknown token",
    caughtBy: ["TOK-015"],
    behaviour: {
      reply: when(asksForVerdict, (_, reply) =>
        reply.httpStatus === 404 ? { ...reply, httpStatus: 200 } : reply
      )
    }
  },
  {
    ...base,
    id: "tokens.unknown-without-code",
    versions: withRoles,
    description: "Answers 2000 instead of 2004 to an authorization request for an unknown token",
    caughtBy: ["TOK-016"],
    behaviour: {
      reply: when(asksForVerdict, (request, reply) =>
        reply.httpStatus === 404
          ? editEnvelope((envelope) => ({ ...envelope, status_code: 2000 }))(request, reply)
          : reply
      )
    }
  }
]
