/** Judging a rule on each list that a partner serves. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, itemsOf, succeeded } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { objectIn } from "../../../findings/json.ts"
import { blocked, type Check, either, inconclusive, pass } from "../../model/Check.ts"
import { type Answered, type Evidence, type Gathered, isWithheld } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import { noList } from "../../model/unreadList.ts"
import { isWhole, listsOf, pagesOf, perList, refusedFilter } from "../shared/lists.ts"
import { blockedByNewIds } from "../shared/readings/newIds.ts"

/** OCPI document and section of pagination. */
export const pagingReference = "transport_and_format, Pagination"

/** OCPI documents and sections of date_from and date_to: the Request Parameters of GET, in the document of each module with a list. */
export const windowReference = [
  pagingReference,
  ...["locations", "sessions", "cdrs", "tariffs", "tokens"].map((module) => `mod_${module}, GET Method`)
].join("; ")

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

/** Why a list was not judged; `by`: the check that reports what is missing for it. */
export interface Skipped {
  readonly skip: string
  readonly by?: string
  /** The check is not judged at all then, whatever the other lists show: what was left may break its rule. */
  readonly leavesOpen?: true
  /** The rule is not for this partner, or it takes objects that somebody has to add; default: the partner's answers show too little. */
  readonly outcome?: "not_applicable" | "unobservable"
}

/** Findings about one list, or why it was not judged. */
export type OfOneList = ReadonlyArray<Finding> | Skipped

type JudgeList = (list: string, evidence: Evidence) => OfOneList

/** Not judged where the objects of the list have other ids at each reading, which is the finding of another check. */
export const byIds =
  (judge: JudgeList): JudgeList =>
  (list, evidence) => {
    const by = blockedByNewIds(evidence, list)
    return by?.check === undefined ? judge(list, evidence) : { skip: by.what, by: by.check }
  }

/** The list has no objects. */
const none: Skipped = { skip: "the list is empty: add an object, then run again", outcome: "unobservable" }

/**
 * As `judge`, for a rule that any answer without objects keeps: of a list that has none, such an answer to that probe shows nothing.
 * A refusal, and what breaks the rule all the same, count.
 */
export const ofObjects =
  (suffix: string, judge: JudgeList): JudgeList =>
  (list, evidence) => {
    const result = judge(list, evidence)
    const [first] = evidence.answered(`${list}.list`)
    const isEmpty = first !== undefined && itemsOf(first)?.length === 0
    const isKept = !("skip" in result) && result.length === 0
    return isKept && isEmpty && evidence.answered(`${list}.${suffix}`).every(succeeded) ? none : result
  }

/** The list itself could not be read: all that is asked of its pages is blocked by that. */
const noPage = (list: string, evidence: Evidence): Skipped | undefined => {
  const by = noList(list, evidence.answered(`${list}.list`)[0])
  return by === undefined ? undefined : { skip: by.what, ...(by.check === undefined ? {} : { by: by.check }) }
}

/** Why the probe brought nothing; undefined: it did. */
const reasonOf = (gathered: Gathered | undefined): Skipped | undefined => {
  if (gathered === undefined || !isWithheld(gathered)) return undefined
  const by = gathered.blockedBy?.check
  return { skip: gathered.reason, ...(by === undefined ? {} : { by }) }
}

/**
 * A rule about each list that the role serves, on these probes of it (`crawl` for `locations.crawl`). A list that gives no
 * ground to judge is skipped, with its reason.
 */
export const eachList = (suffixes: ReadonlyArray<string>, judge: JudgeList): Judged => ({
  needs: perList(...suffixes),
  judge: (evidence) => {
    const { profile, role } = scopeOf(evidence)
    const results = listsOf(profile, role).map((list) => ({
      list,
      result: noPage(list, evidence) ?? judge(list, evidence)
    }))
    const findings = results.flatMap(({ result }) => ("skip" in result ? [] : result))
    if (findings.length > 0) return { is: "fail", findings }
    const judged = results.filter(({ result }) => !("skip" in result))
    const skipped = results.flatMap(({ list, result }) => ("skip" in result ? [{ list, ...result }] : []))
    const open = skipped.filter(({ leavesOpen }) => leavesOpen)
    const inWords = (lists: typeof skipped) => lists.map(({ list, skip }) => ofList(list, skip)).join("; ")
    if (open.length > 0) return inconclusive("unobservable", inWords(open), "ours")
    if (judged.length > 0) return pass(`judged on ${judged.map(({ list }) => list).join(", ")}`)
    const reason = inWords(skipped)
    const check = skipped.find(({ by }) => by !== undefined)?.by
    if (check !== undefined) return blocked({ check, what: reason })
    const outcomes = skipped.map(({ list, outcome }) => outcome ?? outcomeOf(list, evidence))
    const outcome = outcomes.every((one) => one === outcomes[0])
      ? outcomes[0]
      : outcomes.find((one) => one === "unobservable")
    return inconclusive(outcome ?? "not_tested", reason)
  }
})

/** A list without two objects that changed at different times shows nothing of pages and filters: that is for want of objects. */
const outcomeOf = (list: string, evidence: Evidence): "unobservable" | undefined => {
  const pages = pagesOf(evidence, list)
  const instants = pages
    .flatMap((page) => itemsOf(page) ?? [])
    .map((item) => dateTimeMillis(objectIn(item)["last_updated"]))
  return isWhole(pages) && new Set(instants).size < 2 ? "unobservable" : undefined
}

/** The reason, with the name of its list where it does not begin with it. */
const ofList = (list: string, reason: string) =>
  reason.startsWith(`${list}: `) ? reason : `${list}: ${reason}`

type JudgePage = (page: Answered, list: string, evidence: Evidence) => OfOneList

/** Judges the page that the probe of a list brought. What is no list, other checks judge. */
const onPage =
  (suffix: string, judge: JudgePage): JudgeList =>
  (list, evidence) => {
    const page = pageOf(evidence, `${list}.${suffix}`)
    return "skip" in page ? page : judge(page, list, evidence)
  }

/** A rule about one page of each list: the answer to the first of the probes. */
export const eachPage = (
  [suffix, ...others]: readonly [string, ...ReadonlyArray<string>],
  judge: JudgePage
): Judged => eachList([suffix, ...others], onPage(suffix, judge))

/** As `eachPage`, for a rule that a page without objects keeps: see `ofObjects`. */
export const eachFilledPage = (suffix: string, judge: JudgePage): Judged =>
  eachList(["list", suffix], ofObjects(suffix, onPage(suffix, judge)))

type JudgeAnswer = (seen: Answered, list: string, evidence: Evidence) => ReadonlyArray<Finding>

/** Judges each answer to that probe of a list; the list is skipped where it was withheld. */
export const onAnswers =
  (suffix: string, judge: JudgeAnswer): JudgeList =>
  (list, evidence) => {
    const probe = `${list}.${suffix}`
    const answers = evidence.answered(probe)
    const reason = reasonOf(evidence.gathered(probe))
    if (reason !== undefined) return reason
    return answers.length === 0
      ? { skip: "nothing was asked" }
      : answers.flatMap((seen) => judge(seen, list, evidence))
  }

/** A rule about each answer to that probe of a list, which an answer without objects keeps: see `ofObjects`. */
export const eachFilledAnswer = (suffix: string, judge: JudgeAnswer): Judged =>
  eachList(["list", suffix], ofObjects(suffix, onAnswers(suffix, judge)))

/** A rule about each answer to the last of the probes of a list. */
export const eachAnswer = (suffixes: ReadonlyArray<string>, judge: JudgeAnswer): Judged =>
  eachList(suffixes, onAnswers(suffixes.at(-1) ?? "", judge))

/** The objects of a page; null, or no data at all, in place of an empty list is a finding of TRANS-015. */
export const listedIn = (page: Answered): ReadonlyArray<unknown> | undefined =>
  itemsOf(page) ?? (succeeded(page) && (dataOf(page) ?? null) === null ? [] : undefined)

/** What a list does not say, and the check that reports it. */
export const noTotal: Skipped = { skip: "the total is not known", by: "PAGE-001" }
/** As `noTotal`. */
export const noLimit: Skipped = { skip: "there is no X-Limit", by: "PAGE-002" }

/** The list has too few objects for the check. */
export const fewer = {
  skip: "fewer than two objects: add some, then run again",
  outcome: "unobservable"
} as const

/** The answer to a list probe, if it is a list; any other answer is a finding of other checks. */
export const pageOf = (evidence: Evidence, probe: string): Answered | Skipped => {
  const [seen] = evidence.answered(probe)
  const page = seen !== undefined && itemsOf(seen) !== undefined ? seen : { skip: "the answer is no list" }
  return reasonOf(evidence.gathered(probe)) ?? page
}

/** The pages that a probe has read, or why there are none. */
export const pagesRead = (evidence: Evidence, probe: string): ReadonlyArray<Answered> | Skipped => {
  const pages = evidence.answered(probe)
  const [first] = pages
  if (pages.length > 0 && pages.every((page) => itemsOf(page) !== undefined)) return pages
  const isRefused = first !== undefined && refusedFilter(evidence, first.exchange.module) !== undefined
  return (
    reasonOf(evidence.gathered(probe)) ??
    (isRefused ? { skip: "date_from is refused", by: "PAGE-023" } : { skip: "a page is no list" })
  )
}
