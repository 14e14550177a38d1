/** Faults of a partner that receives PUT and PATCH, whatever the object. */
import { isObject, type JsonObject, sameId } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, closedVersions, cpo, type Fault, openVersions, withRoles } from "../Fault.ts"
import { answersCode, codeOf, type EditReply, editData, jsonOf, refused, when } from "../replies.ts"

const base = {
  module: "transport",
  versions: allVersions,
  roles: bothRoles,
  strength: "must"
} as const

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && request.path.length > 3
const bodyOf = (request: OcpiRequest): JsonObject => {
  const json = jsonOf({ httpStatus: 200, headers: {}, body: request.body })
  return isObject(json) ? json : {}
}
const withCode =
  (code: number, httpStatus = 200): EditReply =>
  (request, reply) => ({ ...answersCode(code)(request, reply), httpStatus })
/** Applies the edit where the honest partner answers 2001, invalid or missing parameters. */
const unlessFit =
  (edit: EditReply): EditReply =>
  (request, reply) =>
    codeOf(reply) === 2001 ? edit(request, reply) : reply

const puts = (about: (request: OcpiRequest) => boolean, edit: EditReply) => ({
  reply: when((request) => calls("PUT")(request) && about(request), edit)
})
const says =
  (text: string) =>
  ({ body }: OcpiRequest) =>
    body.includes(text)
const fillings: JsonObject = { language: "en", tariff_alt_url: "https://cpo.example/tariffs" }
const filledIfNull = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  value === null && name in fillings ? fillings[name] : value
]
const idOf = (body: JsonObject) => body["uid"] ?? body["id"]

/**
 * Faults in how a receiver answers PUT and PATCH of any object: status codes, unknown fields and values, ids, owners and
 * stamps.
 */
export const objectWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.content-is-http-error",
    versions: withRoles,
    description: "Answers HTTP 422 to invalid objects",
    caughtBy: ["TRANS-018"],
    behaviour: puts(() => true, unlessFit(withCode(2001, 422)))
  },
  {
    ...base,
    id: "transport.content-is-server-error",
    description: "Answers status_code 3000 to invalid objects",
    caughtBy: ["TRANS-019"],
    behaviour: puts(() => true, unlessFit(withCode(3000)))
  },
  {
    ...base,
    id: "transport.no-body-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on a PUT without a body",
    caughtBy: ["TRANS-021"],
    behaviour: puts(
      ({ body }) => body === "",
      (_, reply) => refused(reply, 500)
    )
  },
  {
    ...base,
    id: "transport.unknown-fields-refused",
    versions: openVersions,
    description: "Refuses objects with unknown fields",
    caughtBy: ["TRANS-035"],
    behaviour: puts(says("tst_extra"), withCode(2001))
  },
  {
    ...base,
    id: "transport.more-fields-refused",
    versions: closedVersions,
    strength: "may",
    description: "Refuses objects with fields that its version does not have",
    caughtBy: ["TRANS-036"],
    behaviour: puts(says("tst_extra"), withCode(2001))
  },
  {
    ...base,
    id: "transport.unlisted-words-refused",
    versions: openVersions,
    roles: cpo,
    strength: "should",
    description: "Refuses tokens with a type that it does not know",
    caughtBy: ["TRANS-037"],
    behaviour: puts(says('"TST_'), withCode(2001))
  },
  {
    ...base,
    id: "transport.null-refused",
    description: "Refuses objects in which a field is null",
    caughtBy: ["TRANS-038"],
    behaviour: puts(says(":null"), withCode(2001))
  },
  {
    ...base,
    id: "transport.null-filled",
    description: "Gives language and tariff_alt_url a value of its own where they were sent as null",
    caughtBy: ["TRANS-038"],
    behaviour: {
      reply: when(
        calls("GET"),
        editData((data) =>
          isObject(data) ? Object.fromEntries(Object.entries(data).map(filledIfNull)) : data
        )
      )
    }
  },
  {
    ...base,
    id: "transport.reserved-characters-lost",
    strength: "should",
    description: "Does not find objects with reserved characters in their id",
    caughtBy: ["TRANS-041"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && /[:*+]/.test(request.path.at(-1) ?? ""),
        withCode(2000, 404)
      )
    }
  },
  {
    ...base,
    id: "transport.charset-refused",
    strength: "should",
    description: "Refuses a Content-Type with a charset",
    caughtBy: ["TRANS-042"],
    behaviour: puts(
      ({ headers }) => /charset/i.test(headers["content-type"] ?? ""),
      (_, reply) => refused(reply, 415)
    )
  },
  {
    ...base,
    id: "transport.object-fractions-refused",
    versions: withRoles,
    description: "Refuses objects whose last_updated has a fraction of a second",
    caughtBy: ["TRANS-061"],
    behaviour: puts(says('.123Z"'), withCode(2001))
  },
  {
    ...base,
    id: "transport.ids-not-compared",
    strength: "should",
    description: "Accepts an object whose id differs from the URL",
    caughtBy: ["TRANS-049"],
    behaviour: puts(
      (request) => idOf(bodyOf(request)) !== undefined && !sameId(idOf(bodyOf(request)), request.path.at(-1)),
      unlessFit(withCode(1000))
    )
  },
  {
    ...base,
    id: "transport.owners-not-compared",
    versions: withRoles,
    strength: "should",
    description: "Accepts an object whose owner differs from the URL",
    caughtBy: ["TRANS-050"],
    behaviour: puts(
      (request) => {
        const owner = bodyOf(request)["party_id"]
        return owner !== undefined && !sameId(owner, request.path[3])
      },
      unlessFit(withCode(1000))
    )
  },
  {
    ...base,
    id: "transport.any-owner",
    strength: "should",
    description: "Accepts objects of parties that are not in the sender's credentials",
    caughtBy: ["TRANS-051"],
    behaviour: puts(
      () => true,
      (request, reply) => (reply.httpStatus === 404 ? withCode(1000, 201)(request, reply) : reply)
    )
  },
  {
    ...base,
    id: "transport.patch-without-stamp",
    versions: withRoles,
    strength: "should",
    description: "Accepts a PATCH without last_updated",
    caughtBy: ["TRANS-052"],
    behaviour: {
      reply: when(
        (request) => calls("PATCH")(request) && !("last_updated" in bodyOf(request)),
        unlessFit(withCode(1000))
      )
    }
  },
  {
    ...base,
    id: "transport.new-is-nothing-special",
    strength: "should",
    description: "Answers HTTP 200 instead of 201 to a new object",
    caughtBy: ["TRANS-054"],
    behaviour: puts(
      () => true,
      (_, reply) => (reply.httpStatus === 201 ? { ...reply, httpStatus: 200 } : reply)
    )
  },
  {
    ...base,
    id: "transport.always-new",
    strength: "should",
    description: "Answers HTTP 201 to an object that it replaces",
    caughtBy: ["TRANS-055"],
    behaviour: puts(
      () => true,
      (_, reply) =>
        reply.httpStatus === 200 && codeOf(reply) === 1000 ? { ...reply, httpStatus: 201 } : reply
    )
  }
]
