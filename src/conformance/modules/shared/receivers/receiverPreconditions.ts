/** What a rule of a receiver requires before it is judged: that the partner takes, and returns, what is nothing special. */
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import type { Precondition, SuiteScope } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { stepOf } from "../stepAnswers.ts"
import { type PlainRead, readBackAtAll } from "./lostFields.ts"
import { isIn, isRule, type Proof, type Receiver, type Script, type ScriptRule } from "./receiverScript.ts"
import type { ScriptStep } from "./receiverSteps.ts"

/** Where a plain object is read back. */
export function plainReadOf(
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
export const returnedIn = (
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
export function plainWriteOf(
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
  return () => [
    { answers, what, check: plain, ofRefusals: true, ...(otherwise === undefined ? {} : { otherwise }) }
  ]
}

/**
 * A rule that also passes where its change of an object is refused, such as PATCH of an unknown one, proves nothing at a partner
 * that refuses each request of the method: a valid one of the same part has to be accepted first, or where there is none, of any.
 */
export const likeAccepted = (
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
    check,
    ofRefusals: true
  }))
}

/** Is it another change than the write of a whole object? That one is accepted is required of each rule but the plain one. */
const isChange = ({ method, part }: ScriptStep): boolean =>
  method !== undefined && method !== "GET" && (part !== undefined || (method !== "PUT" && method !== "POST"))

/** The steps before a rule in its script that only prepare, by writing a valid object whole. */
export function preparing(
  items: Script["items"],
  id: string,
  profile: VersionProfile
): ReadonlyArray<ScriptStep> {
  const at = items.findIndex((item) => isRule(item) && item.id === id)
  return items
    .slice(0, at)
    .flatMap((item) => (isRule(item) || item.isPlain !== true || !isIn(item, profile) ? [] : [item]))
}
