/** What a partner answers to requests that it has to refuse. */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { named, offersMethod, statusCode, succeeded } from "../../../findings/answers.ts"
import { http, refused } from "../../../findings/expectations.ts"
import { finding, when } from "../../../findings/finding.ts"
import { type Check, either, inconclusive } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, expectsOf, expectsUnless } from "../../model/expects.ts"
import { refusedAnyway } from "../shared/lists.ts"
import { everyAnswer, notRepeated, ofErrors, refusals } from "./everyAnswer.ts"

const base = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  reference: "status_codes, 2xxx: Client errors"
} as const

/** The whole module is refused, or redirected, with the same HTTP status: that says nothing of the id. */
const asTheList = (seen: Answered, evidence: Evidence): BlockedBy | undefined => {
  const [list] = evidence.answered(`${seen.exchange.module}.list`)
  return list?.response.httpStatus === seen.response.httpStatus ? refusedAnyway(seen, evidence) : undefined
}

const unknownIds = expectsUnless(["unknown-ids"], asTheList, (seen) =>
  offersMethod(seen) ? http(404)(seen) : []
)

/**
 * Real-time authorization of an unknown token, and a charging profile for a session that nobody has: HTTP 404 may come
 * before the body is read (mod_tokens, Real-time authorization; status_codes).
 */
const isUnknownResource = (seen: Answered) => {
  const { module, request } = seen.exchange
  const isMissing = seen.response.httpStatus === 404
  // Where 2004 comes with another HTTP status, that is the finding of TOK-015.
  return module === "tokens" && request.method === "POST"
    ? isMissing || statusCode(seen) === ocpiStatus.unknownToken
    : isMissing && module === "chargingprofiles"
}

const isError = (seen: Answered) => {
  const code = statusCode(seen)
  return seen.response.httpStatus >= 400 || (code >= 2000 && code < 4000)
}

const looksLikeTrace = ({ response }: Answered) =>
  /^\s*</.test(response.body ?? "") && /stack ?trace|exception|\bat [\w$.]+\(/i.test(response.body ?? "")

/** Judge responses to requests that must be refused (transport_and_format; status_codes). */
export const wrongRequestsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-020",
    consequenceOf: ["CRED-012", "TOK-023"],
    title: "Requests: HTTP 400 for a body that is not JSON",
    strength: "must",
    reference: "status_codes",
    sends: "PUT or POST of truncated JSON to each endpoint that takes a body",
    passes: "HTTP 400",
    hint: "Answer HTTP 400 to a body that cannot be parsed: an OCPI status code alone is for bodies that could be read.",
    ...expectsOf(
      ["truncated-json"],
      {
        about: (seen) => !isUnknownResource(seen) && offersMethod(seen),
        none: inconclusive(
          "not_tested",
          "every request was for a token or session that the partner does not know, or had a method that it does not offer there"
        )
      },
      http(400)
    )
  },
  {
    ...base,
    id: "TRANS-022",
    consequenceOf: ["CDR-109"],
    title: "Requests: HTTP 405 for a method that the module does not have",
    strength: "should",
    reference: ["cdrs", "commands", "locations", "sessions", "tariffs", "tokens"]
      .map((module) => `mod_${module}, Interfaces and Endpoints`)
      .join("; "),
    sends: "requests with methods that the modules do not have, for an id that does not exist",
    passes: "HTTP 405, or another 4xx; never success",
    hint: "Answer 405 to a method that is not offered, whatever the id.",
    ...expects(["methods-not-offered"], refused("HTTP 405"))
  },
  {
    ...base,
    id: "TRANS-023",
    consequenceOf: ["CRED-012"],
    title: "Requests: HTTP 404 for an object that does not exist",
    strength: "should",
    reference: "status_codes",
    sends: "GET of an id that does not exist, at each endpoint that returns objects by their id",
    passes: "HTTP 404",
    hint: "Answer HTTP 404 when an id in the URL is unknown, with an OCPI status code in the body.",
    ...unknownIds,
    judge: (evidence) =>
      !evidence.answered("unknown-ids").some(offersMethod)
        ? inconclusive("not_applicable", "the partner returns no objects by their id")
        : unknownIds.judge(evidence)
  },
  {
    ...base,
    id: "TRANS-024",
    consequenceOf: ["CRED-012"],
    title: "Requests: HTTP 404 for an unknown path, without a stack trace",
    strength: "should",
    reference: "status_codes",
    sends: "GET of an unknown path beside the versions URL",
    passes: "HTTP 404; no 5xx, no page with a stack trace",
    hint: "Answer HTTP 404 to unknown paths, without details of the server in the body.",
    ...expects(["unknown-path"], (seen) => [
      ...http(404)(seen),
      ...when(looksLikeTrace(seen), () =>
        finding(seen, `${named(seen)} shows a stack trace`, {
          expected: "no HTML stack trace",
          actual: (seen.response.body ?? "").slice(0, 100)
        })
      )
    ])
  },
  {
    ...everyAnswer,
    id: "TRANS-027",
    versions: versionsWhere(({ messageIds }) => messageIds),
    title: "Error responses: X-Request-ID and X-Correlation-ID are repeated",
    lenient: () => true,
    reference: "transport_and_format, Unique message IDs",
    sends:
      "requests with an unknown token, an unknown id, truncated JSON and a wrong parameter; the check looks at every error response of the run",
    passes: "X-Request-ID and X-Correlation-ID are those of the request",
    hint: "Set both headers before anything can refuse the request: also in front of authentication and routing.",
    ...ofErrors(
      isError,
      {
        shared: [
          { check: "TRANS-025", of: succeeded, flaws: (seen) => notRepeated(seen, "X-Request-ID") },
          { check: "TRANS-026", of: succeeded, flaws: (seen) => notRepeated(seen, "X-Correlation-ID") }
        ]
      },
      inconclusive("unobservable", "the partner answered no request with an error"),
      refusals
    )
  }
]
