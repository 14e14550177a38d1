/** Judges every response of a read-only run, whatever the request. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { header, named, statusLine } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { either, type SuiteScope } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import { perList } from "../shared/lists.ts"

/** The OCPI document about transport. */
export const transportChapter = "transport_and_format"

/** Answers of every kind that a read-only run sees: good ones, and ones to wrong requests. */
export const needs = (scope: SuiteScope) => [
  ...["versions", "details", "details.unknown-version", "credentials"],
  ...perList("list", "limit1", "future")(scope),
  "unknown-ids"
]

/** The answers, in the order of the probes. */
export const allAnswers = (evidence: Evidence): ReadonlyArray<Answered> =>
  needs(scopeOf(evidence)).flatMap(evidence.answered)

/** The message ids that a request of ours carried, by header. */
const messageIds = { "X-Request-ID": "requestId", "X-Correlation-ID": "correlationId" } as const

/** The answer does not repeat the message id of the request. */
export const notRepeated = (seen: Answered, name: keyof typeof messageIds): ReadonlyArray<Finding> => {
  const sent = seen.exchange[messageIds[name]]
  return unless(header(seen, name) === sent, () =>
    finding(seen, `${named(seen)}, ${statusLine(seen)}: ${name} is not repeated`, {
      expected: sent,
      actual: header(seen, name) ?? "absent"
    })
  )
}

/** What the checks of the form of answers have in common. */
export const everyAnswer = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  strength: "must",
  sends: "nothing of its own: looks at the answers to versions, details, credentials and lists",
  needs,
  partial: true
} as const
