/** Further faults of an EMSP's tokens, and of its answers to real-time authorization. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { field, inside, listed, without } from "../edits.ts"
import { allVersions, emsp, type Fault } from "../Fault.ts"
import {
  type About,
  aboutModule,
  codeOf,
  type EditReply,
  editData,
  editEnvelope,
  refused,
  when
} from "../replies.ts"

const base = { module: "tokens", versions: allVersions, roles: emsp, strength: "must" } as const
const owned = versionsWhere(({ ownerFields }) => ownerFields)

const asksForVerdict: About = (request) =>
  request.method === "POST" && aboutModule("tokens")(request) && request.path.at(-1) === "authorize"
const postsToToken: About = (request) =>
  request.method === "POST" && aboutModule("tokens")(request) && request.path.length === 3

/** Replaces the answer by success with the verdict ALLOWED. */
const allowed: EditReply = (request, reply) =>
  editEnvelope((envelope) => ({
    ...without("status_message")(envelope),
    data: { allowed: "ALLOWED" },
    status_code: 1000
  }))(request, { ...reply, httpStatus: 200 })

/** Replaces the answer by a refusal with this HTTP status and status code. */
const refusal =
  (status: number, code: number): EditReply =>
  (request, reply) =>
    editEnvelope((envelope) => ({ ...without("data")(envelope), status_code: code }))(request, {
      ...reply,
      httpStatus: status
    })

const isVerdict = (reply: OcpiReply) => codeOf(reply) === 1000
const verdicts = (where: (request: OcpiRequest, reply: OcpiReply) => boolean, edit: EditReply) => ({
  reply: when(asksForVerdict, (request, reply) => (where(request, reply) ? edit(request, reply) : reply))
})
const token = (edit: (token: JsonObject) => JsonObject) => ({ reply: listed("tokens", edit) })

/** Faults in an EMSP's tokens and in its answers to POST authorize (tokens module, Real-time authorization). */
export const authorizeFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.apps-in-local-lists",
    versions: versionsWhere(({ appToken }) => appToken === "APP_USER"),
    strength: "should",
    description: "Gives app tokens the whitelist ALLOWED",
    caughtBy: ["TOK-005"],
    behaviour: token((object) =>
      object["type"] === "APP_USER" ? { ...object, whitelist: "ALLOWED" } : object
    )
  },
  {
    ...base,
    id: "tokens.plug-and-charge",
    versions: versionsWhere(({ openEnums }) => openEnums),
    strength: "should",
    description: "Lists Plug & Charge contracts (EMAID) among its tokens",
    caughtBy: ["TOK-006"],
    behaviour: token((object) => (object["type"] === "OTHER" ? { ...object, type: "EMAID" } : object))
  },
  {
    ...base,
    id: "tokens.long-group",
    versions: owned,
    strength: "should",
    description: "Gives its tokens a group_id of 25 characters",
    caughtBy: ["TOK-007"],
    behaviour: token((object) => ({ ...object, group_id: "G".repeat(25) }))
  },
  {
    ...base,
    id: "tokens.odd-contract",
    strength: "should",
    description: "Gives plain numbers as contract ids",
    caughtBy: ["TOK-009"],
    behaviour: token((object) => field("auth_id", () => "4711")(field("contract_id", () => "4711")(object)))
  },
  {
    ...base,
    id: "tokens.cannot-be-asked",
    description: "Answers 405 to authorization requests, though its tokens require them",
    caughtBy: ["TOK-010"],
    behaviour: verdicts(
      () => true,
      (_, reply) => (reply.httpStatus === 401 ? reply : refused(reply, 405))
    )
  },
  {
    ...base,
    id: "tokens.allowed-elsewhere",
    description: "Allows charging at another location than the request names",
    caughtBy: ["TOK-014"],
    behaviour: verdicts(
      (_, reply) => isVerdict(reply),
      editData((data) =>
        isObject(data)
          ? inside(
              "location",
              field("location_id", () => "ELSEWHERE")
            )(data)
          : data
      )
    )
  },
  {
    ...base,
    id: "tokens.strangers-allowed",
    versions: versionsWhere(({ authorizationDetails }) => !authorizationDetails),
    description: "Allows tokens that it does not know",
    caughtBy: ["TOK-017"],
    behaviour: verdicts((_, reply) => reply.httpStatus === 404, allowed)
  },
  {
    ...base,
    id: "tokens.needs-a-body",
    description: "Refuses authorization requests without LocationReferences",
    caughtBy: ["TOK-019"],
    behaviour: verdicts((request, reply) => request.body === "" && isVerdict(reply), refusal(400, 2001))
  },
  {
    ...base,
    id: "tokens.known-places-only",
    strength: "should",
    description: "Refuses authorization requests that name a location",
    caughtBy: ["TOK-020"],
    behaviour: verdicts((request, reply) => request.body !== "" && isVerdict(reply), refusal(200, 2003))
  },
  {
    ...base,
    id: "tokens.type-must-be-said",
    description: "Does not find an RFID token unless the request gives its type",
    caughtBy: ["TOK-021"],
    behaviour: verdicts(
      (request, reply) => !request.query.has("type") && isVerdict(reply),
      refusal(404, 2004)
    )
  },
  {
    ...base,
    id: "tokens.found-by-case",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    description: "Does not find a token whose uid is written in the other case",
    caughtBy: ["TOK-032"],
    behaviour: verdicts(
      (request, reply) =>
        isVerdict(reply) && reply.body?.includes(`"uid":"${request.path.at(-2)}"`) === false,
      refusal(404, 2004)
    )
  },
  {
    ...base,
    id: "tokens.type-overlooked",
    strength: "should",
    description: "Finds tokens whatever type the request gives",
    caughtBy: ["TOK-022"],
    behaviour: verdicts(
      (request, reply) => reply.httpStatus === 404 && !["RFID", null].includes(request.query.get("type")),
      allowed
    )
  },
  {
    ...base,
    id: "tokens.any-place",
    description: "Accepts LocationReferences without a location_id",
    caughtBy: ["TOK-023"],
    behaviour: verdicts((_, reply) => codeOf(reply) === 2001 && reply.httpStatus !== 404, allowed)
  },
  {
    ...base,
    id: "tokens.judges-by-state",
    versions: versionsWhere(({ authorizationDetails }) => authorizationDetails),
    description: "Denies charging at locations that it believes closed or out of order",
    caughtBy: ["TOK-027"],
    behaviour: { quirks: ["judges by the state of a place"] }
  },
  {
    ...base,
    id: "tokens.takes-posts",
    strength: "should",
    description: "Answers success to any POST to a token",
    caughtBy: ["TOK-024"],
    behaviour: {
      reply: when(postsToToken, (request, reply) =>
        reply.httpStatus === 401 ? reply : allowed(request, withBody(request, reply))
      )
    }
  }
]

/** The answer with an envelope, which an answer without a body gets here. */
function withBody({ receivedAt }: OcpiRequest, reply: OcpiReply): OcpiReply {
  return reply.body === null || reply.body === ""
    ? { ...reply, body: JSON.stringify({ timestamp: `${receivedAt.slice(0, 19)}Z` }) }
    : reply
}
