/** Judging a rule on each list that a partner serves. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { itemsOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { either, inconclusive, type Judgement, pass, type SuiteScope } from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld } from "../../model/Evidence.ts"
import { listsOf } from "../shared/lists.ts"

export const pagingReference = "transport_and_format, Pagination"

/** What the checks of paging have in common. */
export const pagingBase = {
  module: "paging",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  strength: "must",
  reference: pagingReference,
  partial: true
} as const

/** Those probes of every list of the role. */
export const needing =
  (...suffixes: ReadonlyArray<string>) =>
  ({ profile, role }: SuiteScope) =>
    listsOf(profile, role).flatMap((list) => suffixes.map((suffix) => `${list}.${suffix}`))

/** Findings about one list, or why it was not judged. */
export type OfOneList = ReadonlyArray<Finding> | { readonly skip: string }

/** Judges each list that could be read; a list that gives no ground to judge is skipped, with its reason. */
export const eachList =
  (judge: (list: string, evidence: Evidence) => OfOneList) =>
  (evidence: Evidence): Judgement => {
    const lists = listsOf(evidence.profile, evidence.party.counterpart.role)
    const results = lists.map((list) => ({ list, result: judge(list, evidence) }))
    const findings = results.flatMap(({ result }) => ("skip" in result ? [] : result))
    if (findings.length > 0) return { is: "fail", findings }
    const judged = results.filter(({ result }) => !("skip" in result))
    if (judged.length > 0) return pass(`judged on ${judged.map(({ list }) => list).join(", ")}`)
    const reasons = results.map(({ list, result }) => ("skip" in result ? `${list}: ${result.skip}` : list))
    return inconclusive("not_tested", reasons.join("; "))
  }

/** Nothing to tell apart. */
export const fewer = { skip: "fewer than two objects" } as const

/** The answer to a list probe when it is a list at all; what else it is, other checks tell. */
export const pageOf = (evidence: Evidence, probe: string): Answered | { readonly skip: string } => {
  const gathered = evidence.gathered(probe)
  if (gathered !== undefined && isWithheld(gathered)) return { skip: gathered.reason }
  const [seen] = evidence.answered(probe)
  return seen !== undefined && itemsOf(seen) !== undefined ? seen : { skip: "the answer is no list" }
}
