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
 * texts that differ by the noun only: receiverRules.ts.
 */

import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { succeeded } from "../../../../findings/answers.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import {
  blocked,
  type Check,
  inconclusive,
  type Judgement,
  type Precondition,
  pass,
  type SuiteScope
} from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import type { Probe } from "../../../model/Probe.ts"
import { stepOf } from "../stepAnswers.ts"
import { lostFields, type PlainRead, readBackAtAll } from "./lostFields.ts"
import type { ScriptEvidence, ScriptStep } from "./receiverSteps.ts"

/** What the answer to a step proves. */
export interface Proof {
  readonly step: ScriptStep
  /** Absent: the check needs the step, but does not judge its answer alone. */
  readonly judge?: (seen: Answered, evidence: ScriptEvidence) => Judgement
  /** Unless it passes, the proofs after it are not judged. */
  readonly isPrecondition?: true
  /** The step is valid, and passes where it is accepted. */
  readonly isAccepted?: true
  /** Judged only where that step was accepted: its refusal is no proof of the rule. */
  readonly ifTaken?: ScriptStep
  /** Compares what is read back with what was sent. */
  readonly readsBack?: true
  /** The check does not need the step: an answer that is missing or inconclusive leaves the judgement to the other proofs. */
  readonly isOptional?: true
}

type Facts = Pick<Check, "title" | "sends" | "passes"> &
  Partial<
    Pick<Check, "hint" | "lenient" | "partial" | "reference" | "requires" | "roles" | "strength" | "versions">
  >
/** Texts and facts that override those of the rule's kind. `versions` absent: those in which one of its steps is sent. */
export type OwnFacts = Partial<Facts>

/** A check, and what proves it. */
export interface ScriptRule {
  readonly id: string
  readonly proofs: ReadonlyArray<Proof>
  readonly facts: (noun: string) => Facts
}

type Proofs = { readonly proofs: ReadonlyArray<Proof> }
/** The arguments of a kind of rule: proofs, and what overrides the kind's facts. */
export type Own = Proofs & OwnFacts

/** A rule with all its facts given, of no particular kind. */
export const rule = (id: string, { proofs, ...facts }: Proofs & Facts): ScriptRule => ({
  id,
  proofs,
  facts: () => facts
})

/** Requests in order, and the rules that their answers prove. One script becomes one probe. */
export interface Script {
  readonly id: string
  /** In the order in which they are sent: steps that only prepare, and those of the rules, each where it is first named. */
  readonly items: ReadonlyArray<ScriptStep | ScriptRule>
}

/** A script; its id follows the module (or the receiver's prefix) in the id of its probe. */
export const script = (id: string, items: Script["items"]): Script => ({ id, items })

/** What the checks of a receiver have in common. */
interface Receiver extends Pick<Check, "module" | "reference" | "roles"> {
  /** The name of one object in texts, such as `tariff`. */
  readonly noun: string
  /** Prefix of the probe ids; default: the module. */
  readonly probePrefix?: string
  /**
   * What shows that the partner takes such objects at all: the rule whose first step is a plain write, or another precondition.
   * Every other rule requires it: what a partner that refuses each object does with a special one proves nothing.
   */
  readonly plain: string | ((scope: SuiteScope) => ReadonlyArray<Precondition>)
  /**
   * The rule that a plain object is read back as it was sent, or where that is done elsewhere. Every other rule that compares the two
   * leaves out what is lost from each object: that says nothing about a special one.
   */
  readonly returned?: string | ((scope: SuiteScope) => ReadonlyArray<PlainRead>)
  /** Why the partner may refuse any such object although it is valid; undefined: it may not. */
  readonly excuse?: (evidence: Evidence) => BlockedBy | undefined
  /** Ids of probes that must run before. */
  readonly after?: ReadonlyArray<string>
}

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
      items.filter(isRule).map(({ facts, id, proofs }) => {
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
              what: "the write that prepares for it"
            })),
            ...(own?.(scope) ?? []),
            ...likeAccepted(named, noun, { id, proofs }, scope.profile)
          ],
          judge: (evidence: Evidence) => {
            const { profile } = evidence
            const scope = { profile, role: evidence.party.counterpart.role }
            const read =
              id === returned ? undefined : plainRead(scope).find(({ unless }) => unless?.(evidence) !== true)
            const judgement = judged(proofs, within(probe, evidence, named, read))
            const by = id === plain && judgement.is === "fail" ? excuse?.(evidence) : undefined
            return by === undefined ? judgement : blocked(by)
          }
        }
      })
    )
  }
}

/** Where a plain object is read back. */
function plainReadOf(
  returned: Receiver["returned"],
  scripts: ReadonlyArray<Script>
): (scope: SuiteScope) => ReadonlyArray<PlainRead> {
  if (typeof returned === "function") return returned
  const [found] = scripts.flatMap(({ id: probe, items }) =>
    items.flatMap((item) =>
      isRule(item) && item.id === returned
        ? item.proofs.filter(({ readsBack }) => readsBack === true).map(({ step }) => ({ probe, step }))
        : []
    )
  )
  if (returned === undefined || found === undefined) return () => []
  const { probe, step } = found
  return () => [{ check: returned, read: `${probe}#${step.id}`, object: step.json }]
}

/**
 * The preconditions of every rule but that one which compares what is read back; none where it compares only if it can, and there
 * was nothing to compare.
 */
const returnedIn = (
  plain: ReadonlyArray<PlainRead>,
  returned: Receiver["returned"],
  probe: string,
  proofs: ScriptRule["proofs"]
): ReadonlyArray<Precondition> => {
  const compared = proofs.filter(({ readsBack }) => readsBack === true)
  if (compared.length === 0) return []
  // Read first, so that the check can be judged; what it finds is its own affair.
  if (typeof returned !== "string")
    return plain.flatMap((one, index) => [
      {
        answers: one.read,
        what: "GET of a plain object",
        rule: () => [],
        ...(index > 0 ? { ifGathered: true } : {})
      },
      readBackAtAll(one)
    ])
  const isAnswered = (evidence: Evidence) => (proof: Proof) =>
    stepOf(evidence, `${probe}#${proof.step.id}`) !== undefined
  const isOptional = compared.every((one) => one.isOptional === true)
  return plain.map(readBackAtAll).map((required) => ({
    ...required,
    unless: (evidence) =>
      required.unless?.(evidence) === true ||
      (isOptional && !compared.some(isAnswered(evidence)) && proofs.some(isAnswered(evidence)))
  }))
}

/** The precondition of every rule but the plain one. */
function plainWriteOf(
  plain: Receiver["plain"],
  noun: string,
  scripts: ReadonlyArray<Script>,
  otherwise: Receiver["excuse"]
): (scope: SuiteScope) => ReadonlyArray<Precondition> {
  if (typeof plain === "function") return plain
  const [found] = scripts.flatMap(({ id, items }) =>
    items.flatMap((item) =>
      isRule(item) && item.id === plain ? item.proofs.slice(0, 1).map(({ step }) => ({ id, step })) : []
    )
  )
  if (found === undefined) return () => []
  const answers = `${found.id}#${found.step.id}`
  const what = `a plain write of a ${noun}`
  return () => [{ answers, what, check: plain, ...(otherwise === undefined ? {} : { otherwise }) }]
}

/**
 * A rule that also passes where its change of an object is refused, such as PATCH of an unknown one, proves nothing at a partner
 * that refuses each request of the method: a valid one of the same part has to be accepted first, or where there is none, of any.
 */
const likeAccepted = (
  scripts: ReadonlyArray<Script>,
  noun: string,
  { id: own, proofs }: Pick<ScriptRule, "id" | "proofs">,
  profile: VersionProfile
): ReadonlyArray<Precondition> => {
  const valid = scripts.flatMap(({ id: probe, items }) =>
    items
      .filter(isRule)
      .flatMap(({ id: check, proofs }) =>
        proofs.flatMap(({ isAccepted, step }) =>
          isAccepted === true && isIn(step, profile) ? [{ check, probe, step }] : []
        )
      )
  )
  const isFounded = (step: ScriptStep) =>
    proofs.some(({ ifTaken }) => ifTaken === step) ||
    valid.some((one) => one.check === own && one.step === step)
  const first = proofs.flatMap(({ step }) => {
    if (!isChange(step) || !isIn(step, profile) || isFounded(step)) return []
    const alike = valid.filter(({ check, step: { method } }) => check !== own && method === step.method)
    return alike.find((one) => one.step.part === step.part) ?? alike[0] ?? []
  })
  return [...new Set(first)].map(({ check, probe, step }) => ({
    answers: `${probe}#${step.id}`,
    what: `a valid ${step.method} of a ${step.part === undefined ? noun : `part of a ${noun}`}`,
    check
  }))
}

/** Is it another change than the write of a whole object? That one is accepted is required of each rule but the plain one. */
const isChange = ({ method, part }: ScriptStep): boolean =>
  method !== undefined && method !== "GET" && (part !== undefined || (method !== "PUT" && method !== "POST"))

/** The steps before a rule in its script that only prepare, by writing a valid object whole. */
function preparing(items: Script["items"], id: string, profile: VersionProfile): ReadonlyArray<ScriptStep> {
  const at = items.findIndex((item) => isRule(item) && item.id === id)
  return items
    .slice(0, at)
    .flatMap((item) => (isRule(item) || item.isPlain !== true || !isIn(item, profile) ? [] : [item]))
}

const isIn = (step: ScriptStep, profile: VersionProfile) => step.isIn?.(profile) !== false
const isRule = (item: ScriptStep | ScriptRule): item is ScriptRule => "proofs" in item

const stepsOf = (items: Script["items"]): ReadonlyArray<ScriptStep> => [
  ...new Set(items.flatMap((item) => (isRule(item) ? item.proofs.map(({ step }) => step) : [item])))
]

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
