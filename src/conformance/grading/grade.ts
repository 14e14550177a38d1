/** From evidence to an assertion. */

import type { Assertion } from "../../../schema/Assertion.ts"
import type { Check } from "../model/Check.ts"
import type { Evidence } from "../model/Evidence.ts"
import { assertionOf } from "./assertion.ts"
import { type GradingRules, judgementOf, observationsOf } from "./judgement.ts"

/** The assertion of one check. Pure: the same evidence gives the same assertion. */
export const grade = (check: Check, evidence: Evidence, rules: GradingRules): Assertion => {
  const judged = observationsOf(check, evidence, rules.scope)
  return assertionOf({ check, judged, judgement: judgementOf(check, evidence, rules) }, evidence, rules)
}
