/** Rulings that templates share. */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Flaw } from "../../findings/Flaw.ts"
import { violations } from "../../findings/violations.ts"
import type { Ruling } from "./JourneyTemplate.ts"
import { answerOf, type RunHistory } from "./RunHistory.ts"

/** The answer of a stage came, over HTTP, with one of these statuses and OCPI success. */
export const answeredWith =
  (stageId: string, statuses: ReadonlyArray<number>) =>
  (history: RunHistory): Ruling => {
    const exchange = answerOf(history, stageId)
    return exchange === undefined ? { notTested: "Nothing was sent" } : notAnsweredWith(exchange, statuses)
  }

/** What is wrong with an answer that should have come with one of these statuses and OCPI success. */
export function notAnsweredWith(exchange: Exchange, statuses: ReadonlyArray<number>): Flaw | undefined {
  const expected = `HTTP ${statuses.join(" or ")} and an OCPI status code of 1xxx`
  const { response } = exchange
  if (response === null) return { message: silence(exchange), expected, actual: exchange.outcome }
  const code = response.ocpiStatusCode
  const actual = `HTTP ${response.httpStatus} and ${code === null ? "no OCPI envelope" : `OCPI status code ${code}`}`
  return statuses.includes(response.httpStatus) && code !== null && code >= 1000 && code < 2000
    ? undefined
    : { message: `The request was answered with ${actual}`, pointer: "/status_code", expected, actual }
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
