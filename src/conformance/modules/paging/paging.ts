/** Paging: totals, limits and links. */

import { count, header, itemsOf, named, nextOf, statusLine } from "../../../findings/answers.ts"
import { headerIs } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless, when } from "../../../findings/finding.ts"
import type { Check } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { perList, refusedFilter } from "../shared/lists.ts"
import {
  eachFilledPage,
  eachList,
  eachPage,
  fewer,
  ofObjects,
  pageOf,
  pagingBase,
  windowReference
} from "./eachList.ts"

/** The header is a whole number from `least` up. */
const counts = (expected: string, least: number) => (name: string) =>
  headerIs(name, expected, (_, seen) => (count(seen, name) ?? -1) >= least)
const nonNegative = counts("a non-negative integer", 0)
const positive = counts("a positive integer", 1)

/** Judge X-Total-Count, X-Limit and Link of each list (transport_and_format, Pagination). */
export const pagingChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-001",
    title: "Pagination: X-Total-Count is a non-negative integer",
    sends: "GET each list",
    passes: "X-Total-Count is a non-negative integer",
    hint: "Send X-Total-Count with every page: the number of objects that the filters let through.",
    ...eachPage(["list"], nonNegative("X-Total-Count"))
  },
  {
    ...pagingBase,
    id: "PAGE-002",
    title: "Pagination: X-Limit is a positive integer",
    sends: "GET each list",
    passes: "X-Limit is a positive integer; 0 of an empty page where it is a number of the page (2.1.1)",
    hint: "Send X-Limit with every page: the most objects that a page can have.",
    ...eachPage(["list"], (page, _, { profile }) => {
      const isOfNone = profile.pageLimit === "of_page" && itemsOf(page)?.length === 0
      return isOfNone ? nonNegative("X-Limit")(page) : positive("X-Limit")(page)
    })
  },
  {
    ...pagingBase,
    id: "PAGE-003",
    title: "Pagination: no more objects than limit asks for",
    sends: "GET each list with limit=1",
    passes: "at most one object",
    hint: "Return at most as many objects as limit asks for.",
    ...eachFilledPage("limit1", (page, list) => {
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
    title: "Pagination: a Link to the next page while there are more objects",
    sends: "GET each list, whole and with limit=1",
    passes: 'with more than one object in total, a Link with rel="next" is present',
    hint: 'Send the header Link: <https://host/path?offset=50&limit=50>; rel="next" while there are more objects than were returned: the URL in angle brackets, and rel after it.',
    ...eachPage(["limit1", "list"], (page, list, evidence) => {
      const read = evidence.answered(`${list}.list`).flatMap((one) => itemsOf(one) ?? [])
      const total = count(page, "x-total-count") ?? read.length
      const { length } = itemsOf(page) ?? []
      if (total < 2) return fewer
      if (length >= total) return { skip: "limit=1 brings the whole list", by: "PAGE-003" }
      const link = header(page, "link")
      const missing =
        link === undefined ? "no Link to the next page" : 'the Link has not the form <URL>; rel="next"'
      return when(nextOf(page) === undefined, () =>
        finding(page, `${named(page)}: ${length} of ${total} objects, and ${missing}`, {
          expected: '<URL>; rel="next"',
          actual: link ?? "absent"
        })
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-006",
    title: "Pagination: the Link is an absolute URL that can be read",
    sends: "GET each list with limit=1, then its next link with the same token",
    passes: 'an absolute URL in angle brackets with rel="next", answered with a page',
    hint: 'Write the Link header as <https://host/path?offset=50&limit=50>; rel="next", with a URL that your server answers.',
    ofLinks: true,
    ...eachPage(["limit1", "limit1.next"], (page, list, evidence) => {
      const link = nextOf(page)
      if (link === undefined)
        return (count(page, "x-total-count") ?? Number.POSITIVE_INFINITY) < 2
          ? fewer
          : { skip: "there is no link to a next page" }
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
          finding(next, `${list}: the next link was answered ${statusLine(next)}`, {
            expected: "HTTP 200 and a list",
            actual: statusLine(next)
          })
        )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-023",
    consequenceOf: ["PAGE-005", "PAGE-008", "PAGE-014"],
    title: "Filter: date_from in the future brings an empty list",
    reference: windowReference,
    sends: "GET each list with date_from one year ahead",
    passes: "an empty list, X-Total-Count 0, no Link",
    hint: "Apply date_from and date_to to last_updated, and answer an empty list when no object is that new.",
    ifGathered: perList("from-middle"),
    ...eachList(
      ["list", "future"],
      ofObjects("future", (list, evidence) => {
        const refused = refusedFilter(evidence, list)
        if (refused !== undefined) return [refusedFinding(refused, list, evidence)]
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
    )
  }
]

/** Where another date_from is answered, it is the future alone that the partner does not take. */
function refusedFinding(seen: Answered, list: string, evidence: Evidence): Finding {
  const isRead = evidence.answered(`${list}.from-middle`).some((page) => itemsOf(page) !== undefined)
  return {
    ...finding(
      seen,
      `${named(seen)} with ${isRead ? "a date_from in the future" : "date_from"} was answered ${statusLine(seen)}`,
      {
        expected: "HTTP 200, status_code 1000, []",
        actual: statusLine(seen)
      }
    ),
    hint: isRead
      ? "Answer an empty list when no object is that new."
      : "Read date_from and date_to in each form of a DateTime, with and without Z, and apply them to last_updated.",
    ...(isRead ? { strength: "should" as const } : {})
  }
}
