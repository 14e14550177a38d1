/** Further faults of an EMSP's tokens, and of its verdicts when a CPO asks for authorization. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { field, inside, listed, without } from "../edits.ts"
import { allVersions, emsp, type Fault } from "../Fault.ts"
import {
  type About,
  aboutModule,
  type EditReply,
  editData,
  editEnvelope,
  jsonOf,
  refused,
  when
} from "../replies.ts"

const base = { module: "tokens", versions: allVersions, roles: emsp, strength: "must" } as const
const owned = versionsWhere(({ ownerFields }) => ownerFields)

const asksForVerdict: About = (request) =>
  request.method === "POST" && aboutModule("tokens")(request) && request.path.at(-1) === "authorize"
const postsToToken: About = (request) =>
  request.method === "POST" && aboutModule("tokens")(request) && request.path.length === 3

/** Success with a verdict, in place of what was said. */
const allowed: EditReply = (request, reply) =>
  editEnvelope((envelope) => ({
    ...without("status_message")(envelope),
    data: { allowed: "ALLOWED" },
    status_code: 1000
  }))(request, { ...reply, httpStatus: 200 })

/** A refusal with that code, in place of what was said. */
const refusal =
  (status: number, code: number): EditReply =>
  (request, reply) =>
    editEnvelope((envelope) => ({ ...without("data")(envelope), status_code: code }))(request, {
      ...reply,
      httpStatus: status
    })

const codeOf = (reply: OcpiReply) => {
  const json = jsonOf(reply)
  return isObject(json) ? json["status_code"] : undefined
}
const isVerdict = (reply: OcpiReply) => codeOf(reply) === 1000
const verdicts = (where: (request: OcpiRequest, reply: OcpiReply) => boolean, edit: EditReply) => ({
  reply: when(asksForVerdict, (request, reply) => (where(request, reply) ? edit(request, reply) : reply))
})
const token = (edit: (token: JsonObject) => JsonObject) => ({ reply: listed("tokens", edit) })

export const authorizeFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.apps-in-local-lists",
    versions: versionsWhere(({ appToken }) => appToken === "APP_USER"),
    strength: "should",
    description: "Lets tokens of apps be kept in local lists",
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
    description: "Lists contracts of Plug & Charge among its tokens",
    caughtBy: ["TOK-006"],
    behaviour: token((object) => (object["type"] === "OTHER" ? { ...object, type: "EMAID" } : object))
  },
  {
    ...base,
    id: "tokens.long-group",
    versions: owned,
    strength: "should",
    description: "Groups its tokens under an id of 25 characters",
    caughtBy: ["TOK-007"],
    behaviour: token((object) => ({ ...object, group_id: "G".repeat(25) }))
  },
  {
    ...base,
    id: "tokens.odd-contract",
    strength: "should",
    description: "Names contracts by plain numbers",
    caughtBy: ["TOK-009"],
    behaviour: token((object) => field("auth_id", () => "4711")(field("contract_id", () => "4711")(object)))
  },
  {
    ...base,
    id: "tokens.cannot-be-asked",
    description: "Has no authorize, though its tokens say that it must be asked",
    caughtBy: ["TOK-010"],
    behaviour: verdicts(
      () => true,
      (_, reply) => (reply.httpStatus === 401 ? reply : refused(reply, 405))
    )
  },
  {
    ...base,
    id: "tokens.allowed-elsewhere",
    description: "Allows charging at another location than it was asked about",
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
    description: "Takes a request for authorization without a place for a mistake",
    caughtBy: ["TOK-019"],
    behaviour: verdicts((request, reply) => request.body === "" && isVerdict(reply), refusal(400, 2001))
  },
  {
    ...base,
    id: "tokens.known-places-only",
    strength: "should",
    description: "Judges only at locations that it has heard of",
    caughtBy: ["TOK-020"],
    behaviour: verdicts((request, reply) => request.body !== "" && isVerdict(reply), refusal(200, 2003))
  },
  {
    ...base,
    id: "tokens.type-must-be-said",
    description: "Does not know an RFID token unless its type is said",
    caughtBy: ["TOK-021"],
    behaviour: verdicts(
      (request, reply) => !request.query.has("type") && isVerdict(reply),
      refusal(404, 2004)
    )
  },
  {
    ...base,
    id: "tokens.type-overlooked",
    strength: "should",
    description: "Finds tokens of whatever type it is asked about",
    caughtBy: ["TOK-022"],
    behaviour: verdicts(
      (request, reply) => reply.httpStatus === 404 && !["RFID", null].includes(request.query.get("type")),
      allowed
    )
  },
  {
    ...base,
    id: "tokens.any-place",
    description: "Takes a reference of a place that names no location",
    caughtBy: ["TOK-023"],
    behaviour: verdicts((_, reply) => codeOf(reply) === 2001 && reply.httpStatus !== 404, allowed)
  },
  {
    ...base,
    id: "tokens.judges-by-state",
    versions: versionsWhere(({ authorizationDetails }) => authorizationDetails),
    description: "Allows no charging at places that it takes to be closed or out of order",
    caughtBy: ["TOK-027"],
    behaviour: { quirks: ["judges by the state of a place"] }
  },
  {
    ...base,
    id: "tokens.takes-posts",
    strength: "should",
    description: "Says success to whatever is posted to a token",
    caughtBy: ["TOK-024"],
    behaviour: {
      reply: when(postsToToken, (request, reply) =>
        reply.httpStatus === 401 ? reply : allowed(request, withBody(request, reply))
      )
    }
  }
]

/** An envelope to be changed, where there was none. */
function withBody({ receivedAt }: OcpiRequest, reply: OcpiReply): OcpiReply {
  return reply.body === null || reply.body === ""
    ? { ...reply, body: JSON.stringify({ timestamp: `${receivedAt.slice(0, 19)}Z` }) }
    : reply
}
