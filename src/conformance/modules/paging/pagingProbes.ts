/** Probes of a list's pages and filters: crawls with other limits, single offsets, windows, and values that are none. */

import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { count, itemsOf } from "../../../findings/answers.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { asAnswered, type Evidence, isWithheld, type NotGathered } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld, withheldBy } from "../../model/Probe.ts"
import { listProbes } from "../shared/listProbes.ts"
import { firstPage, lastReading, linked, pagesOf, readAgain } from "../shared/lists.ts"
import { fewer } from "./eachList.ts"

type Query = Readonly<Record<string, string>>

/** Most pages of a crawl that is compared with another one; fewer where the list itself did not end. */
export const comparedPages = 20
const pagesOfEndless = 5
/** `limit` of the crawls that are compared with the first one. */
export const comparedLimits = ["1", "7"] as const

/** An object of a list with its instant. */
export interface Dated {
  readonly json: JsonObject
  readonly millis: number
  /** `last_updated` as the partner wrote it. */
  readonly text: string
}

/** What was read of a list and has not changed since the run began, oldest first. */
export const datedOf = (evidence: Evidence, module: string): ReadonlyArray<Dated> =>
  evidence.once(`${module}.dated`, () =>
    pagesOf(evidence, module)
      .flatMap((page) => itemsOf(page) ?? [])
      .flatMap((json) => {
        const text = isObject(json) ? json["last_updated"] : undefined
        const millis = dateTimeMillis(text)
        return isObject(json) && typeof text === "string" && millis !== undefined
          ? [{ json, text, millis }]
          : []
      })
      .filter(({ millis }) => millis < Date.parse(evidence.startedAt))
      .toSorted((a, b) => a.millis - b.millis)
  )

/** The middle object in time; undefined when there are not two different instants. */
export const middleOf = (evidence: Evidence, module: string): Dated | undefined => {
  const dated = datedOf(evidence, module)
  const middle = dated[Math.floor(dated.length / 2)]
  return middle === undefined || middle.millis === dated[0]?.millis ? undefined : middle
}

/** Why a list shows nothing of filters. */
export const noMiddle =
  "fewer than two objects with different last_updated: add or change some, then run again"

/** Nothing to ask for: the first page of the list has no total. */
const noTotal = (module: string) =>
  withheldBy({ check: "PAGE-001", what: `${module}: the total is not known` })

/** A total that the first page tells. */
const toldTotal = (evidence: Evidence, module: string): number | undefined => {
  const [page] = evidence.answered(`${module}.list`)
  return page === undefined ? undefined : count(page, "x-total-count")
}

const about = (query: Query) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")

const asking = (module: string, evidence: Evidence, query: Query): ProbeRequest => ({
  ...firstPage(module, evidence, query),
  about: about(query)
})

/**
 * Reads the list once more, as far as it was read at first, when everything else that is asked of it was answered: what
 * is different then has moved meanwhile.
 */
const lastly = (module: string, others: ReadonlyArray<Probe>): Probe =>
  readAgain(module, `${module}.${lastReading}`, {
    after: [`${module}.list`, `${module}.crawl`],
    behind: [...listProbes(module), ...others].map(({ id }) => id),
    operation: "list",
    most: (evidence) => Math.max(comparedPages, pagesOf(evidence, module).length)
  })

/** Follows the links of a list from a first request with another query. */
const crawl = (module: string, suffix: string, query: (evidence: Evidence) => Query | undefined): Probe => ({
  id: `${module}.${suffix}`,
  after: [`${module}.list`, `${module}.crawl`],
  asks: (evidence) => {
    const wanted = query(evidence)
    return wanted === undefined
      ? withheld("not_tested", `${module}: ${noMiddle}`)
      : [asking(module, evidence, wanted)]
  },
  next: (seen, evidence) => {
    const whole = evidence.gathered(`${module}.crawl`)
    const isEndless = whole !== undefined && !isWithheld(whole) && whole.stopped !== undefined
    if (seen.length >= (isEndless ? pagesOfEndless : comparedPages)) return undefined
    return linked(module, seen.flatMap(asAnswered).at(-1))
  }
})

/** Single requests, each with its query. */
const single = (
  module: string,
  suffix: string,
  queries: (evidence: Evidence) => ReadonlyArray<Query> | NotGathered | string,
  more: Pick<ProbeRequest, "wrongOnPurpose"> = {}
): Probe => ({
  id: `${module}.${suffix}`,
  after: [`${module}.list`, `${module}.crawl`],
  asks: (evidence) => {
    const wanted = queries(evidence)
    if (typeof wanted === "string") return withheld("not_tested", `${module}: ${wanted}`)
    return "withheld" in wanted
      ? wanted
      : wanted.map((query) => ({ ...asking(module, evidence, query), ...more }))
  }
})

/** Offsets at which single objects are asked for: the first, the second and the last one. */
const offsetsOf = (total: number) => [...new Set([0, 1, total - 1])].filter((at) => at >= 0 && at < total)

/** An offset that is taken for a number of pages begins elsewhere: with limit=1 the two are the same. */
const amidPage = { offset: "1", limit: "2" } as const

/** The three windows that must fit together: before the middle, from it on, and both. */
export const windowNames = ["window.before", "window.after", "window.both"] as const

function windowOf(evidence: Evidence, module: string, name: (typeof windowNames)[number]): Query | undefined {
  const dated = datedOf(evidence, module)
  const [first, last] = [dated[0], dated.at(-1)]
  const middle = middleOf(evidence, module)
  if (first === undefined || last === undefined || middle === undefined) return undefined
  const end = dateTimeOf(last.millis + 1000)
  if (name === "window.before") return { date_from: first.text, date_to: middle.text }
  return { date_from: name === "window.after" ? middle.text : first.text, date_to: end }
}

/** Values that are not valid for offset and limit, and texts that are no DateTime. */
const notNumbers: ReadonlyArray<Query> = [
  { offset: "-1" },
  { limit: "-1" },
  { limit: "abc" },
  { offset: "1.5" }
]
const notInstants: ReadonlyArray<Query> = [{ date_from: "yesterday" }, { date_from: "2024-13-45T99:00:00Z" }]

/**
 * Crawls of a list with other limits, pages at offsets, windows of date_from and date_to, and values that are not valid; and
 * the list once more at last.
 */
export const pagingProbes = (module: string): ReadonlyArray<Probe> => {
  const others = filteringProbes(module)
  return [...others, lastly(module, others)]
}

const filteringProbes = (module: string): ReadonlyArray<Probe> => [
  ...comparedLimits.map((limit) => crawl(module, `by${limit}`, () => ({ limit }))),
  single(module, "offsets", (evidence) => {
    const total = toldTotal(evidence, module)
    if (total === undefined) return noTotal(module)
    if (total === 0) return "the list is empty"
    const alone = offsetsOf(total).map((at) => ({ offset: `${at}`, limit: "1" }))
    return total < 2 ? alone : [...alone, amidPage]
  }),
  single(module, "tail", (evidence) => {
    const total = toldTotal(evidence, module)
    return total === undefined || total < 2 ? fewer.skip : [{ offset: `${total - 1}` }]
  }),
  single(module, "beyond", (evidence) => {
    const total = toldTotal(evidence, module)
    return total === undefined ? noTotal(module) : [{ offset: `${total + 10}` }]
  }),
  single(module, "huge", () => [{ limit: "1000000" }]),
  single(module, "limit0", () => [{ limit: "0" }]),
  single(module, "not-numbers", () => notNumbers, { wrongOnPurpose: { query: "no number" } }),
  single(module, "not-instants", () => notInstants, { wrongOnPurpose: { query: "no DateTime" } }),
  crawl(module, "from-middle", (evidence) => {
    const middle = middleOf(evidence, module)
    return middle === undefined ? undefined : { date_from: middle.text }
  }),
  crawl(module, "to-middle", (evidence) => {
    const middle = middleOf(evidence, module)
    return middle === undefined ? undefined : { date_to: middle.text }
  }),
  ...windowNames.map((name) => crawl(module, name, (evidence) => windowOf(evidence, module, name))),
  single(module, "reversed", (evidence) => {
    const dated = datedOf(evidence, module)
    const [first, last] = [dated[0], dated.at(-1)]
    return first === undefined || last === undefined || first.millis === last.millis
      ? noMiddle
      : [{ date_from: last.text, date_to: first.text }]
  })
]
