/** What the checks of a first registration have in common: where they stand, and what they presuppose. */

import { versionNumbers } from "../../../../../schema/ocpi/versions.ts"
import { unexpected, unless } from "../../../../findings/finding.ts"
import { either, type Precondition } from "../../../model/Check.ts"
import { firstStep, keptAfter } from "./firstRegistrationSteps.ts"

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

/** That Token A is still accepted after what should have been refused: else a later refusal of it has that cause. */
export const stillKept = (...steps: ReadonlyArray<keyof typeof keptAfter>): ReadonlyArray<Precondition> =>
  steps.map((step) => ({
    answers: firstStep(keptAfter[step]),
    what: `GET versions with Token A after a ${keptAfter[step].slice("kept after ".length)} that is refused`,
    rule: (seen) => unless(seen.response.httpStatus !== 401, () => unexpected(seen, "HTTP 200")),
    check: step === "renewed" ? "CRED-017" : "CRED-018",
    ifGathered: true
  }))
