/** Faults of a partner during a first registration with it: what it accepts, and how it answers errors. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { Behaviour } from "../../../party/wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, type Fault } from "../Fault.ts"
import { aboutModule, editEnvelope, refused, unlocked, when } from "../replies.ts"

const base = {
  module: "credentials",
  versions: allVersions,
  roles: bothRoles,
  strength: "should"
} as const

const posts = (request: OcpiRequest) => request.method === "POST" && aboutModule("credentials")(request)

/** Answers POST credentials with `other` where the honest partner answers `status`. */
const instead = (status: number, other: number): Partial<Behaviour> => ({
  reply: when(
    posts,
    editEnvelope((envelope) =>
      envelope["status_code"] === status ? { ...envelope, status_code: other } : envelope
    )
  )
})

/**
 * Faults of a partner that has no registration yet: POST, PUT and DELETE credentials, their status codes, and its calls
 * back.
 */
export const firstRegistrationFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "registration.empty-answer",
    strength: "must",
    description: "Registers, and answers without its credentials",
    caughtBy: ["CRED-001"],
    behaviour: {
      reply: when(
        posts,
        editEnvelope(({ data: _, ...envelope }) => envelope)
      )
    }
  },
  {
    ...base,
    id: "registration.changes-nothing",
    strength: "must",
    description: "Answers success to PUT and DELETE credentials without a registration",
    caughtBy: ["CRED-017", "CRED-018"],
    behaviour: {
      reply: when(
        (request) => aboutModule("credentials")(request) && ["PUT", "DELETE"].includes(request.method),
        (request, reply) =>
          reply.httpStatus === 405
            ? {
                ...editEnvelope((envelope) => ({ ...envelope, status_code: ocpiStatus.success }))(
                  request,
                  reply
                ),
                httpStatus: 200
              }
            : reply
      )
    }
  },
  {
    ...base,
    id: "registration.takes-strangers",
    strength: "must",
    description: "Answers success to POST credentials with any token and without one",
    caughtBy: ["CRED-048"],
    behaviour: { reply: when(posts, unlocked(null)) }
  },
  {
    ...base,
    id: "registration.says-both",
    strength: "must",
    description:
      "Refuses PUT and DELETE credentials with HTTP 405, and goes on with a success in the same body",
    caughtBy: ["CRED-017", "CRED-018"],
    behaviour: {
      reply: when(
        (request) => aboutModule("credentials")(request) && ["PUT", "DELETE"].includes(request.method),
        (request, reply) =>
          reply.httpStatus === 405
            ? {
                ...reply,
                body: `${reply.body}\n${unlocked(null)(request, { ...reply, httpStatus: 401 }).body}`
              }
            : reply
      )
    }
  },
  {
    ...base,
    id: "registration.takes-incomplete",
    strength: "must",
    description: "Answers success to incomplete credentials",
    caughtBy: ["CRED-020"],
    behaviour: instead(ocpiStatus.invalidParameters, ocpiStatus.success)
  },
  {
    ...base,
    id: "registration.garbage-crashes",
    strength: "must",
    description: "Fails with HTTP 500 on credentials that are no JSON",
    caughtBy: ["CRED-021"],
    behaviour: {
      reply: when(
        (request) => posts(request) && parseJson(request.body) === undefined,
        (_, reply) => refused(reply, 500)
      )
    }
  },
  {
    ...base,
    id: "registration.vague-about-calling",
    description: "Answers 2000 instead of 3001 when it could not use the caller's API",
    caughtBy: ["CRED-022", "CRED-023"],
    behaviour: instead(ocpiStatus.unableToUseApi, ocpiStatus.clientError)
  },
  {
    ...base,
    id: "registration.vague-about-version",
    description: "Answers 2000 instead of 3002 when the caller lacks its version",
    caughtBy: ["CRED-024"],
    behaviour: instead(ocpiStatus.unsupportedVersion, ocpiStatus.clientError)
  },
  {
    ...base,
    id: "registration.vague-about-endpoints",
    description: "Answers 2000 instead of 3003 when the caller lacks endpoints that it needs",
    caughtBy: ["CRED-025"],
    behaviour: instead(ocpiStatus.noMatchingEndpoints, ocpiStatus.clientError)
  },
  {
    ...base,
    id: "registration.forgets-token-a",
    description: "Invalidates Token A as soon as one registration with it has failed",
    caughtBy: ["CRED-026"],
    behaviour: { quirks: ["forgets Token A"] }
  },
  {
    ...base,
    id: "registration.impatient",
    description: "Waits only two seconds for each answer to its calls back",
    caughtBy: ["CRED-047"],
    behaviour: { quirks: ["impatient"] }
  }
]
