/** What a list says of its pages: the total, and the most objects that one has. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { count, header, itemsOf, named, nextOf, statusLine } from "../../../findings/answers.ts"
import { noServerError } from "../../../findings/expectations.ts"
import { finding } from "../../../findings/finding.ts"
import type { Check } from "../../model/Check.ts"
import { noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import { lastReading, perList } from "../shared/lists.ts"
import { eachFilledPage, eachPage, noLimit, noTotal, type OfOneList, pagingBase } from "./eachList.ts"
import { isExplained, moversOf, moving } from "./movement.ts"

const needs = perList("limit0")

/** The pages of the list whose X-Total-Count is not that of the first page. */
export const otherTotals = (list: string, total: number, evidence: Evidence): ReadonlyArray<Answered> =>
  ["limit1", "offsets", "huge"]
    .flatMap((suffix) => evidence.answered(`${list}.${suffix}`))
    .filter((seen) => itemsOf(seen) !== undefined && count(seen, "x-total-count") !== total)

/** Judge X-Total-Count and X-Limit of each list (transport_and_format, Pagination). */
export const pageLimitsChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-013",
    title: "Pagination: X-Total-Count is the same on every page",
    sends: "GET each list with other limits and offsets",
    passes: "X-Total-Count is the same each time",
    hint: "Send as X-Total-Count the number of objects that the filters let through, not of those that are left or on the page.",
    ...eachPage(["list", "limit1", "offsets", "huge", lastReading], (first, list, evidence) => {
      const total = count(first, "x-total-count")
      if (total === undefined) return noTotal
      const movers = moversOf(evidence, list)
      const others = otherTotals(list, total, evidence)
      if (
        others.length > 0 &&
        others.every((seen) => isExplained(movers, count(seen, "x-total-count") ?? 0, total))
      )
        return moving(list, movers)
      return others.map((seen) =>
        finding(seen, `${named(seen)}: the total is not that of the first page`, {
          expected: `${total}`,
          actual: header(seen, "x-total-count") ?? "absent"
        })
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-014",
    title: "Pagination: no more objects than X-Limit",
    sends: "GET each list with limit=1000000",
    passes: "no more objects than X-Limit says; with more in total, a Link to the next page",
    hint: "Return at most X-Limit objects, also when limit is greater.",
    ...eachFilledPage("huge", (page, list, evidence) => {
      const { length } = itemsOf(page) ?? []
      const [limit, total] = [count(page, "x-limit"), count(page, "x-total-count")]
      if (limit === undefined) return noLimit
      const wrong = (message: string, expected: string, actual: string): OfOneList => [
        finding(page, `${named(page)}: ${message}`, { expected, actual })
      ]
      if (length > limit)
        return wrong("more objects than X-Limit", `at most ${limit} objects`, `${length} objects`)
      // A list of which no page has a Link is a finding of PAGE-004.
      const isWithoutLinks = evidence
        .answered(`${list}.limit1`)
        .some(
          (one) =>
            (itemsOf(one)?.length ?? 0) < (count(one, "x-total-count") ?? 0) && nextOf(one) === undefined
        )
      return !isWithoutLinks && total !== undefined && total > length && nextOf(page) === undefined
        ? wrong(`${length} of ${total} objects and no next page`, 'Link: <URL>; rel="next"', "no Link")
        : []
    })
  },
  {
    ...pagingBase,
    id: "PAGE-015",
    versions: versionsWhere(({ dateBounds }) => dateBounds === "half_open"),
    title: "Pagination: X-Limit is the greatest limit, not the number of objects returned",
    lenient: () => true,
    sends: "GET the last object of each list, and an empty page",
    passes: "X-Limit is that of the first page, and not the number of objects on the page",
    hint: "Send as X-Limit the greatest number of objects that a page can have, also with a page that has fewer.",
    ...eachPage(["list", "tail", "future"], (first, list, evidence) => {
      const usual = count(first, "x-limit")
      if (usual === undefined) return noLimit
      const short = ["tail", "future"]
        .flatMap((suffix) => evidence.answered(`${list}.${suffix}`))
        .filter((seen) => (itemsOf(seen)?.length ?? usual) < usual)
      if (short.length === 0) return { skip: "no page was shorter than the limit" }
      return short
        .filter((seen) => {
          const limit = count(seen, "x-limit")
          return limit !== usual && limit === itemsOf(seen)?.length
        })
        .map((seen) =>
          finding(seen, `${named(seen)}: X-Limit is the number of objects that were returned`, {
            expected: `${usual}`,
            actual: header(seen, "x-limit") ?? "absent"
          })
        )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-018",
    title: "Pagination: limit=0 is answered without a server error",
    strength: "may",
    sends: "GET each list with limit=0",
    passes: "recorded; no 5xx",
    needs,
    judge: (evidence) => {
      const seen = needs(scopeOf(evidence)).flatMap(evidence.answered)
      return noneOf(
        seen.flatMap(noServerError),
        seen.map((one) => `${one.exchange.module}: ${statusLine(one)}`).join("; ")
      )
    }
  }
]
