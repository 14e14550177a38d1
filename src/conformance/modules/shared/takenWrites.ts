/** Judgement of what a receiver does with what is written to it. */
import { named, statusLine } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import { blocked, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { stepOf } from "./stepAnswers.ts"

/** The step was answered with HTTP 2xx and success; not_tested when it was not sent. */
export const taken = (evidence: Evidence, step: string): Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
  return noneOf(accepted(seen), statusLine(seen))
}

/** No judgement of what follows from that step, because what it sent was not accepted; undefined: it was. */
export const unlessTaken = (evidence: Evidence, step: string): Judgement | undefined => {
  const judgement = taken(evidence, step)
  const seen = stepOf(evidence, step)
  if (judgement.is !== "fail" || seen === undefined) return judgement.is === "pass" ? undefined : judgement
  return blocked({
    exchangeId: seen.exchange.id,
    what: `${named(seen)} was answered ${statusLine(seen)}`
  })
}
