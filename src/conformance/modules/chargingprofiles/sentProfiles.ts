/** How an EMSP takes what comes of the charging profiles that it asks for (mod_charging_profiles, Sender Interface). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, succeeded } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, unless } from "../../../findings/finding.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import { type Answered, isWithheld } from "../../model/Evidence.ts"
import { activeStep, resultSteps } from "./sentProfilesProbes.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: ["EMSP"],
  mode: "MUT",
  // What they answer comes while the run listens.
  phase: "watch",
  strength: "must",
  passes: "HTTP 2xx, status_code 1000, no data",
  hint: "Answer with the OCPI envelope, without data."
} as const

const notEmpty = (seen: Answered): ReadonlyArray<Finding> => {
  const data = dataOf(seen)
  return unless(data === undefined || data === null, () =>
    at(seen, "/data", `${named(seen)} was answered with data`, { expected: "no data", actual: data })
  )
}

const judge =
  (steps: ReadonlyArray<string>): Check["judge"] =>
  (evidence) => {
    const answers = steps.flatMap(evidence.answered)
    const [reason] = steps.flatMap((step) => {
      const gathered = evidence.gathered(step)
      return gathered !== undefined && isWithheld(gathered) ? [gathered.reason] : []
    })
    return answers.length === 0
      ? inconclusive("unobservable", reason ?? "nothing could be sent")
      : noneOf(
          answers.flatMap((seen) => (succeeded(seen) ? notEmpty(seen) : accepted(seen))),
          `${answers.length} of ${steps.length} taken`
        )
  }

/** The checks of an EMSP that receives ChargingProfile results and active profiles. */
export const sentProfilesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CP-101",
    title: "ChargingProfileResult: the result of each request is accepted",
    reference: "mod_charging_profiles, Sender Interface, POST Method",
    sends:
      "POST of a ChargingProfileResult, an ActiveChargingProfileResult and a ClearProfileResult to the response_urls of requests that we accepted",
    partial: true,
    needs: () => resultSteps,
    judge: judge(resultSteps)
  },
  {
    ...base,
    id: "CP-102",
    title: "ActiveChargingProfile: PUT by the CPO is accepted",
    reference: "mod_charging_profiles, Sender Interface, PUT Method",
    sends: "PUT of an ActiveChargingProfile for a session on which the partner has set a profile",
    needs: () => [activeStep],
    judge: judge([activeStep])
  }
]
