/** Kinds of proofs for receiver scripts: what the answer to a step has to be. */

import type { Ambiguity } from "../../../../../schema/Assertion.ts"
import {
  dataOf,
  isServerError,
  isServerFault,
  named,
  statusCode,
  statusLine,
  succeeded
} from "../../../../findings/answers.ts"
import { accepted, invalidParameters, refused } from "../../../../findings/expectations.ts"
import { isObject, type JsonObject } from "../../../../findings/json.ts"
import { isNoObject } from "../../../../findings/objectDifferences.ts"
import { isRefusal } from "../../../../findings/refusals.ts"
import { blocked, type Judgement, noneOf, pass } from "../../../model/Check.ts"
import type { Answered } from "../../../model/Evidence.ts"
import { judgeRead } from "../readBack.ts"
import type { Proof } from "./receiverScript.ts"
import type { ScriptEvidence, ScriptStep } from "./receiverSteps.ts"

/** A proof by a function that may also read the answers to other steps. */
export const judging = (
  step: ScriptStep,
  judge: (seen: Answered, evidence: ScriptEvidence) => Judgement
): Required<Pick<Proof, "step" | "judge">> => ({ step, judge })

/** The answer is HTTP 2xx with status_code 1000. */
export const taken = (step: ScriptStep): Proof => ({
  step,
  judge: (seen) => noneOf(accepted(seen), statusLine(seen)),
  isPrecondition: true,
  isAccepted: true
})

/** The check needs an answer to the step, but does not judge it alone. */
export const needed = (step: ScriptStep): Proof => ({ step })

/** Precondition of the rule: unless it passes the check is not tested, for that reason. */
export const given = ({ judge, step }: Proof, otherwise: string): Proof => ({
  step,
  judge: (seen, evidence) =>
    judge === undefined || judge(seen, evidence).is === "pass"
      ? pass()
      : blocked({
          exchangeId: seen.exchange.id,
          what: `${otherwise}: ${named(seen)} was answered ${statusLine(seen)}`
        }),
  isPrecondition: true
})

/**
 * The answer to a GET is the object of the step, or what is `expected`. `main`: the rule that reports when nothing can be read back
 * at all; `gone`: fields that must be absent.
 */
export const same = (
  step: ScriptStep,
  options: {
    readonly main?: boolean
    readonly gone?: ReadonlyArray<string>
    readonly expected?: (evidence: ScriptEvidence) => JsonObject
  } = {}
): Proof => ({
  step,
  readsBack: true,
  judge: (seen, evidence) => {
    const expected = (options.expected ?? step.json)(evidence)
    const lost = evidence.lost?.below(step.part ?? "")
    const judgement = judgeRead(seen, expected, evidence.profile, {
      ...options,
      mustReturn: evidence.mustReturn(seen),
      ...(lost === undefined ? {} : { except: lost.has })
    })
    return judgement.is === "pass" && lost?.hides(expected, options.gone) === true
      ? lost.judgement
      : judgement
  }
})

/** The proof counts where the partner took what the step sent; that it does not take it is another check's. */
export const onceTaken = (sent: ScriptStep, { judge, ...proof }: Proof): Proof => ({
  ...proof,
  ifTaken: sent,
  judge: (seen, evidence) => {
    const answer = evidence.answerTo(sent)
    return answer !== undefined && succeeded(answer) ? (judge?.(seen, evidence) ?? pass()) : pass()
  }
})

/** The request is refused, in whatever form. */
export const rejected = (step: ScriptStep, expected = "HTTP 404, or status_code 2xxx"): Proof => ({
  step,
  judge: (seen) => noneOf(refused(expected)(seen))
})

/** Where the partner took what the step sent, the findings of a proof name both readings of the text. */
export const whereTaken =
  (sent: ScriptStep, ambiguous: Ambiguity) =>
  ({ judge, ...proof }: Proof): Proof => ({
    ...proof,
    judge: (seen, evidence) => {
      const judgement = judge?.(seen, evidence) ?? pass()
      const answer = evidence.answerTo(sent)
      return judgement.is === "fail" && answer !== undefined && succeeded(answer)
        ? noneOf(judgement.findings.map((one) => ({ ...one, ambiguous })))
        : judgement
    }
  })

/** The step with which TRANS-018 and TRANS-019 judge how invalid content is refused, whatever the object. */
const spoiltObject = "objects.semantic#spoilt"

/** HTTP 2xx with a body that has no readable status_code. */
const isNoVerdict = (seen: Answered): boolean =>
  seen.response.httpStatus >= 200 &&
  seen.response.httpStatus < 300 &&
  isObject(seen.json) &&
  Number.isNaN(statusCode(seen))

/** The check that reports how this answer refuses, where the partner answers invalid content alike whatever the object. */
function toldOnceBy(seen: Answered, evidence: ScriptEvidence): Judgement | undefined {
  const code = statusCode(seen)
  if (isNoVerdict(seen))
    return blocked({
      check: "TRANS-012",
      exchangeId: seen.exchange.id,
      what: `${named(seen)} was answered ${statusLine(seen)} without a status_code, so nothing says whether it was refused`
    })
  if (evidence.profile.messageIds && code >= 2900 && code < 3000)
    return blocked({
      check: "TRANS-017",
      exchangeId: seen.exchange.id,
      what: `invalid content is answered with the custom status_code ${code}`
    })
  const [spoilt] = evidence.answered(spoiltObject)
  if (spoilt === undefined || statusLine(spoilt) !== statusLine(seen)) return undefined
  const { httpStatus } = seen.response
  const check = isServerFault(seen)
    ? "TRANS-019"
    : evidence.profile.messageIds && isRefusal(seen) && httpStatus >= 300
      ? "TRANS-018"
      : undefined
  return check === undefined
    ? undefined
    : blocked({
        check,
        exchangeId: spoilt.exchange.id,
        what: `invalid content is answered ${statusLine(seen)}, whatever the object`
      })
}

/** status_code 2001; another refusal of the client is nearly as good. */
export const judgeInvalid = (seen: Answered, evidence: ScriptEvidence): Judgement => {
  const findings = invalidParameters(seen)
  return (findings.length === 0 ? undefined : toldOnceBy(seen, evidence)) ?? noneOf(findings)
}

/** As `judgeInvalid`, of the answer to a step. */
export const invalid = (step: ScriptStep): Proof => ({ step, judge: judgeInvalid })

/** A GET does not return the object: it is refused, or brings nothing. An answer that is neither says nothing about the object. */
export const absent = (step: ScriptStep, what = "an object that should have been refused"): Proof => ({
  step,
  judge: (seen) => {
    if (isRefusal(seen) || (succeeded(seen) && isNoObject(dataOf(seen)))) return pass()
    if (isServerError(seen))
      return blocked({
        exchangeId: seen.exchange.id,
        what: `${named(seen)} was answered ${statusLine(seen)}`
      })
    return noneOf([
      {
        message: succeeded(seen)
          ? `${named(seen)} returned ${what}`
          : `${named(seen)} was answered neither the object nor a refusal: ${statusLine(seen)}`,
        expected: "HTTP 404",
        actual: statusLine(seen),
        exchangeId: seen.exchange.id
      }
    ])
  }
})

/** Does the answer say that there is no such object? A page of a router says nothing of objects. */
export const saysAbsent = (seen: Answered | undefined): boolean => {
  if (seen === undefined) return false
  if (seen.response.httpStatus === 404) return !Number.isNaN(statusCode(seen))
  return seen.response.httpStatus < 300 && (isRefusal(seen) || (succeeded(seen) && isNoObject(dataOf(seen))))
}

/** A proof that counts only if its step has an answer that can be judged. */
export const optional = (proof: Proof): Proof => ({ ...proof, isOptional: true })
