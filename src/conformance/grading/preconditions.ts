/** Which precondition of a check was not met. */
import type { BlockedBy, Strength } from "../../../schema/Assertion.ts"
import { named, statusLine } from "../../findings/answers.ts"
import { accepted } from "../../findings/expectations.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { blocked, type Check, type Judgement, type Precondition, type SuiteScope } from "../model/Check.ts"
import { asAnswered, type Evidence } from "../model/Evidence.ts"

/** A check that another one requires, and its judgement by the same evidence. */
interface Required {
  readonly check: Check
  readonly judgement: Judgement
}

/**
 * The judgement of a check of which a precondition was not met: it is blocked by the first such precondition, and where that is
 * blocked itself, by its cause. Undefined when all that was gathered is as required. `judged`: a check of the run; undefined:
 * the run does not have it; `soFar`: by what was gathered until now. `own`: id of the check itself.
 */
export const unmet = (
  required: ReadonlyArray<Precondition>,
  evidence: Evidence,
  judged: (id: string) => ((soFar?: true) => Required) | undefined,
  own: string
): Judgement | undefined => {
  for (const one of required) {
    const cause =
      "answers" in one
        ? refusalOf(one, evidence)
        : "about" in one
          ? sameFindingOf(one, evidence, judged)
          : "same" in one
            ? sameElsewhere(one, evidence, judged)
            : one.unless?.(evidence) === true
              ? undefined
              : failureOf(judged(one.check)?.(), one.orWarned === true ? ["must", "should"] : ["must"])
    // What this check reports itself may be what the other one is blocked by.
    if (cause !== undefined && !isBlockedBy(cause, own)) return cause
  }
  return undefined
}

const isBlockedBy = (cause: Judgement, check: string): boolean =>
  cause.is === "inconclusive" && cause.blockedBy?.check === check

/** The finding of a check about an answer of the probe that breaks the rule. */
function sameFindingOf(
  { about, check, rule }: Extract<Precondition, { readonly about: string }>,
  evidence: Evidence,
  judged: (id: string) => ((soFar: true) => Required) | undefined
): Judgement | undefined {
  const broken = evidence.answered(about).filter((seen) => rule(seen).length > 0)
  return broken.length === 0
    ? undefined
    : among(judged(check)?.(true), ({ exchangeId }) =>
        broken.some(({ exchange }) => exchange.id === exchangeId)
      )
}

function sameElsewhere(
  { check, same }: Extract<Precondition, { readonly same: unknown }>,
  evidence: Evidence,
  judged: (id: string) => ((soFar: true) => Required) | undefined
): Judgement | undefined {
  const isSame = same(evidence)
  return isSame && among(judged(check)?.(true), isSame)
}

/** What is blocked by those findings of a required check. */
function among(required: Required | undefined, isOne: (finding: Finding) => boolean): Judgement | undefined {
  if (required?.judgement.is !== "fail") return undefined
  const findings = required.judgement.findings.filter(isOne)
  return findings.length === 0
    ? undefined
    : failureOf({ check: required.check, judgement: { is: "fail", findings } }, ["must"])
}

/** The judgement of a check by what was gathered so far, where it can be judged by a part of its evidence. */
export const judgedSoFar = (
  check: Check,
  evidence: Evidence,
  scope: SuiteScope,
  judge: (check: Check) => Judgement
): Judgement => {
  const isAhead =
    check.partial === true && check.needs(scope).some((id) => evidence.gathered(id) === undefined)
  return isAhead ? check.judge(evidence) : judge(check)
}

/** What is blocked by a required check, if it has findings of one of these strengths. */
function failureOf(
  required: Required | undefined,
  strengths: ReadonlyArray<Strength>
): Judgement | undefined {
  if (required === undefined) return undefined
  const { check, judgement } = required
  if (judgement.is === "inconclusive") return judgement.blockedBy === undefined ? undefined : judgement
  if (judgement.is === "pass") return undefined
  const worst = judgement.findings.find(({ strength }) => strengths.includes(strength ?? check.strength))
  if (worst === undefined) return undefined
  return blocked({
    check: check.id,
    ...(worst.exchangeId === undefined ? {} : { exchangeId: worst.exchangeId }),
    what: `${check.id} failed: ${worst.message}`
  })
}

function refusalOf(
  {
    answers,
    check,
    otherwise,
    rule = accepted,
    unless,
    what
  }: Extract<Precondition, { readonly answers: string }>,
  evidence: Evidence
): Judgement | undefined {
  const by = (exchangeId: string, came: string): BlockedBy => ({
    ...(check === undefined ? {} : { check }),
    exchangeId,
    what: `${what} has to be accepted first, and ${came}`
  })
  for (const seen of unless?.(evidence) === true ? [] : evidence.seen(answers)) {
    const { exchange } = seen
    if (exchange.direction === "inbound") continue
    const [answered] = asAnswered(seen)
    if (answered === undefined)
      return blocked(
        by(exchange.id, `it was not answered: ${exchange.fault?.message ?? exchange.outcome}`),
        "network"
      )
    if (rule(answered).length > 0)
      return blocked(
        otherwise?.(evidence) ?? by(exchange.id, `${named(answered)} was answered ${statusLine(answered)}`)
      )
  }
  return undefined
}
