/** Judging a rule on each list that a partner serves. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { itemsOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { type Check, either, inconclusive, pass } from "../../model/Check.ts"
import { type Answered, type Evidence, type Gathered, isWithheld } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import { listsOf, perList } from "../shared/lists.ts"

/** OCPI document and section of pagination. */
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

type Judged = Pick<Check, "needs" | "judge">

/** Findings about one list, or why it was not judged. */
export type OfOneList = ReadonlyArray<Finding> | { readonly skip: string }

/** Why the probe brought nothing; undefined: it did. */
const reasonOf = (gathered: Gathered | undefined): { readonly skip: string } | undefined =>
  gathered !== undefined && isWithheld(gathered) ? { skip: gathered.reason } : undefined

/**
 * A rule about each list that the role serves, on these probes of it (`crawl` for `locations.crawl`). A list that gives no
 * ground to judge is skipped, with its reason.
 */
export const eachList = (
  suffixes: ReadonlyArray<string>,
  judge: (list: string, evidence: Evidence) => OfOneList
): Judged => ({
  needs: perList(...suffixes),
  judge: (evidence) => {
    const { profile, role } = scopeOf(evidence)
    const results = listsOf(profile, role).map((list) => ({ list, result: judge(list, evidence) }))
    const findings = results.flatMap(({ result }) => ("skip" in result ? [] : result))
    if (findings.length > 0) return { is: "fail", findings }
    const judged = results.filter(({ result }) => !("skip" in result))
    if (judged.length > 0) return pass(`judged on ${judged.map(({ list }) => list).join(", ")}`)
    const reasons = results.map(({ list, result }) => ("skip" in result ? ofList(list, result.skip) : list))
    return inconclusive("not_tested", reasons.join("; "))
  }
})

/** The reason, with the name of its list where it does not begin with it. */
const ofList = (list: string, reason: string) =>
  reason.startsWith(`${list}: `) ? reason : `${list}: ${reason}`

/** A rule about one page of each list: the answer to the first of the probes. What is no list, other checks judge. */
export const eachPage = (
  [suffix, ...others]: readonly [string, ...ReadonlyArray<string>],
  judge: (page: Answered, list: string, evidence: Evidence) => OfOneList
): Judged =>
  eachList([suffix, ...others], (list, evidence) => {
    const page = pageOf(evidence, `${list}.${suffix}`)
    return "skip" in page ? page : judge(page, list, evidence)
  })

/** A rule about each answer to the last of the probes of a list; the list is skipped where that one was withheld. */
export const eachAnswer = (
  suffixes: ReadonlyArray<string>,
  judge: (seen: Answered, list: string, evidence: Evidence) => ReadonlyArray<Finding>
): Judged =>
  eachList(suffixes, (list, evidence) => {
    const probe = `${list}.${suffixes.at(-1)}`
    return (
      reasonOf(evidence.gathered(probe)) ??
      evidence.answered(probe).flatMap((seen) => judge(seen, list, evidence))
    )
  })

/** The list has too few objects for the check. */
export const fewer = { skip: "fewer than two objects" } as const

/** The answer to a list probe, if it is a list; any other answer is a finding of other checks. */
export const pageOf = (evidence: Evidence, probe: string): Answered | { readonly skip: string } => {
  const [seen] = evidence.answered(probe)
  const page = seen !== undefined && itemsOf(seen) !== undefined ? seen : { skip: "the answer is no list" }
  return reasonOf(evidence.gathered(probe)) ?? page
}

/** The pages that a probe has read, or why there are none. */
export const pagesRead = (
  evidence: Evidence,
  probe: string
): ReadonlyArray<Answered> | { readonly skip: string } => {
  const pages = evidence.answered(probe)
  const isRead = pages.length > 0 && pages.every((page) => itemsOf(page) !== undefined)
  return reasonOf(evidence.gathered(probe)) ?? (isRead ? pages : { skip: "a page is no list" })
}
