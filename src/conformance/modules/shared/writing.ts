/** Judgement of what a receiver does with what is written to it. */
import { statusLine } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { stepOf } from "./waiting.ts"

/** The step was answered with HTTP 2xx and success; not_tested when it was not sent. */
export const taken = (evidence: Evidence, step: string): Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
  return noneOf(accepted(seen), statusLine(seen))
}
