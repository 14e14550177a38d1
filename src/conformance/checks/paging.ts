/** Paging: totals, limits, links, and a whole crawl of each list. */
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { count, header, isObject, itemsOf, named, nextOf, shown, statusLine } from "../answers.ts"
import { type Check, either, type Finding, type Judgement, kept, type Scope, undecided } from "../Check.ts"
import { type Answered, type Evidence, isWithheld } from "../Evidence.ts"
import { listsOf, pagesOf, totalOf } from "../probes/lists.ts"
import { at, repeated } from "./findings.ts"

const reference = "transport_and_format, Pagination"
const base = {
  module: "paging",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  strength: "must",
  reference,
  partial: true
} as const

const needing =
  (...suffixes: ReadonlyArray<string>) =>
  ({ profile, role }: Scope) =>
    listsOf(profile, role).flatMap((list) => suffixes.map((suffix) => `${list}.${suffix}`))

type OfOneList = ReadonlyArray<Finding> | { readonly skip: string }

/** Judges each list that could be read; a list that gives no ground to judge is skipped, with its reason. */
const eachList =
  (judge: (list: string, evidence: Evidence) => OfOneList) =>
  (evidence: Evidence): Judgement => {
    const lists = listsOf(evidence.profile, evidence.party.counterpart.role)
    const results = lists.map((list) => ({ list, result: judge(list, evidence) }))
    const findings = results.flatMap(({ result }) => ("skip" in result ? [] : result))
    if (findings.length > 0) return { is: "broken", findings }
    const judged = results.filter(({ result }) => !("skip" in result))
    if (judged.length > 0) return kept(`judged on ${judged.map(({ list }) => list).join(", ")}`)
    const reasons = results.map(({ list, result }) => ("skip" in result ? `${list}: ${result.skip}` : list))
    return undecided("not_tested", reasons.join("; "))
  }

const fewer = { skip: "fewer than two objects" } as const

/** The answer to a list probe when it is a list at all; what else it is, other checks tell. */
const pageOf = (evidence: Evidence, probe: string): Answered | { readonly skip: string } => {
  const gathered = evidence.gathered(probe)
  if (gathered !== undefined && isWithheld(gathered)) return { skip: gathered.reason }
  const [seen] = evidence.answered(probe)
  return seen !== undefined && itemsOf(seen) !== undefined ? seen : { skip: "the answer is no list" }
}

const onFirstPage = (judge: (seen: Answered) => ReadonlyArray<Finding>) =>
  eachList((list, evidence) => {
    const page = pageOf(evidence, `${list}.list`)
    return "skip" in page ? page : judge(page)
  })

const missingCount = (
  seen: Answered,
  name: string,
  expected: string,
  least: number
): ReadonlyArray<Finding> => {
  const value = count(seen, name)
  return value !== undefined && value >= least
    ? []
    : [
        {
          message: `${named(seen)}: ${name} is not ${expected}`,
          expected,
          actual: header(seen, name) ?? "absent",
          exchangeId: seen.exchange.id
        }
      ]
}

const identity = (item: unknown): string =>
  isObject(item)
    ? shown([item["country_code"], item["party_id"], item["id"] ?? item["uid"], item["type"]]).toLowerCase()
    : shown(item)

/** Tokens may share a uid between types; everything else is named by owner and id. */
const numbered = (pages: ReadonlyArray<Answered>) =>
  pages.flatMap((seen) => (itemsOf(seen) ?? []).map((item, index) => ({ seen, item, index })))

export const pagingChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "PAGE-001",
    title: "Tells the total of a list",
    sends: "GET each list",
    passes: "X-Total-Count is a non-negative integer",
    needs: needing("list"),
    judge: onFirstPage((seen) => missingCount(seen, "X-Total-Count", "a non-negative integer", 0))
  },
  {
    ...base,
    id: "PAGE-002",
    title: "Tells its page limit",
    sends: "GET each list",
    passes: "X-Limit is a positive integer",
    needs: needing("list"),
    judge: onFirstPage((seen) => missingCount(seen, "X-Limit", "a positive integer", 1))
  },
  {
    ...base,
    id: "PAGE-003",
    title: "Keeps to the limit that was asked for",
    sends: "GET each list with limit=1",
    passes: "at most one object",
    needs: needing("limit1"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.limit1`)
      if ("skip" in page) return page
      const { length } = itemsOf(page) ?? []
      return length <= 1
        ? []
        : [
            at(page, "/data", `${list}: limit=1 was answered with ${length} objects`, {
              expected: "at most 1 object",
              actual: length
            })
          ]
    })
  },
  {
    ...base,
    id: "PAGE-004",
    title: "Links to the next page",
    sends: "GET each list with limit=1",
    passes: 'with more than one object in total, a Link with rel="next" is present',
    needs: needing("limit1"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.limit1`)
      if ("skip" in page) return page
      const total = count(page, "x-total-count") ?? 0
      if (total < 2 || (itemsOf(page)?.length ?? 0) >= total) return fewer
      return nextOf(page) !== undefined
        ? []
        : [
            {
              message: `${named(page)}: 1 of ${total} objects, and no Link to the next page`,
              expected: 'Link with rel="next"',
              actual: header(page, "link") ?? "absent",
              exchangeId: page.exchange.id
            }
          ]
    })
  },
  {
    ...base,
    id: "PAGE-005",
    title: "Ends the last page without a link",
    sends: "follows the links of each list",
    passes: 'the page that completes the total has no rel="next"',
    needs: needing("list", "crawl"),
    judge: eachList((list, evidence) => {
      const pages = pagesOf(evidence, list)
      const total = totalOf(evidence, list)
      if (total === undefined) return { skip: "the total is not known" }
      let read = 0
      const last = pages.find((page) => {
        read += itemsOf(page)?.length ?? 0
        return read >= total
      })
      if (last === undefined) return { skip: "the last page was not reached" }
      return nextOf(last) === undefined
        ? []
        : [
            {
              message: `${named(last)}: all ${total} objects are read, and there is still a next page`,
              expected: 'no rel="next" on the last page',
              actual: header(last, "link") ?? "",
              exchangeId: last.exchange.id
            }
          ]
    })
  },
  {
    ...base,
    id: "PAGE-006",
    title: "Links in the right form to a page that opens",
    sends: "GET each list with limit=1, then its next link with the same token",
    passes: 'an absolute URL in angle brackets with rel="next", answered with a page',
    needs: needing("limit1", "limit1.next"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.limit1`)
      if ("skip" in page) return page
      const link = nextOf(page)
      if (link === undefined) return { skip: "there is no link to a next page" }
      if (link.problem !== undefined)
        return [
          {
            message: `${named(page)}: ${link.problem}`,
            expected: '<absolute URL>; rel="next"',
            actual: header(page, "link") ?? "",
            exchangeId: page.exchange.id
          }
        ]
      return evidence
        .answered(`${list}.limit1.next`)
        .filter((next) => itemsOf(next) === undefined)
        .map((next) => ({
          message: `${list}: the next link answered ${statusLine(next)}`,
          expected: "HTTP 200 and a list",
          actual: statusLine(next),
          exchangeId: next.exchange.id
        }))
    })
  },
  {
    ...base,
    id: "PAGE-007",
    title: "Keeps the filter on the next page",
    strength: "should",
    sends: "GET each list with date_from amid its objects and limit=1, then the next link",
    passes: "objects of the next page are not older than date_from, and the total stays the same",
    needs: needing("list", "crawl", "filtered", "filtered.next"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.filtered`)
      const next = pageOf(evidence, `${list}.filtered.next`)
      if ("skip" in page) return page
      if ("skip" in next) return next
      const from = new URL(page.exchange.request.url).searchParams.get("date_from")
      const oldest = dateTimeMillis(from) ?? Number.NEGATIVE_INFINITY
      const [before, after] = [count(page, "x-total-count"), count(next, "x-total-count")]
      const older = (itemsOf(next) ?? []).flatMap((item, index) => {
        const stamp = isObject(item) ? item["last_updated"] : undefined
        return (dateTimeMillis(stamp) ?? oldest) >= oldest
          ? []
          : [
              at(
                next,
                `/data/${index}/last_updated`,
                `${list}: the next page has an object from before date_from`,
                { expected: `not before ${from}`, actual: stamp }
              )
            ]
      })
      const grown =
        before === undefined || after === undefined || before === after
          ? []
          : [
              {
                message: `${list}: the total changes from ${before} to ${after} on the next page of a filtered list`,
                expected: String(before),
                actual: String(after),
                exchangeId: next.exchange.id
              }
            ]
      return [...older, ...grown]
    })
  },
  {
    ...base,
    id: "PAGE-008",
    title: "A crawl ends with as many objects as announced",
    sends: "follows the links of each list to the end",
    passes: "the crawl ends; the number of objects equals X-Total-Count of the last page",
    needs: needing("list", "crawl"),
    judge: eachList((list, evidence) => {
      const first = pageOf(evidence, `${list}.list`)
      if ("skip" in first) return first
      const crawl = evidence.gathered(`${list}.crawl`)
      if (crawl === undefined) return { skip: "not crawled" }
      if (isWithheld(crawl)) return { skip: crawl.reason }
      const pages = pagesOf(evidence, list)
      const last = pages.at(-1) ?? first
      if (crawl.stopped === "cycle")
        return [
          {
            message: `${list}: the links run in a circle`,
            expected: "a crawl that ends",
            actual: header(last, "link") ?? "",
            exchangeId: last.exchange.id
          }
        ]
      if (crawl.stopped === "cap") return { skip: `more than ${pages.length} pages: the end was not reached` }
      const broken = pages.find((page) => itemsOf(page) === undefined)
      if (broken !== undefined)
        return [
          {
            message: `${list}: a page of the crawl answered ${statusLine(broken)}`,
            expected: "HTTP 200 and a list",
            actual: statusLine(broken),
            exchangeId: broken.exchange.id
          }
        ]
      const read = numbered(pages).length
      const total = count(last, "x-total-count")
      if (total === undefined) return { skip: "the last page has no X-Total-Count" }
      return read === total
        ? []
        : [
            {
              message: `${list}: ${read} objects were read, X-Total-Count says ${total}`,
              expected: String(total),
              actual: String(read),
              exchangeId: last.exchange.id
            }
          ]
    })
  },
  {
    ...base,
    id: "PAGE-009",
    title: "Lists no object twice",
    sends: "follows the links of each list to the end",
    passes: "no object id appears twice",
    needs: needing("list", "crawl"),
    judge: eachList((list, evidence) => {
      const items = numbered(pagesOf(evidence, list))
      if (items.length < 2) return fewer
      return repeated(items, ({ item }) => identity(item)).map(({ index, item, seen }) =>
        at(seen, `/data/${index}`, `${list}: the object is listed twice`, {
          expected: "each object once",
          actual: isObject(item) ? (item["id"] ?? item["uid"]) : item
        })
      )
    })
  },
  {
    ...base,
    id: "PAGE-023",
    title: "Filters by date_from",
    reference: `${reference}; mod_locations and others, GET parameters`,
    sends: "GET each list with date_from one year ahead",
    passes: "an empty list, X-Total-Count 0, no Link",
    needs: needing("future"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.future`)
      if ("skip" in page) return page
      const { length } = itemsOf(page) ?? []
      const total = count(page, "x-total-count")
      if (length === 0 && (total === undefined || total === 0) && nextOf(page) === undefined) return []
      return [
        {
          message: `${list}: date_from in the future brings ${length} objects, total ${total ?? "absent"}${nextOf(page) === undefined ? "" : ", and a next page"}`,
          expected: "[], X-Total-Count 0, no Link",
          actual: `${length} objects, X-Total-Count ${total ?? "absent"}`,
          exchangeId: page.exchange.id
        }
      ]
    })
  }
]
