/** POSTs of credentials before a first registration that must not register: what is wrong with each, and when it is left out. */

import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import { named, statusLine } from "../../../../findings/answers.ts"
import type { JsonObject } from "../../../../findings/json.ts"
import type { OurFault } from "../../../../store/parties/Party.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { ProbeRequest, ProbeStep } from "../../../model/Probe.ts"
import {
  burntBy,
  credentialsRequest,
  reportedBy,
  takenBy,
  type wrongSteps
} from "./firstRegistrationSteps.ts"

/** How a POST differs from the right one, and how our answers to the partner's call backs do meanwhile. */
interface WrongPost {
  readonly change?: (
    evidence: Evidence
  ) => Pick<ProbeRequest, "body" | "credentials" | "rawBody" | "wrongOnPurpose">
  readonly ourFaults?: ReadonlyArray<OurFault>
}

/** What a POST is sent under, by the id of its step, where the id does not say it. */
const conditions: Readonly<Record<string, string>> = {
  "cut short": "with a body that is cut short",
  unreachable: "with a versions URL where nothing listens",
  "refused to": "while our versions are answered with HTTP 401",
  "broken to": "while our versions are answered with HTTP 500",
  "no JSON for": "while our versions are answered without JSON",
  "version missing": "while our versions lack the version",
  "credentials only": "while our version details list credentials only"
}

/** Why a wrong request is not sent; undefined: it is. */
const needless = (evidence: Evidence): BlockedBy | undefined => {
  const taken = takenBy(evidence)
  if (taken === undefined) return burntBy(evidence)
  const check = reportedBy[taken.step]
  return {
    ...(check === undefined ? {} : { check }),
    exchangeId: taken.seen.exchange.id,
    what: `the request was not sent: ${named(taken.seen)} before it was answered ${statusLine(taken.seen)} with a token, so that we may be registered`
  }
}
const noCredentials = "the partner's version details name no credentials endpoint"

/** A POST that must not register; left out when an earlier one did, or made an end of Token A. */
export const wrongPost = (step: string, { ourFaults = [], change = () => ({}) }: WrongPost): ProbeStep => ({
  id: step,
  act: (evidence) => {
    const post = credentialsRequest(evidence, "POST")
    if (post === undefined) return { leftOut: noCredentials }
    const by = needless(evidence)
    if (by !== undefined) return { leftOut: by }
    return {
      send: { ...post, registration: "hand over", about: conditions[step] ?? step, ...change(evidence) },
      ourFaults
    }
  }
})

/** A versions URL at which no server listens, from any host. */
const refusing = "http://127.0.0.1:1/ocpi/versions"
const lacks = (what: string) => ({ wrongOnPurpose: { body: `${what} is missing` } })

/** Enough for a partner that tries both forms of the token at each of two addresses. */
const inVersions = (fault: OurFault["fault"]): ReadonlyArray<OurFault> => [
  { fault, module: "versions", times: 4 }
]

const ourRole = ({ party }: Evidence, more: JsonObject): JsonObject => ({
  role: party.role,
  party_id: party.identity.partyId,
  country_code: party.identity.countryCode,
  ...more
})

/** What is wrong with each POST that must not register. */
export const wrongPosts: Readonly<Record<(typeof wrongSteps)[number], WrongPost>> = {
  "without token": { change: () => ({ ...lacks("token"), body: { token: undefined } }) },
  "without url": { change: () => ({ ...lacks("url"), body: { url: undefined } }) },
  "without a party": {
    change: ({ profile }) => ({
      ...lacks("the party"),
      body: profile.credentialsRoles ? { roles: [] } : { party_id: undefined }
    })
  },
  "without a business": {
    change: (evidence) => ({
      ...lacks("business_details"),
      body: evidence.profile.credentialsRoles
        ? { roles: [ourRole(evidence, {})] }
        : { business_details: undefined }
    })
  },
  "cut short": {
    change: () => ({ rawBody: '{"token":', wrongOnPurpose: { body: "JSON that is cut short" } })
  },
  unreachable: { change: () => ({ body: { url: refusing } }) },
  "refused to": { ourFaults: inVersions("unauthorized") },
  "broken to": { ourFaults: inVersions("server-error") },
  "no JSON for": { ourFaults: inVersions("no-json") },
  "version missing": { ourFaults: inVersions("version-missing") },
  "credentials only": { ourFaults: inVersions("credentials-only") }
}
