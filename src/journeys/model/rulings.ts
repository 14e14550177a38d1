/** Rulings that templates share. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { isServerErrorCode } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { limitedAnswer, undelivered } from "../../findings/answers.ts"
import { type AnswerRule, allOf, http, ocpiStatusOf } from "../../findings/expectations.ts"
import type { Flaw } from "../../findings/Flaw.ts"
import { isObject, objectIn } from "../../findings/json.ts"
import { violations } from "../../findings/violations/violations.ts"
import type { RuleFlaw, Ruling } from "./JourneyTemplate.ts"
import { answerOf, exchangesOf, jsonOf, type RunHistory } from "./RunHistory.ts"

/** The answer of a stage came, over HTTP, with one of these statuses and OCPI success. */
export const answeredWith =
  (stageId: string, statuses: ReadonlyArray<number>) =>
  (history: RunHistory): Ruling => {
    const exchange = answerOf(history, stageId)
    return exchange === undefined ? { notTested: "Nothing was sent" } : notAnsweredWith(exchange, statuses)
  }

/**
 * Each page that a stage has read came with HTTP 200 and OCPI success, and its data are a list; `isOfOne`: the stage has read one
 * object by its id, and data are that object.
 */
export const answeredWithList =
  (stageId: string, isOfOne: (history: RunHistory) => boolean = () => false) =>
  (history: RunHistory): Ruling => {
    const ruling = answeredWith(stageId, [200])(history)
    if (ruling !== undefined) return ruling
    const isObjectDue = isOfOne(history)
    const isDue = isObjectDue ? isObject : Array.isArray
    // Of a body that was cut nothing can be said: the stage's other rules are not judged by it either.
    const odd = exchangesOf(history, stageId).find(
      ({ response }) => response?.truncated === false && !isDue(objectIn(jsonOf(response))["data"])
    )
    return odd === undefined
      ? undefined
      : {
          message: `data of the answer is not ${isObjectDue ? "an object" : "a list"}`,
          pointer: "/data",
          expected: isObjectDue
            ? "the object that was asked for"
            : "an array of objects, which is empty where there are none",
          actual: kindOf(objectIn(jsonOf(odd.response))["data"])
        }
  }

const kindOf = (data: unknown): string =>
  data === undefined
    ? "no data"
    : data === null
      ? "null"
      : `a JSON ${Array.isArray(data) ? "array" : typeof data}`

/** What is wrong with an answer that should have come with one of these statuses and OCPI success. */
export const notAnsweredWith = (exchange: Exchange, statuses: ReadonlyArray<number>): Flaw | undefined =>
  notAnswered(exchange, http(...statuses), ocpiStatusOf(1))

/** What is wrong with the answer by these rules: the first finding, or that no answer came. */
export function notAnswered(exchange: Exchange, ...rules: ReadonlyArray<AnswerRule>): Flaw | undefined {
  const { response } = exchange
  if (response === null)
    return { message: noAnswerReason(exchange), expected: "an HTTP answer", actual: exchange.outcome }
  // The status code was recorded with the answer: it is known where the body was cut, too.
  const json = { ...objectIn(jsonOf(response)), status_code: response.ocpiStatusCode ?? undefined }
  const [found] = allOf(...rules)({ exchange, response, json, about: "" })
  if (found === undefined) return undefined
  const { exchangeId: _, ...flaw } = found
  return flaw
}

/** Why the partner has not looked at a request, in words, and whose act that is. */
interface NotLookedAt {
  readonly reason: string
  readonly attribution?: "network"
}

/**
 * The request of the stage that the partner has not looked at, so that nothing can be said of what it asked for: it got too many, or
 * the last one did not reach it. undefined: none.
 */
export function notLookedAtIn(history: RunHistory, stageId: string): NotLookedAt | undefined {
  const asked = exchangesOf(history, stageId).filter(({ direction }) => direction === "outbound")
  const named = (exchange: Exchange) => `${exchange.request.method} ${exchange.module}`
  const limited = asked.find(({ response }) => response?.httpStatus === 429)
  if (limited !== undefined) return { reason: `${named(limited)} ${limitedAnswer(limited)}` }
  const last = asked.at(-1)
  const why = last === undefined ? undefined : undelivered(last)
  return last === undefined || why === undefined
    ? undefined
    : { reason: `${named(last)} ${why}`, attribution: "network" }
}

/** The answer reports an error of the partner's own (HTTP 5xx, status_code 3xxx), which says nothing of what was asked. */
export function ownError({ response }: Exchange, expected: string): Flaw | undefined {
  if (response === null) return undefined
  const { httpStatus, ocpiStatusCode: code } = response
  if (httpStatus < 500 && (code === null || !isServerErrorCode(code))) return undefined
  return {
    message: "The partner answered with an error of its own",
    expected,
    actual: `HTTP ${httpStatus}${code === null ? "" : `, status_code ${code}`}`
  }
}

/** Why there is no answer, in words. */
export function noAnswerReason(exchange: Exchange): string {
  const why = exchange.fault?.message
  const words: Record<Exchange["outcome"], string> = {
    completed: "The partner answered",
    refused: "No connection could be made",
    timed_out: "No answer came in time",
    reset: "The connection broke before the answer was complete",
    blocked: "We did not let the request out",
    unknown: "The answer was lost"
  }
  return why === undefined ? words[exchange.outcome] : `${words[exchange.outcome]}: ${why}`
}

/** Does the value have the shape that the version gives this object? undefined also where the version brings no schema. */
export function misfit(profile: VersionProfile, name: ObjectName, value: unknown): RuleFlaw | undefined {
  const schema = profile.objects[name]
  const [first] = schema === undefined ? [] : violations(schema, value)
  return (
    first && {
      hint: `Compare the ${name} with its object in OCPI ${profile.version}, field by field.`,
      ...first
    }
  )
}

/** Has this rule of an earlier stage found something? */
export const wasFound = ({ events }: RunHistory, ruleId: string): boolean =>
  events
    .flatMap(({ assertions }) => assertions)
    .some(
      ({ id, outcome }) =>
        (id === ruleId || id.endsWith(`.${ruleId}`)) && (outcome === "failed" || outcome === "warned")
    )

/** Two numbers that mean the same amount: equal to four decimals, relative to their size. */
export const sameAmount = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a), Math.abs(b))
