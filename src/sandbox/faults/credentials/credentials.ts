/** Faults of the credentials module and of authentication. */

import { isObject } from "../../../findings/json.ts"
import { inboundAuthorization } from "../../../ocpi/tokens.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, emsp, encodedVersions, type Fault, rawVersions } from "../Fault.ts"
import { type About, aboutLists, aboutModule, editData, refused, unlocked, when } from "../replies.ts"

const base = { module: "credentials", versions: allVersions, roles: bothRoles, strength: "must" } as const

const readsCredentials: About = (request) => request.method === "GET" && aboutModule("credentials")(request)
const hasToken = ({ headers }: OcpiRequest) => headers["authorization"] !== undefined
/** Our tokens contain a `-`, so only an encoded one can also be read as Base64 and has two candidates. */
const isEncoded = ({ headers }: OcpiRequest) =>
  inboundAuthorization(headers["authorization"])?.candidates.length === 2
/** Requests to a module, but for its list. */
const belowModules: About = (request) => request.path.length > 1 && !aboutLists(request)
const isSpeltOtherwise = ({ headerNames = [] }: OcpiRequest) =>
  headerNames.some((name) => /^authorization$/i.test(name) && name !== "Authorization")
const isWellFormed = ({ headers }: OcpiRequest) =>
  /^Token [^\s]+$/.test(headers["authorization"] ?? "Token x")

/** Faults in GET credentials, and in how the Authorization header is read, checked and written. */
export const credentialsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "credentials.other-url",
    description: "Returns another versions URL on GET credentials than at registration",
    caughtBy: ["CRED-039"],
    behaviour: {
      reply: when(
        readsCredentials,
        editData((data) => (isObject(data) ? { ...data, url: `${String(data["url"])}/moved` } : data))
      )
    }
  },
  {
    ...base,
    id: "credentials.masked-token",
    strength: "should",
    description: "Masks the token on GET credentials",
    caughtBy: ["CRED-040"],
    behaviour: {
      reply: when(
        readsCredentials,
        editData((data) => (isObject(data) ? { ...data, token: "********" } : data))
      )
    }
  },
  {
    ...base,
    id: "credentials.lists-without-token",
    description: "Answers functional lists to callers without a token",
    caughtBy: ["TRANS-001"],
    behaviour: { reply: when((request) => aboutLists(request) && !hasToken(request), unlocked([])) }
  },
  {
    ...base,
    id: "credentials.receivers-without-token",
    description: "Answers requests to its receivers and to credentials without looking at the token",
    caughtBy: ["CRED-049", "CRED-051"],
    behaviour: { reply: when(belowModules, unlocked(null)) }
  },
  {
    ...base,
    id: "credentials.cdrs-of-anyone",
    roles: emsp,
    description: "Takes POST of CDRs without looking at the token",
    caughtBy: ["CRED-049"],
    behaviour: {
      reply: when((request) => request.method === "POST" && aboutModule("cdrs")(request), unlocked(null))
    }
  },
  {
    ...base,
    id: "credentials.lower-case-refused-by-modules",
    description: "Refuses tokens at its modules in a header whose name is not spelt Authorization",
    caughtBy: ["CRED-050"],
    behaviour: {
      reply: when(
        (request) => belowModules(request) && isSpeltOtherwise(request),
        (_, reply) => refused(reply, 401)
      )
    }
  },
  {
    ...base,
    id: "credentials.lists-with-any-token",
    description: "Answers functional lists to any token",
    caughtBy: ["TRANS-002", "CRED-014", "CRED-036"],
    behaviour: {
      reply: when(
        (request) => aboutLists(request) && hasToken(request) && isWellFormed(request),
        unlocked([])
      )
    }
  },
  {
    ...base,
    id: "credentials.malformed-header-crashes",
    description: "Fails with HTTP 500 on an Authorization header that is not Token <value>",
    caughtBy: ["TRANS-003"],
    behaviour: {
      reply: (request, reply) => (isWellFormed(request) ? reply : refused(reply, 500))
    }
  },
  {
    ...base,
    id: "credentials.encoded-token-refused",
    versions: encodedVersions,
    description: "Accepts its token raw only, and refuses it Base64 encoded",
    caughtBy: ["TRANS-004"],
    behaviour: { reply: (request, reply) => (isEncoded(request) ? refused(reply, 401) : reply) }
  },
  {
    ...base,
    id: "credentials.plain-token-refused",
    versions: rawVersions,
    description: "Accepts its token Base64 encoded only, and refuses it raw",
    caughtBy: ["TRANS-005"],
    behaviour: {
      reply: (request, reply) => (hasToken(request) && !isEncoded(request) ? refused(reply, 401) : reply)
    }
  },
  {
    ...base,
    id: "credentials.raw-token-refused",
    versions: encodedVersions,
    strength: "may",
    description: "Refuses its token when it is not Base64 encoded, as the specification requires",
    caughtBy: ["TRANS-006"],
    behaviour: {
      reply: (request, reply) => (hasToken(request) && !isEncoded(request) ? refused(reply, 401) : reply)
    }
  },
  {
    ...base,
    id: "credentials.header-name-by-case",
    description: "Accepts the Authorization header in this capitalization only",
    caughtBy: ["TRANS-009", "CRED-050"],
    behaviour: {
      reply: (request, reply) =>
        (request.headerNames ?? []).some((name) => /^authorization$/i.test(name) && name !== "Authorization")
          ? refused(reply, 401)
          : reply
    }
  },
  {
    ...base,
    id: "credentials.sends-raw-token",
    versions: encodedVersions,
    description: "Sends our token raw, not Base64 encoded",
    caughtBy: ["TRANS-007", "TRANS-008"],
    behaviour: {},
    outboundToken: "raw"
  },
  {
    ...base,
    id: "credentials.sends-encoded-token",
    versions: rawVersions,
    strength: "should",
    description: "Sends our token Base64 encoded, not raw",
    caughtBy: ["TRANS-008"],
    behaviour: {},
    outboundToken: "base64"
  }
]
