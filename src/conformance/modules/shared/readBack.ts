/** Judges what a receiver returns of an object that was written to it, and what it means that it returns nothing. */

import { dataOf, named, statusLine } from "../../../findings/answers.ts"
import { success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { isEmpty, type ObjectDifference, objectDifferences } from "../../../findings/objectDifferences.ts"
import { pointerInWords } from "../../../findings/pointer.ts"
import { shown } from "../../../findings/words.ts"
import { blocked, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { stepOf } from "./stepAnswers.ts"

/** The receiver does not offer to read back what it was told. */
const offersNone: ReadonlyArray<number> = [404, 405, 501]

/**
 * `main`: the one check that says when nothing can be read back at all; `gone`: fields that must be absent; `mustReturn`: an
 * object is known to be at the URL, so HTTP 404 is a finding.
 */
interface ReadBackOptions {
  readonly main?: boolean
  readonly mustReturn?: boolean
  readonly gone?: ReadonlyArray<string>
  /** Fields that do not count, because another check reports them. */
  readonly except?: (pointer: string) => boolean
}

const unreadableIn = (seen: Answered) =>
  `the object that was just stored cannot be read back: ${statusLine(seen)}`

/** No judgement of what was written, because that answer does not show it. */
export const notReadBack = (seen: Answered): Judgement =>
  blocked({ exchangeId: seen.exchange.id, what: unreadableIn(seen) })

/** What a step read back is what was written. */
export const judgeReadBack = (
  evidence: Evidence,
  step: string,
  expected: JsonObject,
  options: ReadBackOptions = {}
): Judgement => {
  const seen = stepOf(evidence, step)
  return seen === undefined
    ? inconclusive("not_tested", "nothing was read back")
    : judgeRead(seen, expected, evidence.profile, options)
}

/** The answer to a GET is the object that was written. */
export const judgeRead = (
  seen: Answered,
  expected: JsonObject,
  profile: Evidence["profile"],
  options: ReadBackOptions = {}
): Judgement => {
  const refusal = unreadable(seen, options)
  if (refusal !== undefined) return refusal
  const status = success(seen)
  if (status.length > 0) return noneOf(status)
  const data = dataOf(seen)
  const changed = objectDifferences(expected, data, profile)
    .filter(({ pointer }) => options.except?.(pointer) !== true)
    .map((one) => differs(seen, one))
  const kept = (options.gone ?? []).flatMap((name): ReadonlyArray<Finding> => {
    const value = isObject(data) ? data[name] : undefined
    return isEmpty(value)
      ? []
      : [
          at(seen, `/data/${name}`, `${named(seen)}: ${name} is still there`, {
            expected: "absent",
            actual: value
          })
        ]
  })
  return noneOf([...changed, ...kept])
}

function differs(seen: Answered, { actual, expected, pointer }: ObjectDifference): Finding {
  if (pointer === "")
    return at(seen, "/data", `${named(seen)}: data is ${kindOf(actual)}, not the object that was sent`, {
      expected: `an object: ${shown(expected)}`,
      actual
    })
  const field = pointerInWords(pointer)
  const isOtherCount = Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length
  return at(
    seen,
    `/data${pointer}`,
    isOtherCount
      ? `${named(seen)}: ${field} has ${countOf(actual)}, and was sent with ${countOf(expected)}`
      : `${named(seen)}: ${field} is ${actual === undefined ? "missing" : isEmpty(actual) ? `${shown(actual)}, and was sent with a value` : "not what was sent"}`,
    { expected: shown(expected), actual }
  )
}

const countOf = ({ length }: ReadonlyArray<unknown>) => `${length} element${length === 1 ? "" : "s"}`

function kindOf(data: unknown): string {
  if (Array.isArray(data)) return `an array of ${countOf(data)}`
  if (data === undefined || data === null) return data === null ? "null" : "missing"
  return typeof data === "string" ? "a text" : `a ${typeof data}`
}

function unreadable(seen: Answered, { main, mustReturn }: ReadBackOptions): Judgement | undefined {
  const { httpStatus } = seen.response
  if (!offersNone.includes(httpStatus) || (httpStatus === 404 && mustReturn === true)) return undefined
  if (main !== true) return notReadBack(seen)
  return noneOf([
    {
      message: unreadableIn(seen),
      expected: "HTTP 200 with the object",
      actual: statusLine(seen),
      strength: "should",
      exchangeId: seen.exchange.id
    }
  ])
}
