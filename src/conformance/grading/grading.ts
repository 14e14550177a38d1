/** From a check to the assertion that stands in the ledger. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { AcceptedDeviation, Profile } from "../../../schema/Suite.ts"
import type { Check, SuiteScope } from "../model/Check.ts"
import type { Evidence } from "../model/Evidence.ts"
import { inLightOf } from "./accepted.ts"
import { grade } from "./grade.ts"

export interface GradingOptions {
  readonly scope: SuiteScope
  readonly profile: Profile
  readonly accept: ReadonlyArray<AcceptedDeviation>
  /** Why a check is not to be graded in this run, and nothing sent for it; undefined: it is graded. */
  readonly withholding: (check: Check) => string | undefined
}

/** A check that breaks is our fault, and the other checks go on. */
export function gradeSafely(
  check: Check,
  evidence: Evidence,
  { accept, profile, scope, withholding }: GradingOptions
): Assertion {
  const reason = withholding(check)
  if (reason !== undefined) return { ...unjudged(check), outcome: "not_tested", reason }
  try {
    const accepted = accept.find(({ checkId }) => checkId === check.id)
    return inLightOf(grade(check, evidence, scope, profile), accepted, evidence.startedAt, profile)
  } catch (cause) {
    const reason = `our check broke: ${cause instanceof Error ? cause.message : "unknown error"}`
    return { ...unjudged(check), outcome: "error", reason: reason.slice(0, 300) }
  }
}

/** What an assertion says of its check before there is an outcome. */
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

/** Assertions quote what a partner wrote, and a partner may write our tokens anywhere. */
export function cleaned(assertion: Assertion, clean: (text: string) => string): Assertion {
  return JSON.parse(clean(JSON.stringify(assertion))) as Assertion // the same object with other texts
}
