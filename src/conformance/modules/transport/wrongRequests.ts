/** What a partner answers to requests that it has to refuse. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { envelope, header, named, statusLine, succeeded } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unexpected, unless, when } from "../../../findings/finding.ts"
import { type Check, either, inconclusive, noneOf, type SuiteScope } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { listsOf } from "../shared/lists.ts"

const base = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  reference: "status_codes, Client errors"
} as const

const answeredWith = (seen: Answered, expected: string): Finding => unexpected(seen, expected)

/** The receiver does not offer reading at all: that is no answer about the id. */
const offersNone: ReadonlyArray<number> = [405, 501]

const refusals = ({ profile, role }: SuiteScope): ReadonlyArray<string> => [
  "versions.random-token",
  "unknown-ids",
  "truncated-json",
  ...listsOf(profile, role)
    .slice(0, 1)
    .map((list) => `${list}.not-instants`)
]

const isError = (seen: Answered) => {
  const code = Number(envelope(seen)?.["status_code"])
  return seen.response.httpStatus >= 400 || (code >= 2000 && code < 4000)
}

/** Message ids that an answer does not repeat. */
const lostIds = (seen: Answered): ReadonlyArray<Finding> =>
  (
    [
      ["X-Request-ID", seen.exchange.requestId],
      ["X-Correlation-ID", seen.exchange.correlationId]
    ] as const
  )
    .filter(([name, sent]) => header(seen, name) !== sent)
    .map(([name, sent]) =>
      finding(seen, `${named(seen)}, ${statusLine(seen)}: ${name} is not repeated`, {
        expected: sent,
        actual: header(seen, name) ?? "absent"
      })
    )

const looksLikeTrace = ({ response }: Answered) =>
  /^\s*</.test(response.body ?? "") && /stack ?trace|exception|\bat [\w$.]+\(/i.test(response.body ?? "")

export const wrongRequestsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-020",
    title: "Answers HTTP 400 to a body that is no JSON",
    strength: "must",
    sends: "PUT or POST of truncated JSON to each endpoint that takes a body",
    passes: "HTTP 400",
    hint: "What cannot be parsed is an HTTP error; an OCPI status code is for bodies that could be read.",
    needs: () => ["truncated-json"],
    judge: (evidence) =>
      noneOf(
        evidence
          .answered("truncated-json")
          .filter(({ response }) => response.httpStatus !== 400)
          .map((seen) => answeredWith(seen, "HTTP 400")),
        "HTTP 400"
      )
  },
  {
    ...base,
    id: "TRANS-022",
    title: "Refuses methods that a module does not have",
    strength: "should",
    reference: "the modules' interfaces and endpoints",
    sends: "for an id that nothing has, methods that the modules do not offer",
    passes: "HTTP 405, or another 4xx; never success",
    hint: "Answer 405 to a method that is not offered, whatever the id.",
    needs: () => ["methods-not-offered"],
    judge: (evidence) =>
      noneOf(
        evidence
          .answered("methods-not-offered")
          .filter((seen) => succeeded(seen) || seen.response.httpStatus >= 500)
          .map((seen) => answeredWith(seen, "HTTP 405"))
      )
  },
  {
    ...base,
    id: "TRANS-023",
    title: "Answers 404 for an object that does not exist",
    strength: "should",
    reference: "status_codes, HTTP codes",
    sends: "GET of an id that nothing has, at each endpoint that gives objects by their id",
    passes: "HTTP 404",
    hint: "An unknown id in the URL is HTTP 404, with an OCPI status code beside it.",
    needs: () => ["unknown-ids"],
    judge: (evidence) => {
      const seen = evidence
        .answered("unknown-ids")
        .filter(({ response }) => !offersNone.includes(response.httpStatus))
      return seen.length === 0
        ? inconclusive("not_applicable", "the partner gives no objects by their id")
        : noneOf(
            seen
              .filter(({ response }) => response.httpStatus !== 404)
              .map((one) => answeredWith(one, "HTTP 404"))
          )
    }
  },
  {
    ...base,
    id: "TRANS-024",
    title: "Answers 404 below its root where nothing is",
    strength: "should",
    reference: "status_codes, HTTP codes",
    sends: "GET of a path beside the versions URL that nothing has",
    passes: "HTTP 404; no 5xx, no page with a stack trace",
    hint: "Let unknown paths end in 404 without telling how the server is built.",
    needs: () => ["unknown-path"],
    judge: (evidence) =>
      noneOf(
        evidence.answered("unknown-path").flatMap((seen) => [
          ...unless(seen.response.httpStatus === 404, () => answeredWith(seen, "HTTP 404")),
          ...when(looksLikeTrace(seen), () =>
            finding(seen, `${named(seen)} shows a stack trace`, {
              expected: "no HTML stack trace",
              actual: (seen.response.body ?? "").slice(0, 100)
            })
          )
        ])
      )
  },
  {
    ...base,
    id: "TRANS-027",
    versions: versionsWhere(({ messageIds }) => messageIds),
    title: "Repeats both message ids in errors too",
    strength: "must",
    lenient: () => true,
    reference: "transport_and_format, Unique message IDs",
    sends: "requests with an unknown token, an unknown id, truncated JSON and a wrong parameter",
    passes: "X-Request-ID and X-Correlation-ID are those of the request",
    hint: "Set both headers before anything can refuse the request: also in front of authentication and routing.",
    needs: refusals,
    partial: true,
    judge: (evidence) => {
      const errors = seenErrors(evidence)
      return errors.length === 0
        ? inconclusive("unobservable", "the partner answered no request with an error")
        : noneOf(errors.flatMap(lostIds), `${errors.length} errors looked at`)
    }
  }
]

function seenErrors(evidence: Evidence): ReadonlyArray<Answered> {
  return refusals({ profile: evidence.profile, role: evidence.party.counterpart.role })
    .flatMap(evidence.answered)
    .filter(isError)
}
