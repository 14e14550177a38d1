/** Rulings that templates share. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { isServerErrorCode } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { limitedAnswer } from "../../findings/answers.ts"
import { type AnswerRule, allOf, http, ocpiStatusOf } from "../../findings/expectations.ts"
import type { Flaw } from "../../findings/Flaw.ts"
import { objectIn } from "../../findings/json.ts"
import { violations } from "../../findings/violations/violations.ts"
import type { Ruling } from "./JourneyTemplate.ts"
import { answerOf, exchangesOf, jsonOf, type RunHistory } from "./RunHistory.ts"

/** The answer of a stage came, over HTTP, with one of these statuses and OCPI success. */
export const answeredWith =
  (stageId: string, statuses: ReadonlyArray<number>) =>
  (history: RunHistory): Ruling => {
    const exchange = answerOf(history, stageId)
    return exchange === undefined ? { notTested: "Nothing was sent" } : notAnsweredWith(exchange, statuses)
  }

/** What is wrong with an answer that should have come with one of these statuses and OCPI success. */
export const notAnsweredWith = (exchange: Exchange, statuses: ReadonlyArray<number>): Flaw | undefined =>
  notAnswered(exchange, http(...statuses), ocpiStatusOf(1))

/** What is wrong with the answer by these rules: the first finding, or that no answer came. */
export function notAnswered(exchange: Exchange, ...rules: ReadonlyArray<AnswerRule>): Flaw | undefined {
  const { response } = exchange
  if (response === null)
    return { message: silence(exchange), expected: "an HTTP answer", actual: exchange.outcome }
  // The status code was recorded with the answer: it is known where the body was cut, too.
  const json = { ...objectIn(jsonOf(response)), status_code: response.ocpiStatusCode ?? undefined }
  const [found] = allOf(...rules)({ exchange, response, json, about: "" })
  if (found === undefined) return undefined
  const { exchangeId: _, ...flaw } = found
  return flaw
}

/**
 * The request of the stage to which the partner answered that it gets too many, in words; undefined: none. It was not looked at, so
 * that nothing can be said of what it asked for.
 */
export function limitedIn(history: RunHistory, stageId: string): string | undefined {
  const limited = exchangesOf(history, stageId).find(
    ({ direction, response }) => direction === "outbound" && response?.httpStatus === 429
  )
  return limited === undefined
    ? undefined
    : `${limited.request.method} ${limited.module} ${limitedAnswer(limited)}`
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
export function silence(exchange: Exchange): string {
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
export function misfit(profile: VersionProfile, name: ObjectName, value: unknown): Flaw | undefined {
  const schema = profile.objects[name]
  return schema === undefined ? undefined : violations(schema, value)[0]
}

/** Two numbers that mean the same amount: equal to four decimals, relative to their size. */
export const sameAmount = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a), Math.abs(b))
