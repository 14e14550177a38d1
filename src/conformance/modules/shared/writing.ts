/** Findings about what a receiver does with what is written to it: takes it, refuses it, or does not know it. */

import { envelope, named, statusLine, succeeded } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { stepOf } from "./waiting.ts"

/** HTTP 2xx with success: 201 is as good as 200 for what is new. */
export const taken = (evidence: Evidence, step: string): Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
  return noneOf(notTaken(seen), statusLine(seen))
}

/** Anything else than HTTP 2xx with success. */
export const notTaken = (seen: Answered): ReadonlyArray<Finding> => (succeeded(seen) ? [] : [refused(seen)])

/** That was answered, and not what is expected. */
export const answeredWith = (seen: Answered, expected: string): Finding => ({
  message: `${named(seen)} answered ${statusLine(seen)}`,
  expected,
  actual: statusLine(seen),
  exchangeId: seen.exchange.id
})

/** It was not taken. */
export const refused = (seen: Answered): Finding => answeredWith(seen, "HTTP 200 or 201, status_code 1000")

/** Success, or another code than 2001, for a body that is not valid. */
export const notInvalid = (seen: Answered): ReadonlyArray<Finding> => {
  const code = Number(envelope(seen)?.["status_code"])
  if (seen.response.httpStatus < 500 && code === 2001) return []
  const finding = answeredWith(seen, "status_code 2001")
  return [isClientError(seen) ? { ...finding, strength: "should" as const } : finding]
}

/** Success or a server error, where any refusal will do. */
export const notRejected = (
  seen: Answered,
  expected = "HTTP 404, or status_code 2xxx"
): ReadonlyArray<Finding> =>
  succeeded(seen) || seen.response.httpStatus >= 500 ? [answeredWith(seen, expected)] : []

const isClientError = (seen: Answered): boolean => {
  const code = Number(envelope(seen)?.["status_code"])
  return seen.response.httpStatus < 500 && code >= 2000 && code < 3000
}
