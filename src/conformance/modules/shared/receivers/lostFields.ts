/**
 * Fields that a receiver does not return as they were sent, of a plain object. Its own check reports them: any other check judges what
 * it reads back without them, and is not judged where it is about one of them.
 */
import { dataOf, succeeded } from "../../../../findings/answers.ts"
import { isObject, type JsonObject, sameId } from "../../../../findings/json.ts"
import { isEmpty, objectDifferences } from "../../../../findings/objectDifferences.ts"
import { blocked, type Judgement, type Precondition } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { stepOf } from "../stepAnswers.ts"

/** Where a plain object is read back. */
export interface PlainRead {
  /** The check that reports what is not as it was sent. */
  readonly check: string
  /** `probe#step` of the GET. */
  readonly read: string
  readonly object: (evidence: Evidence) => JsonObject
  /** It says nothing about what is compared there. */
  readonly unless?: (evidence: Evidence) => boolean
}

/** The lost fields of an object, or of a part of it. */
export interface LostFields {
  /** Is that field lost, or what it is in? A JSON Pointer below the object. */
  readonly has: (pointer: string) => boolean
  /** Is the rule about one of them: that the object now is as `expected`, and that the fields `gone` are absent? */
  readonly hides: (expected: JsonObject, gone?: ReadonlyArray<string>) => boolean
  /** No judgement of a rule that is about one of them. */
  readonly judgement: Judgement
  /** The same of a part, such as `/evses/*`. */
  readonly below: (part: string) => LostFields
}

/** The answer of the plain GET, where it is that object by its id. */
function plainAnswer({ object, read }: PlainRead, evidence: Evidence) {
  const seen = stepOf(evidence, read)
  const data = seen === undefined || !succeeded(seen) ? undefined : dataOf(seen)
  if (seen === undefined || !isObject(data)) return undefined
  const sent = object(evidence)
  const id = "uid" in sent ? "uid" : "id"
  return sameId(sent[id], data[id]) ? { data, seen, sent } : undefined
}

/** Undefined: the object is not known by its id where it is read back, or each of its fields is as it was sent. */
export const lostFields = (plain: PlainRead, evidence: Evidence): LostFields | undefined => {
  const answer = plainAnswer(plain, evidence)
  const differences = answer && objectDifferences(answer.sent, answer.data, evidence.profile)
  if (answer === undefined || differences === undefined || differences.length === 0) return undefined
  const lost = differences.map(({ actual, pointer }) => ({
    pointer: anyPlace(pointer),
    isMissing: isEmpty(actual)
  }))
  const names = [...new Set(lost.map(({ pointer }) => pointer.slice(1).replaceAll("/", ".")))]
  const judgement = blocked({
    check: plain.check,
    exchangeId: answer.seen.exchange.id,
    what: `${names.join(", ")} of a plain object is not returned as it was sent`
  })
  const below = (part: string): LostFields => {
    const has = (pointer: string) => lost.some((one) => isWithin(`${part}${anyPlace(pointer)}`, one.pointer))
    return {
      has,
      hides: (expected, gone = []) => {
        const [changed = [], also = []] = [answer.sent, answer.data].map((whole) =>
          objectDifferences(expected, partOf(whole, part), evidence.profile).map(({ pointer }) => pointer)
        )
        const own = changed.filter((one) => also.includes(one) && !one.endsWith("/last_updated"))
        const subject =
          own.length > 0 || gone.length > 0 ? own : Object.keys(expected).map((name) => `/${name}`)
        return (
          subject.some(has) ||
          (gone.length > 0 &&
            gone.every((name) =>
              lost.some(({ isMissing, pointer }) => isMissing && pointer === `${part}/${name}`)
            ))
        )
      },
      judgement,
      below: (inner) => below(`${part}${inner}`)
    }
  }
  return below("")
}

/** Blocks what compares with a plain object that is not known by its id where it is read back, or not at all. */
export const readBackAtAll = (plain: PlainRead): Extract<Precondition, { readonly orWarned?: true }> => ({
  check: plain.check,
  orWarned: true,
  unless: (evidence) => plain.unless?.(evidence) === true || plainAnswer(plain, evidence) !== undefined
})

/** The same place in any element of a list. */
const anyPlace = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, "/*")

const isWithin = (pointer: string, of: string): boolean => pointer === of || pointer.startsWith(`${of}/`)

/** The first part of an object at a pointer in which `*` stands for any element. */
const partOf = (whole: JsonObject, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) => (Array.isArray(value) ? value[0] : isObject(value) ? value[name] : undefined),
      whole
    )
