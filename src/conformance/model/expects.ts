/** Probes and rules in one: `needs` and `judge` of a check, from one list of probe ids. */

import type { BlockedBy } from "../../../schema/Assertion.ts"
import { type AnsweredExchange, statusLine } from "../../findings/answers.ts"
import { allOf } from "../../findings/expectations.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { blocked, type Check, type Judgement, noneOf, type SuiteScope } from "./Check.ts"
import type { Answered, Evidence } from "./Evidence.ts"

/** Ids of probes, or `probe#step`; a function where they depend on the suite. */
type Probes = ReadonlyArray<string> | ((scope: SuiteScope) => ReadonlyArray<string>)

/** What is wrong with an answer; empty when nothing is. Every `AnswerRule` is one. */
export type ProbeRule = (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding>

type Judged = Pick<Check, "needs" | "judge">

const needing = (probes: Probes) => (typeof probes === "function" ? probes : () => probes)

/** What the evidence is about: the version, and the role of the partner under test. */
export const scopeOf = ({ party, profile }: Evidence): SuiteScope => ({
  profile,
  role: party.counterpart.role
})

/** Of each answer to these probes: the rules, in their order, each where those before it hold. */
export const expects = (probes: Probes, ...rules: ReadonlyArray<ProbeRule>): Judged => {
  const needs = needing(probes)
  const rule = allOf(...rules)
  return {
    needs,
    judge: (evidence) => {
      const seen = needs(scopeOf(evidence)).flatMap(evidence.answered)
      return noneOf(
        seen.flatMap((one) => rule(one, evidence)),
        answersIn(seen)
      )
    }
  }
}

/**
 * As `expects`, but only of the answers that the rules are `about` (all, unless it is given), and with the number of
 * answers as actual value. `none` is the judgement when there is no such answer.
 */
export const expectsOf = (
  probes: Probes,
  {
    about = () => true,
    none
  }: {
    readonly about?: (seen: Answered, evidence: Evidence) => boolean
    readonly none: Judgement
  },
  ...rules: ReadonlyArray<ProbeRule>
): Judged => {
  const needs = needing(probes)
  const rule = allOf(...rules)
  return {
    needs,
    judge: (evidence) => {
      const seen = needs(scopeOf(evidence))
        .flatMap(evidence.answered)
        .filter((one) => about(one, evidence))
      return seen.length === 0
        ? none
        : noneOf(
            seen.flatMap((one) => rule(one, evidence)),
            `${seen.length} answers looked at`
          )
    }
  }
}

/**
 * As `expects`, but not of answers that another cause `blocks`: the check is blocked by the first of them when no other answer
 * is left to judge.
 */
export const expectsUnless = (
  probes: Probes,
  blocks: (seen: Answered, evidence: Evidence) => BlockedBy | undefined,
  ...rules: ReadonlyArray<ProbeRule>
): Judged => {
  const needs = needing(probes)
  const rule = allOf(...rules)
  return {
    needs,
    judge: (evidence) => {
      const all = needs(scopeOf(evidence)).flatMap(evidence.answered)
      const causes = all.map((one) => blocks(one, evidence))
      const seen = all.filter((_, index) => causes[index] === undefined)
      const cause = causes.find((one) => one !== undefined)
      return cause !== undefined && seen.length === 0
        ? blocked(cause)
        : noneOf(
            seen.flatMap((one) => rule(one, evidence)),
            answersIn(seen)
          )
    }
  }
}

/** What was answered, each status once; undefined when nothing was. */
const answersIn = (seen: ReadonlyArray<AnsweredExchange>): string | undefined =>
  seen.length === 0 ? undefined : [...new Set(seen.map(statusLine))].join("; ")
