/** Checks of whole crawls: each ends, is complete, repeats no object and keeps its filter. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { count, header, itemsOf, named, nextOf, statusLine } from "../../../findings/answers.ts"
import { at, finding, repeated, unless, when } from "../../../findings/finding.ts"
import { isObject, objectIn, textIn } from "../../../findings/json.ts"
import type { Check } from "../../model/Check.ts"
import { type Answered, isWithheld } from "../../model/Evidence.ts"
import { lastReading, pagesOf, perList, totalOf, wholeLists } from "../shared/lists.ts"
import { eachList, eachPage, fewer, noTotal, pageOf, pagingBase, pagingReference } from "./eachList.ts"
import { despiteMovers, identity, isExplained, moversOf, moving } from "./movement.ts"
import { otherTotals } from "./pageLimits.ts"
import { comparedLimits } from "./pagingProbes.ts"
import { wrongOffsets } from "./places.ts"

const isNamed = (item: unknown): boolean =>
  isObject(item) && (textIn(item["id"]) ?? textIn(item["uid"])) !== undefined

const idFieldOf = (item: unknown): "id" | "uid" => (objectIn(item)["id"] === undefined ? "uid" : "id")

const numbered = (pages: ReadonlyArray<Answered>) =>
  pages.flatMap((seen) => (itemsOf(seen) ?? []).map((item, index) => ({ seen, item, index })))

/** Ends of the ids of probes that read a list with other limits, and of those that ask for single pages of it by their offset. */
const limited = comparedLimits.map((limit) => `by${limit}`)
const single = ["offsets", "tail"]

/** The first page with which so many objects are read. */
const completing = (pages: ReadonlyArray<Answered>, total: number): Answered | undefined => {
  let read = 0
  return pages.find((page) => {
    read += itemsOf(page)?.length ?? 0
    return read >= total
  })
}

const queryOf = ({ exchange }: Answered) => new URL(exchange.request.url).searchParams

/** The number of the last object of the page, counted from 1, by the offset of its request; undefined when it has none. */
const endsAt = (page: Answered): number | undefined => {
  const { length } = itemsOf(page) ?? []
  return length === 0 || length === undefined ? undefined : Number(queryOf(page).get("offset") ?? 0) + length
}

/** Offset and limit of the request, for a reader; empty where it had none. */
const shownQuery = (page: Answered): string => {
  const asked = ["offset", "limit"].flatMap((name) => {
    const value = queryOf(page).get(name)
    return value === null ? [] : [`${name}=${value}`]
  })
  return asked.length === 0 ? "" : ` (${asked.join(", ")})`
}

/** A Link is due on every page but the last one; that there is none on that page is nowhere said. */
const linkAfterAll: Ambiguity = {
  readings: [
    "only a page that is not the last one has a Link: by its absence a client knows that it has read all",
    "the last page may have a Link, which leads to an empty page"
  ],
  section: pagingReference
}

/**
 * Judge whole crawls of each list: end, completeness, repetitions and filters in the links (transport_and_format,
 * Pagination).
 */
export const crawlingChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-005",
    title: "Pagination: the last page has no Link to a next one",
    strength: "should",
    ambiguous: linkAfterAll,
    sends: "GET each list page by page, with other limits, and with the offset of its last object",
    passes: 'a page that completes the total has no rel="next"',
    hint: "Leave the Link header out on a page with the last object, also where offset and limit end exactly with it.",
    // Only where other checks read the list with limits and offsets.
    ifGathered: perList(...limited, ...single),
    ...eachList(["list", "crawl", lastReading], (list, evidence) => {
      const total = totalOf(evidence, list)
      if (total === undefined) return noTotal
      const crawls = ["crawl", ...limited].flatMap((suffix) => {
        const pages = suffix === "crawl" ? pagesOf(evidence, list) : evidence.answered(`${list}.${suffix}`)
        const last = completing(pages, total)
        return last === undefined ? [] : [{ last, after: pages[pages.indexOf(last) + 1] }]
      })
      if (crawls.length === 0) return { skip: "the last page was not reached" }
      if (crawls.some(({ after }) => after !== undefined && (itemsOf(after)?.length ?? 0) > 0))
        return {
          skip: "the next page has objects, so that X-Total-Count is not their number",
          by: "PAGE-008"
        }
      const read = numbered(pagesOf(evidence, list)).length
      const parts = read !== total ? [] : single.flatMap((suffix) => evidence.answered(`${list}.${suffix}`))
      const linked = [...crawls.map(({ last }) => last), ...parts.filter((page) => endsAt(page) === total)]
        .filter((page, index, all) => all.indexOf(page) === index)
        .filter((page) => nextOf(page) !== undefined)
      const movers = moversOf(evidence, list)
      if (linked.length > 0 && movers.size > 0) return moving(list, movers)
      return linked.map((page) =>
        finding(
          page,
          `${named(page)}${shownQuery(page)}: the page has the last of ${total} objects, and there is still a next page`,
          { expected: 'no rel="next" on the last page', actual: header(page, "link") ?? "" }
        )
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-007",
    consequenceOf: ["PAGE-013", "PAGE-006"],
    title: "Pagination: the Link keeps the filter of the request",
    strength: "should",
    sends:
      "GET each list with limit=1 and date_from amid its objects, and date_to where two are left then, then the next link",
    passes:
      "objects of the next page are not older than date_from, nor newer than date_to, and the total stays the same",
    hint: "Repeat date_from and date_to of the request in the URL of the Link header.",
    ...eachList(["list", "crawl", "filtered", "filtered.next", lastReading], (list, evidence) => {
      const page = pageOf(evidence, `${list}.filtered`)
      const next = pageOf(evidence, `${list}.filtered.next`)
      if ("skip" in page) return page
      if ("skip" in next) return next
      const filter = new URL(page.exchange.request.url).searchParams
      const [from, to] = [filter.get("date_from"), filter.get("date_to")]
      const oldest = dateTimeMillis(from) ?? Number.NEGATIVE_INFINITY
      const newest = dateTimeMillis(to) ?? Number.POSITIVE_INFINITY
      const [before, after] = [count(page, "x-total-count"), count(next, "x-total-count")]
      const stampIn = (item: unknown) => (isObject(item) ? item["last_updated"] : undefined)
      const isOlder = (item: unknown) => (dateTimeMillis(stampIn(item)) ?? oldest) < oldest
      const isNewer = (item: unknown) => (dateTimeMillis(stampIn(item)) ?? newest) > newest
      const first = itemsOf(page) ?? []
      if (first.some(isOlder))
        return { skip: "the page before the Link has an object from before date_from, too", by: "PAGE-021" }
      if (first.some(isNewer))
        return { skip: "the page before the Link has an object from after date_to, too", by: "PAGE-022" }
      const outside = (itemsOf(next) ?? []).flatMap((item, index) => {
        const found = (bound: string, expected: string) =>
          at(next, `/data/${index}/last_updated`, `${list}: the next page has an object from ${bound}`, {
            expected,
            actual: stampIn(item)
          })
        return [
          ...when(isOlder(item), () => found("before date_from", `not before ${from}`)),
          ...when(isNewer(item), () => found("after date_to", `not after ${to}`))
        ]
      })
      const differs = before !== undefined && after !== undefined && before !== after
      const movers = moversOf(evidence, list)
      // How many objects came or went within the filter is not known.
      if (differs && outside.length === 0 && movers.size > 0) return moving(list, movers)
      const grown = when(differs, () =>
        finding(
          next,
          `${list}: the total changes from ${before} to ${after} on the next page of a filtered list`,
          { expected: `${before}`, actual: `${after}` }
        )
      )
      return [...outside, ...grown]
    })
  },
  {
    ...pagingBase,
    id: "PAGE-008",
    consequenceOf: ["PAGE-005", "PAGE-014"],
    title: "Pagination: following the Links brings X-Total-Count objects",
    sends: "GET each list page by page to its end",
    passes: "the crawl ends; the number of objects equals X-Total-Count of the last page",
    hint: "Count X-Total-Count by the query that the pages come from, and let the links end with the last object.",
    requires: wholeLists,
    ifGathered: perList("offsets"),
    ...eachPage(["list", "crawl", lastReading], (first, list, evidence) => {
      const crawl = evidence.gathered(`${list}.crawl`)
      if (crawl === undefined) return { skip: "not crawled" }
      if (isWithheld(crawl)) return { skip: crawl.reason }
      const pages = pagesOf(evidence, list)
      const last = pages.at(-1) ?? first
      if (crawl.stopped === "cycle")
        return [
          finding(last, `${list}: the links run in a circle`, {
            expected: "a crawl that ends",
            actual: header(last, "link") ?? ""
          })
        ]
      if (crawl.stopped === "cap")
        return {
          skip: `a run reads ${pages.length} pages of such a list, which does not end there: what comes after them was not judged by any check`,
          leavesOpen: true
        }
      const broken = pages.find((page) => itemsOf(page) === undefined)
      if (broken !== undefined)
        return [
          finding(broken, `${list}: a page of the crawl was answered ${statusLine(broken)}`, {
            expected: "HTTP 200 and a list",
            actual: statusLine(broken)
          })
        ]
      const read = numbered(pages).length
      const total = count(last, "x-total-count")
      if (total === undefined)
        return {
          ...(count(first, "x-total-count") === undefined ? noTotal : {}),
          skip: "the last page has no X-Total-Count"
        }
      const movers = moversOf(evidence, list)
      if (read !== total && isExplained(movers, read, total)) return moving(list, movers)
      const firstTotal = count(first, "x-total-count")
      const changes = read !== total && firstTotal !== undefined && firstTotal !== total
      if (changes && otherTotals(list, firstTotal, evidence).length > 0)
        return { skip: "X-Total-Count is another number on each page", by: "PAGE-013" }
      const offsets = read === total ? undefined : wrongOffsets(list, evidence)
      if (offsets !== undefined) return offsets
      return unless(read === total, () =>
        finding(last, `${list}: ${read} objects were read, X-Total-Count says ${total}`, {
          expected: `${total}`,
          actual: `${read}`
        })
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-009",
    consequenceOf: ["PAGE-008"],
    title: "Pagination: no object is listed twice",
    sends: "GET each list page by page to its end",
    passes: "no object id appears twice",
    hint: "Sort by values that no two objects share: of two equal objects, one can come on two pages.",
    ...eachList(["list", "crawl", lastReading], (list, evidence) => {
      const items = numbered(pagesOf(evidence, list))
      if (items.length < 2) return fewer
      const movers = moversOf(evidence, list)
      const twice = repeated(
        // The check of its schema reports an object without an id.
        items.filter(({ item }) => isNamed(item) && !movers.has(identity(item))),
        ({ item }) => identity(item)
      ).map(({ index, item, seen }) =>
        at(seen, `/data/${index}/${idFieldOf(item)}`, `${list}: the object is listed twice`, {
          expected: "each object once",
          actual: objectIn(item)[idFieldOf(item)]
        })
      )
      return despiteMovers(list, movers, twice)
    })
  }
]
