/** A receiver that refuses every PATCH alike, takes each and changes nothing, or keeps nothing but what it names, is told so once. */
import { dataOf, statusLine, succeeded } from "../../../../findings/answers.ts"
import { objectIn } from "../../../../findings/json.ts"
import type { Precondition } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { judgeRead } from "../readBack.ts"
import { stepOf } from "../stepAnswers.ts"
import { lostFields, type PlainRead } from "./lostFields.ts"
import type { Make } from "./receiverSteps.ts"

/** A PATCH, and GET of what it was to change. */
export interface PatchedObject {
  /** Ids of the steps: `probe#step`. */
  readonly patch: string
  readonly read: string
  /** The object before the PATCH. */
  readonly before: Make
  /** The part of an object that it is; absent: a whole object. */
  readonly part?: string
  /** Where a plain object is read back: what is lost from it shows nothing about a PATCH. */
  readonly plain: PlainRead
}

/**
 * What came of a PATCH: how it was refused, that it was taken and changed nothing, or that it took the place of the object. Undefined: it
 * has changed something.
 */
const outcomeOf = (
  evidence: Evidence,
  { before, part = "", patch, plain, read }: PatchedObject
): string | undefined => {
  const [answer, seen] = [patch, read].map((step) => stepOf(evidence, step))
  if (answer === undefined) return undefined
  if (!succeeded(answer)) return statusLine(answer)
  if (seen === undefined || !succeeded(seen)) return undefined
  const except = lostFields(plain, evidence)?.below(part).has ?? (() => false)
  if (judgeRead(seen, before(evidence), evidence.profile, { except }).is === "pass") return "taken"
  const kept = objectIn(dataOf(seen))
  const fields = Object.keys(before(evidence))
  return fields.filter((field) => !(field in kept)).length * 2 > fields.length ? "replaced" : undefined
}

/** The PATCH was taken, and changed nothing. */
export const isIdle = (evidence: Evidence, one: PatchedObject): boolean =>
  outcomeOf(evidence, one) === "taken"

/** Blocks a check of a PATCH that went as the first one did, which did not do what it was to: its own check tells that. */
export const unlikePatch = (
  first: PatchedObject & { readonly check: string },
  own: PatchedObject
): Precondition => ({
  check: first.check,
  unless: (evidence) => {
    const outcome = outcomeOf(evidence, own)
    return outcome === undefined || outcome !== outcomeOf(evidence, first)
  }
})
