/** Grades a check for the ledger: withheld checks, accepted deviations, defects of our own, secrets. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { AcceptedDeviation } from "../../../schema/Suite.ts"
import type { Check } from "../model/Check.ts"
import type { Evidence } from "../model/Evidence.ts"
import { inLightOf } from "./accepted.ts"
import { type GradingRules, grade } from "./grade.ts"

/** The settings of a run that decide how its checks are graded. */
export interface GradingOptions extends GradingRules {
  readonly accept: ReadonlyArray<AcceptedDeviation>
  /** Why the run neither grades this check nor sends anything for it; undefined if it grades it. */
  readonly withholding: (check: Check) => string | undefined
}

/** The assertion of a check. A defect in the check itself becomes the outcome `error` instead of failing the run. */
export function gradeSafely(
  check: Check,
  evidence: Evidence,
  { accept, withholding, ...rules }: GradingOptions
): Assertion {
  const reason = withholding(check)
  if (reason !== undefined)
    return { ...unjudged(check), outcome: "not_tested", reason, attribution: "operator" }
  try {
    const accepted = accept.find(({ checkId }) => checkId === check.id)
    return inLightOf(grade(check, evidence, rules), accepted, evidence.startedAt, rules.profile)
  } catch (cause) {
    const reason = `our check broke: ${cause instanceof Error ? cause.message : "unknown error"}`
    return { ...unjudged(check), outcome: "error", reason: reason.slice(0, 300), attribution: "ours" }
  }
}

/** The fields of an assertion that come from its check, without an outcome. */
export function unjudged(check: Check) {
  return {
    id: check.id,
    checkId: check.id,
    title: check.title,
    strength: check.strength,
    reference: check.reference,
    module: check.module,
    expected: check.passes
  }
}

/** The assertion with secrets replaced: it quotes the partner, who may write our tokens anywhere. */
export function cleaned(assertion: Assertion, clean: (text: string) => string): Assertion {
  return JSON.parse(clean(JSON.stringify(assertion))) as Assertion // the same object with other texts
}
