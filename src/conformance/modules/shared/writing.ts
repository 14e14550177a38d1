/** Judgements of what a receiver does with what is written to it: accepts it, refuses it, or does not know it. */
import { codeOf, isClientError, isServerError, statusLine, succeeded } from "../../../findings/answers.ts"
import { type AnswerRule, accepted, answer } from "../../../findings/expectations.ts"
import { unexpected, unless } from "../../../findings/finding.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { stepOf } from "./waiting.ts"

/** The step was answered with HTTP 2xx and success; not_tested when it was not sent. */
export const taken = (evidence: Evidence, step: string): Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
  return noneOf(accepted(seen), statusLine(seen))
}

/** A body that is not valid is refused with status_code 2001; another client error breaks no more than a `should`. */
export const refusedAsInvalid: AnswerRule = (seen) =>
  unless(!isServerError(seen) && Number(codeOf(seen)) === 2001, () =>
    unexpected(seen, "status_code 2001", isClientError(seen) ? { strength: "should" } : {})
  )

/** Refused in whatever way, but not by a server error. */
export const rejectedAnyhow = (expected = "HTTP 404, or status_code 2xxx"): AnswerRule =>
  answer(expected, (seen) => !succeeded(seen) && !isServerError(seen))
