/**
 * Faults of a partner that is registered with: its calls back, the credentials that it returns, and how it renews and
 * ends a registration.
 */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { inboundAuthorization } from "../../../ocpi/tokens.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, type Fault, openVersions, withRoles } from "../Fault.ts"
import {
  aboutLists,
  aboutModule,
  aboutVersions,
  editData,
  editEnvelope,
  refused,
  unlocked,
  when
} from "../replies.ts"

const base = { module: "credentials", versions: allVersions, roles: bothRoles, strength: "must" } as const

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("credentials")(request)
const credentials = (method: string, edit: (data: JsonObject) => JsonObject) => ({
  reply: when(
    calls(method),
    editData((data) => (isObject(data) ? edit(data) : data))
  )
})
const nameless = (party: JsonObject): JsonObject => {
  const { name: _, ...details } = objectIn(party["business_details"])
  return { ...party, business_details: details }
}

/**
 * Faults in the credentials exchange with a partner that answers it: calls back, returned credentials, tokens after PUT
 * and DELETE.
 */
export const registrationFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "registration.no-call-back",
    description: "Answers a registration without fetching our versions",
    caughtBy: ["CRED-002", "CRED-028", "CRED-034"],
    behaviour: { callBack: "none" }
  },
  {
    ...base,
    id: "registration.list-only",
    description: "Fetches our versions list during a registration, but no version details",
    caughtBy: ["CRED-003", "CRED-028"],
    behaviour: { callBack: "list only" }
  },
  {
    ...base,
    id: "registration.own-token",
    description: "Calls back with the token that it issued itself, not with the one that we sent",
    caughtBy: ["CRED-004"],
    behaviour: { callBack: "own token" }
  },
  {
    ...base,
    id: "registration.long-token",
    description: "Returns a token of more than 64 characters",
    caughtBy: ["CRED-005"],
    behaviour: credentials("POST", (data) => ({
      ...data,
      token: `${String(data["token"])}${"x".repeat(40)}`
    }))
  },
  {
    ...base,
    id: "registration.other-url",
    description: "Returns a URL that is not its versions endpoint",
    caughtBy: ["CRED-006"],
    behaviour: credentials("POST", (data) => ({
      ...data,
      url: String(data["url"]).replace(/versions\/?$/, "elsewhere")
    }))
  },
  {
    ...base,
    id: "registration.nameless",
    description: "Leaves business_details.name out of its credentials",
    caughtBy: ["CRED-007", "CRED-008"],
    behaviour: credentials("POST", (data) =>
      "roles" in data ? { ...data, roles: objectsIn(data["roles"]).map(nameless) } : nameless(data)
    )
  },
  {
    ...base,
    id: "registration.role-twice",
    versions: withRoles,
    description: "Lists its first role twice in its credentials",
    caughtBy: ["CRED-009"],
    behaviour: credentials("POST", (data) => {
      const roles = objectsIn(data["roles"])
      return { ...data, roles: [...roles, ...roles.slice(0, 1)] }
    })
  },
  {
    ...base,
    id: "registration.hub-among-others",
    versions: versionsWhere(({ hub }) => hub === "role"),
    description: "Lists the role HUB beside its own in its credentials",
    caughtBy: ["CRED-010"],
    behaviour: credentials("POST", (data) => {
      const roles = objectsIn(data["roles"])
      return { ...data, roles: [...roles, ...roles.slice(0, 1).map((role) => ({ ...role, role: "HUB" }))] }
    })
  },
  {
    ...base,
    id: "registration.hub-of-no-form",
    versions: openVersions,
    description: "Gives a hub_party_id that is not two letters and three characters",
    caughtBy: ["CRED-011"],
    behaviour: credentials("POST", (data) => ({ ...data, hub_party_id: "HUB" }))
  },
  {
    ...base,
    id: "credentials.lists-refused",
    description: "Refuses the token that it returned when its lists are requested",
    caughtBy: ["CRED-012"],
    behaviour: { reply: when(aboutLists, (_, reply) => refused(reply, 401)) }
  },
  {
    ...base,
    id: "credentials.anybody-changes",
    description: "Answers success to PUT and DELETE credentials with any token",
    caughtBy: ["CRED-019", "CRED-038"],
    behaviour: { reply: when((request) => calls("PUT")(request) || calls("DELETE")(request), unlocked(null)) }
  },
  {
    ...base,
    id: "credentials.delete-refused",
    description: "Refuses DELETE credentials",
    caughtBy: ["CRED-035"],
    behaviour: {
      reply: when(
        calls("DELETE"),
        editEnvelope((envelope) => ({ ...envelope, status_code: 2000 }))
      )
    }
  },
  {
    ...base,
    id: "credentials.post-again",
    description: "Answers success to a second POST credentials",
    caughtBy: ["CRED-015"],
    behaviour: {
      reply: when(calls("POST"), (request, reply) =>
        reply.httpStatus === 405
          ? {
              ...editEnvelope((envelope) => ({ ...envelope, status_code: 1000 }))(request, reply),
              httpStatus: 200
            }
          : reply
      )
    }
  },
  {
    ...base,
    id: "credentials.second-post-ends-it",
    description: "Refuses a second POST credentials, and invalidates the token of the first",
    caughtBy: ["CRED-016"],
    behaviour: { quirks: ["forgets who registers twice"] }
  },
  {
    ...base,
    id: "credentials.old-endpoints",
    description: "Keeps calling the endpoints that it knew before our credentials were renewed",
    caughtBy: ["CRED-032"],
    behaviour: { quirks: ["keeps our old endpoints"] }
  },
  {
    ...base,
    id: "credentials.stays-in-version",
    description: "Refuses PUT credentials that changes the version",
    caughtBy: ["CRED-033"],
    behaviour: { quirks: ["stays in its version"] }
  },
  {
    ...base,
    id: "credentials.calls-after-the-end",
    description: "Calls us once more after its registration was ended",
    caughtBy: ["CRED-037"],
    behaviour: { quirks: ["calls after the end"] }
  },
  {
    ...base,
    id: "credentials.put-refused",
    description: "Refuses PUT credentials",
    caughtBy: ["CRED-027"],
    behaviour: {
      reply: when(
        calls("PUT"),
        editEnvelope(({ data: _, ...envelope }) => ({ ...envelope, status_code: 2000 }))
      )
    }
  },
  {
    ...base,
    id: "credentials.new-token-wrong",
    description: "Returns a token on renewal that it does not accept",
    caughtBy: ["CRED-029"],
    behaviour: credentials("PUT", (data) => ({ ...data, token: `${String(data["token"])}0` }))
  },
  {
    ...base,
    id: "credentials.old-token-lives",
    strength: "should",
    description: "Keeps accepting tokens that it has replaced",
    caughtBy: ["CRED-013", "CRED-030"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) && isOurMaking(request),
        (request, reply) => unlocked([])(request, reply)
      )
    }
  }
]

/** Does the request carry any well-formed token? This partner checks no more than that. */
function isOurMaking({ headers }: OcpiRequest): boolean {
  return inboundAuthorization(headers["authorization"]) !== undefined
}
