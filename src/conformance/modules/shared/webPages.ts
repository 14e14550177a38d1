/** Pages and pictures on the web that the partner's data names: each is judged alone, by what came from there. */
import type { Finding } from "../../../findings/Flaw.ts"
import { shown } from "../../../findings/words.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import { type Answered, type Evidence, hasAnswer } from "../../model/Evidence.ts"

/**
 * Judges the pages that a probe has fetched. One that did not answer says nothing about the partner: its host may be a third
 * party's, or the network between us may be down.
 */
export const judgePages = (
  evidence: Evidence,
  probe: string,
  flawsOf: (seen: Answered) => ReadonlyArray<Finding>
): Judgement => {
  const findings = evidence.answered(probe).flatMap(flawsOf)
  const away = evidence.seen(probe).filter((seen) => !hasAnswer(seen))
  const [first, ...others] = away
  if (first === undefined || findings.length > 0) return noneOf(findings)
  const { fault, outcome, request } = first.exchange
  return inconclusive(
    "unobservable",
    `network or third host: ${shown(request.url)} did not answer us${others.length === 0 ? "" : `, nor did ${others.length} other URLs`}: ${fault?.message ?? outcome}`,
    "network"
  )
}
