/**
 * Faults in how a partner refuses requests: unknown objects and paths, bodies that are no JSON, methods that a module
 * does not have.
 */

import { isObject } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, type Fault, withRoles } from "../Fault.ts"
import { type EditReply, editEnvelope, jsonOf, refused, unlocked, when, withHeader } from "../replies.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "must" } as const

/** Answers HTTP 200 and `statusCode` where the honest partner answers `httpStatus`. */
const instead =
  (httpStatus: number, statusCode: number): EditReply =>
  (request, reply) =>
    reply.httpStatus === httpStatus
      ? {
          ...editEnvelope((envelope) => ({ ...envelope, status_code: statusCode }))(request, reply),
          httpStatus: 200
        }
      : reply

const isDeep = ({ method, path }: OcpiRequest) => method === "GET" && path.length > 2
const isRefused = (reply: OcpiReply) => {
  const json = jsonOf(reply)
  return reply.httpStatus >= 400 || (isObject(json) && Number(json["status_code"]) >= 2000)
}

/** Faults in the refusal of requests that cannot be served: wrong status codes, crashes, missing message ids. */
export const wrongRequestsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.no-json-is-no-error",
    description: "Answers HTTP 200 to a body that is no JSON",
    caughtBy: ["TRANS-020"],
    behaviour: { reply: when(({ path }) => path[1] !== "credentials", instead(400, 2001)) }
  },
  {
    ...base,
    id: "transport.any-method",
    strength: "should",
    description: "Answers success to methods that a module does not have",
    caughtBy: ["TRANS-022"],
    behaviour: { reply: when(({ path }) => path[1] !== "credentials", instead(405, 1000)) }
  },
  {
    ...base,
    id: "transport.unknown-is-success",
    strength: "should",
    description: "Answers HTTP 200 without data for an object that it does not have",
    caughtBy: ["TRANS-023"],
    behaviour: { reply: when(isDeep, instead(404, 1000)) }
  },
  {
    ...base,
    id: "transport.unknown-path-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on unknown paths",
    caughtBy: ["TRANS-024"],
    behaviour: {
      reply: when(
        ({ path }) => path.length === 1 && !/\d/.test(path[0] ?? ""),
        (_, reply) => (reply.httpStatus === 404 ? refused(reply, 500) : reply)
      )
    }
  },
  {
    ...base,
    id: "transport.errors-without-ids",
    versions: withRoles,
    description: "Does not return the message ids in errors",
    caughtBy: ["TRANS-027"],
    behaviour: {
      reply: (_, reply) =>
        isRefused(reply)
          ? withHeader(withHeader(reply, "X-Request-ID", undefined), "X-Correlation-ID", undefined)
          : reply
    }
  },
  {
    ...base,
    id: "versions.any-version",
    module: "versions",
    strength: "should",
    description: "Answers the details of versions that it does not have",
    caughtBy: ["VERS-015"],
    behaviour: {
      reply: when(
        ({ path }) => path.length === 1 && /\d/.test(path[0] ?? ""),
        (request, reply) =>
          reply.httpStatus === 404
            ? unlocked({ version: request.path[0], endpoints: [] })(request, { ...reply, httpStatus: 401 })
            : reply
      )
    }
  }
]
