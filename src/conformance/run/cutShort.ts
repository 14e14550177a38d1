/** Judging a run that is to stop: on what was gathered by then, and on nothing that was cut off. */
import type { Assertion } from "../../../schema/Assertion.ts"
import { type GradingOptions, gradeSafely, unjudged } from "../grading/gradeSafely.ts"
import type { Check } from "../model/Check.ts"
import { type Evidence, isWithheld } from "../model/Evidence.ts"

/**
 * The assertion of a check after the run was told to stop, for that `reason`. Incomplete evidence accuses nobody: where
 * something that the check needs was cut off, or the partner did nothing of that kind by then, it is `not_tested`.
 */
export const gradeCutShort = (
  check: Check,
  evidence: Evidence,
  options: GradingOptions,
  reason: string
): Assertion => {
  const notTested: Assertion = { ...unjudged(check), outcome: "not_tested", reason, attribution: "operator" }
  if (options.withholding(check) === undefined && isCut(check, evidence, options)) return notTested
  const assertion = gradeSafely(check, evidence, options)
  return check.mode === "OBS" && assertion.outcome === "unobservable" ? notTested : assertion
}

/** Was something that the check needs not gathered, or not to its end, because the run was to stop? */
const isCut = (check: Check, evidence: Evidence, { scope }: GradingOptions): boolean =>
  check.needs(scope).some((id) => {
    const gathered = evidence.gathered(id)
    if (gathered === undefined) return true
    return isWithheld(gathered) ? gathered.cutShort === true : gathered.stopped === "run"
  })
