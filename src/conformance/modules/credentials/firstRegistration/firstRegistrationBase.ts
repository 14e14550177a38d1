/** What the checks of a first registration have in common: where they stand, and what they presuppose. */

import { versionNumbers } from "../../../../../schema/ocpi/versions.ts"
import { isServerError, named, statusLine } from "../../../../findings/answers.ts"
import { unexpected, unless, when } from "../../../../findings/finding.ts"
import { blocked, type Check, either, type Judgement, type Precondition } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { firstStep, isTokenAKnown, keptAfter, refusedThroughout } from "./firstRegistrationSteps.ts"

/** Of every check of a first registration. */
export const firstRegistrationBase = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "MUT",
  phase: "write",
  first: true,
  strength: "must",
  reference: "credentials, Registration"
} as const

/** A partner that refuses the right POST refuses the wrong ones for the same reason: CRED-001 reports it. */
export const whereTaken: ReadonlyArray<Precondition> = [{ check: "CRED-001" }]

/** A credentials endpoint that falls over the right POST falls over each request: CRED-001 reports it. */
export const whereServed: ReadonlyArray<Precondition> = [
  {
    answers: firstStep("register"),
    what: "an answer to POST credentials",
    rule: (seen) => when(isServerError(seen), () => unexpected(seen, "an answer of HTTP 2xx or 4xx")),
    check: "CRED-001",
    ifGathered: true
  }
]

/**
 * No judgement where the credentials endpoint refuses Token A from the first request on: the partner has broken a rule only where its
 * versions endpoint shows that it knows the token, which CRED-001 reports. Undefined: it has accepted it.
 */
export const refusedTokenA = (evidence: Evidence): Judgement | undefined => {
  const seen = refusedThroughout(evidence)
  if (seen === undefined) return undefined
  return isTokenAKnown(evidence)
    ? blocked({
        check: "CRED-001",
        exchangeId: seen.exchange.id,
        what: `Token A, which opens versions, is refused at the credentials endpoint: ${named(seen)} was answered ${statusLine(seen)}`
      })
    : blocked(
        {
          exchangeId: seen.exchange.id,
          what: `Token A is refused at the credentials endpoint (${statusLine(seen)} to every request), and versions do not show whether the partner knows it: compare the token, and the form in which the partner takes it`
        },
        "operator"
      )
}

/** The judgement, but for a Token A that is refused from the first request on. */
export const unlessTokenARefused =
  (judge: Check["judge"]): Check["judge"] =>
  (evidence) =>
    refusedTokenA(evidence) ?? judge(evidence)

/** That Token A is still accepted after what should have been refused: else a later refusal of it has that cause. */
export const stillKept = (...steps: ReadonlyArray<keyof typeof keptAfter>): ReadonlyArray<Precondition> =>
  steps.map((step) => ({
    answers: firstStep(keptAfter[step]),
    what: `GET versions with Token A after a ${keptAfter[step].slice("kept after ".length)} that is refused`,
    rule: (seen) => unless(seen.response.httpStatus !== 401, () => unexpected(seen, "HTTP 200")),
    check: step === "renewed" ? "CRED-017" : "CRED-018",
    ifGathered: true
  }))
