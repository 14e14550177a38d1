/** Grades a check for the ledger: withheld checks, accepted deviations, defects of our own, secrets. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { Need } from "../../../schema/Need.ts"
import type { AcceptedDeviation } from "../../../schema/Suite.ts"
import type { Check, SuiteScope } from "../model/Check.ts"
import { type Evidence, isWithheld } from "../model/Evidence.ts"
import { inLightOf } from "./accepted.ts"
import { grade } from "./grade.ts"
import type { GradingRules } from "./judgement.ts"

/** The settings of a run that decide how its checks are graded. */
export interface GradingOptions extends GradingRules {
  readonly accept: ReadonlyArray<AcceptedDeviation>
  /** What a check needs beside a partner that answers. */
  readonly needOf: (check: Check) => Need
  /** The kinds of need that the order asks for; absent: all, so that nothing is left out. */
  readonly needs?: ReadonlyArray<Need> | undefined
  /** Why the run neither grades this check nor sends anything for it; undefined if it grades it. */
  readonly withholding: (check: Check) => string | undefined
}

/** The assertion of a check. A defect in the check itself becomes the outcome `error` instead of failing the run. */
export function gradeSafely(check: Check, evidence: Evidence, options: GradingOptions): Assertion {
  const { accept, withholding, ...rules } = options
  const reason = withholding(check)
  if (reason !== undefined)
    return inNeed(
      { ...unjudged(check), outcome: "not_tested", reason, attribution: "operator" },
      check,
      options
    )
  try {
    const accepted = accept.find(({ checkId }) => checkId === check.id)
    const graded = inLightOf(grade(check, evidence, rules), accepted, evidence.startedAt, rules.profile)
    // What the partner was given no more time for is not for want of an act or an object.
    return wasGivenUp(check, evidence, rules.scope) ? graded : inNeed(graded, check, options)
  } catch (cause) {
    const reason = `our check failed with an error: ${cause instanceof Error ? cause.message : "unknown error"}`
    return { ...unjudged(check), outcome: "error", reason: reason.slice(0, 300), attribution: "ours" }
  }
}

const wasGivenUp = (check: Check, evidence: Evidence, scope: SuiteScope): boolean =>
  check.needs(scope).some((id) => {
    const gathered = evidence.gathered(id)
    return gathered !== undefined && isWithheld(gathered) && gathered.givenUp !== undefined
  })

/** An assertion that was not judged says what it needs; `not_tested`, not asked for, when the order leaves that out. */
function inNeed(assertion: Assertion, check: Check, { needOf, needs }: GradingOptions): Assertion {
  const need = needOf(check)
  const { outcome, reason = "" } = assertion
  if (outcome !== "unobservable" && !(outcome === "not_tested" && need === "risk")) return assertion
  return needs === undefined || needs.includes(need)
    ? { ...assertion, need }
    : { ...assertion, need, notAskedFor: true, outcome: "not_tested", reason: `not asked for: ${reason}` }
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

/**
 * The assertion with its secrets replaced; the same object if it has none. It quotes answers of the partner, which may repeat our
 * tokens.
 */
export function cleaned(assertion: Assertion, clean: (text: string) => string): Assertion {
  const text = JSON.stringify(assertion)
  const without = clean(text)
  return without === text ? assertion : (JSON.parse(without) as Assertion) // the same object with other texts
}
