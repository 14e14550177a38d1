/**
 * What a partner does with the objects that we write to it as their owner (Receiver Interface of a module), as scripts. A
 * script says which requests are sent, one after the other, and which rules their answers prove:
 *
 *     script("delete", [
 *       put("put", tariff("delete")),
 *       rule("TAR-104", {
 *         proofs: [taken(del("delete", tariff("delete"))), absent(get("read deleted", tariff("delete")))],
 *         title: "DELETE removes a tariff",
 *         …
 *       })
 *     ])
 *
 * `receiver` makes the probe, which sends the requests and cleans up, and the checks: a check needs the steps of its rule, and
 * its judgement is what the proofs say of their answers. Requests: receiverSteps.ts. Kinds of proofs and rules, with the
 * texts that differ by the noun only: receiverRules.ts. What a rule requires before it is judged: receiverPreconditions.ts.
 */

import { versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { succeeded } from "../../../../findings/answers.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import {
  blocked,
  type Check,
  inconclusive,
  type Judgement,
  noneOf,
  pass,
  type SuiteScope
} from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import { scopeOf } from "../../../model/expects.ts"
import type { Probe } from "../../../model/Probe.ts"
import { stepOf } from "../stepAnswers.ts"
import { lostFields, type PlainRead } from "./lostFields.ts"
import { likeAccepted, plainReadOf, plainWriteOf, preparing, returnedIn } from "./receiverPreconditions.ts"
import {
  type Elsewhere,
  isIn,
  isRule,
  type Receiver,
  type Script,
  type ScriptRule,
  stepsOf
} from "./receiverScript.ts"
import type { ScriptEvidence } from "./receiverSteps.ts"

/** The probes and the checks of the scripts. */
export const receiver = (
  { after, excuse, noun, plain, probePrefix, returned, ...base }: Receiver,
  scripts: ReadonlyArray<Script>
): { readonly probes: ReadonlyArray<Probe>; readonly checks: ReadonlyArray<Check> } => {
  const named = scripts.map((one) => ({ ...one, id: `${probePrefix ?? base.module}.${one.id}` }))
  const plainly = plainWriteOf(plain, noun, named, excuse)
  const plainRead = plainReadOf(returned, named)
  return {
    probes: named.map((one) => probeOf(one, after)),
    checks: named.flatMap(({ id: probe, items }) =>
      items.filter(isRule).map(({ elsewhere, facts, id, proofs }) => {
        const { requires: own, ...told } = facts(noun)
        return {
          ...base,
          versions: versionsWhere((profile) => proofs.some(({ step }) => isIn(step, profile))),
          mode: "MUT" as const,
          strength: "must" as const,
          ...told,
          id,
          needs: (scope: SuiteScope) => [
            ...new Set(
              proofs
                .filter(({ isOptional, step }) => isOptional !== true && isIn(step, scope.profile))
                .map(({ step }) => `${probe}#${step.id}`)
            )
          ],
          requires: (scope: SuiteScope) => [
            ...(id === plain ? [] : plainly(scope)),
            ...(id === returned ? [] : returnedIn(plainRead(scope), returned, probe, proofs)),
            ...preparing(items, id, scope.profile).map((step) => ({
              answers: `${probe}#${step.id}`,
              what: "the write that prepares for it",
              ofRefusals: true as const
            })),
            ...(own?.(scope) ?? []),
            ...likeAccepted(named, noun, { id, proofs }, scope.profile)
          ],
          ...(elsewhere === undefined ? {} : { ifGathered: elsewhere.steps }),
          judge: (evidence: Evidence) => {
            const scope = scopeOf(evidence)
            const read =
              id === returned ? undefined : plainRead(scope).find(({ unless }) => unless?.(evidence) !== true)
            const own = judged(proofs, within(probe, evidence, named, read))
            const judgement = elsewhere === undefined ? own : withOthers(own, elsewhere, evidence)
            const by = id === plain && judgement.is === "fail" ? excuse?.(evidence) : undefined
            return by === undefined ? judgement : blocked(by)
          }
        }
      })
    )
  }
}

/** The judgement with what answers elsewhere break of the rule; where the rule itself could not be judged, they are not looked at. */
const withOthers = (judgement: Judgement, { judge, steps }: Elsewhere, evidence: Evidence): Judgement => {
  const others = steps(scopeOf(evidence)).flatMap((step) => {
    const seen = stepOf(evidence, step)
    return seen !== undefined && succeeded(seen) ? judge(seen) : []
  })
  if (others.length === 0 || judgement.is === "inconclusive") return judgement
  return noneOf([...(judgement.is === "fail" ? judgement.findings : []), ...others])
}

/** The evidence of the run for the script of that id; `scripts`: all of its receiver; `plain`: with what is lost from that object. */
const within = (
  probe: string,
  evidence: Evidence,
  scripts: ReadonlyArray<Script> = [],
  plain?: PlainRead
): ScriptEvidence => {
  const lost = plain && lostFields(plain, evidence)
  const answersOf = ({ id, items }: Script) =>
    stepsOf(items).flatMap((step) => stepOf(evidence, `${id}#${step.id}`) ?? [])
  return {
    ...evidence,
    ...(lost === undefined ? {} : { lost }),
    answerTo: ({ id }) => stepOf(evidence, `${probe}#${id}`),
    isQueued: (read) =>
      scripts.some(
        (one) =>
          one.id === probe &&
          answersOf(one).some(
            (seen) => isMethod(seen, "PUT") && seen.response.httpStatus === 202 && isAtSame(seen, read)
          )
      ),
    mustReturn: (read) =>
      scripts.some(
        (one) =>
          one.id === probe &&
          answersOf(one).some((seen) => isMethod(seen, "PUT") && succeeded(seen) && isAtSame(seen, read))
      ) && scripts.some((one) => answersOf(one).some((seen) => isMethod(seen, "GET") && succeeded(seen)))
  }
}

const isMethod = ({ exchange }: Answered, method: string) => exchange.request.method === method

/** The second request came after the first, to the same URL but for the query. */
const isAtSame = ({ exchange: first }: Answered, { exchange: second }: Answered) =>
  Date.parse(first.startedAt) <= Date.parse(second.startedAt) &&
  new URL(first.request.url).pathname === new URL(second.request.url).pathname

/** The probe that runs a script; it has the script's id. */
export function probeOf(own: Script, after?: ReadonlyArray<string>): Probe {
  const { id, items } = own
  return {
    id,
    ...(after === undefined ? {} : { after }),
    steps: stepsOf(items).map((step) => ({
      id: step.id,
      act: (evidence) => (isIn(step, evidence.profile) ? step.act(within(id, evidence, [own])) : undefined)
    }))
  }
}

/** The findings of all proofs; if there are none, the first that is inconclusive, else the last. */
function judged(proofs: ScriptRule["proofs"], evidence: ScriptEvidence): Judgement {
  const findings: Array<Finding> = []
  let undecided: Judgement | undefined
  let last: Judgement = pass()
  for (const { isOptional, isPrecondition, judge, step } of proofs) {
    if (judge === undefined || !isIn(step, evidence.profile)) continue
    const seen = evidence.answerTo(step)
    const result =
      seen === undefined ? inconclusive("not_tested", "the request was not sent") : judge(seen, evidence)
    if (result.is === "fail") findings.push(...result.findings)
    else if (result.is === "pass") last = result
    else if (isOptional !== true) undecided ??= result
    if (isPrecondition === true && result.is !== "pass") break
  }
  return findings.length > 0 ? { is: "fail", findings } : (undecided ?? last)
}
