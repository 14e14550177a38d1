/** Paging: totals, limits and links. */

import { count, header, itemsOf, named, nextOf, statusLine } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless, when } from "../../../findings/finding.ts"
import type { Check } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { eachList, fewer, needing, pageOf, pagingBase, pagingReference } from "./eachList.ts"

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
  return unless(value !== undefined && value >= least, () =>
    finding(seen, `${named(seen)}: ${name} is not ${expected}`, {
      expected,
      actual: header(seen, name) ?? "absent"
    })
  )
}

export const pagingChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-001",
    title: "Tells the total of a list",
    sends: "GET each list",
    passes: "X-Total-Count is a non-negative integer",
    needs: needing("list"),
    judge: onFirstPage((seen) => missingCount(seen, "X-Total-Count", "a non-negative integer", 0))
  },
  {
    ...pagingBase,
    id: "PAGE-002",
    title: "Tells its page limit",
    sends: "GET each list",
    passes: "X-Limit is a positive integer",
    needs: needing("list"),
    judge: onFirstPage((seen) => missingCount(seen, "X-Limit", "a positive integer", 1))
  },
  {
    ...pagingBase,
    id: "PAGE-003",
    title: "Keeps to the limit that was asked for",
    sends: "GET each list with limit=1",
    passes: "at most one object",
    needs: needing("limit1"),
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.limit1`)
      if ("skip" in page) return page
      const { length } = itemsOf(page) ?? []
      return unless(length <= 1, () =>
        at(page, "/data", `${list}: limit=1 was answered with ${length} objects`, {
          expected: "at most 1 object",
          actual: length
        })
      )
    })
  },
  {
    ...pagingBase,
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
      return when(nextOf(page) === undefined, () =>
        finding(page, `${named(page)}: 1 of ${total} objects, and no Link to the next page`, {
          expected: 'Link with rel="next"',
          actual: header(page, "link") ?? "absent"
        })
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-006",
    title: "Links in the right form to a page that opens",
    sends: "GET each list with limit=1, then its next link with the same token",
    passes: 'an absolute URL in angle brackets with rel="next", answered with a page',
    needs: needing("limit1", "limit1.next"),
    ofLinks: true,
    judge: eachList((list, evidence) => {
      const page = pageOf(evidence, `${list}.limit1`)
      if ("skip" in page) return page
      const link = nextOf(page)
      if (link === undefined) return { skip: "there is no link to a next page" }
      if (link.problem !== undefined)
        return [
          finding(page, `${named(page)}: ${link.problem}`, {
            expected: '<absolute URL>; rel="next"',
            actual: header(page, "link") ?? ""
          })
        ]
      return evidence
        .answered(`${list}.limit1.next`)
        .filter((next) => itemsOf(next) === undefined)
        .map((next) =>
          finding(next, `${list}: the next link answered ${statusLine(next)}`, {
            expected: "HTTP 200 and a list",
            actual: statusLine(next)
          })
        )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-023",
    title: "Filters by date_from",
    reference: `${pagingReference}; mod_locations and others, GET parameters`,
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
        finding(
          page,
          `${list}: date_from in the future brings ${length} objects, total ${total ?? "absent"}${nextOf(page) === undefined ? "" : ", and a next page"}`,
          {
            expected: "[], X-Total-Count 0, no Link",
            actual: `${length} objects, X-Total-Count ${total ?? "absent"}`
          }
        )
      ]
    })
  }
]
