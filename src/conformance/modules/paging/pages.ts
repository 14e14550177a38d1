/** Checks of pages with other limits, with single offsets, beyond the end, and with values that are not valid. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { itemsOf, named, nextOf, statusLine, succeeded } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless, when } from "../../../findings/finding.ts"
import { isByClient } from "../../../findings/refusals.ts"
import type { Check } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { lastReading, pagesOf, refusedFilter, wholeLists } from "../shared/lists.ts"
import { type Renamed, renamedIn } from "../shared/readings/newIds.ts"
import {
  byIds,
  type eachAnswer,
  eachFilledAnswer,
  eachList,
  fewer,
  listedIn,
  type OfOneList,
  ofObjects,
  onAnswers,
  pagesRead,
  pagingBase
} from "./eachList.ts"
import { nameOfItem, namesOf } from "./itemNames.ts"
import { type Movers, moversOf, moving } from "./movement.ts"
import { comparedLimits, comparedPages } from "./pagingProbes.ts"
import { keysOf, misplaced, orderOf, wrongOffsets } from "./places.ts"

/**
 * Objects that one of two crawls has and the other has not, over the objects that both can have; those that moved meanwhile
 * left out, and as many others as moved. `whole`: the crawl without a limit.
 */
const difference = (
  list: string,
  { limit, pages }: { readonly limit: string; readonly pages: ReadonlyArray<Answered> },
  whole: ReadonlyArray<Answered>,
  movers: Movers
): OfOneList => {
  const keys = keysOf(pages)
  const read = keysOf(whole)
  const names = (some: ReadonlyArray<string>) => namesOf([...whole, ...pages], some)
  const last = pages.at(-1)
  const isCut = last !== undefined && nextOf(last) !== undefined
  const cut = isCut ? Math.min(keys.length, read.length) : read.length
  const had = read.slice(0, cut)
  const has = isCut ? keys.slice(0, cut) : keys
  const missing = had.filter((key) => !has.includes(key) && !movers.has(key))
  const added = has.filter((key) => !had.includes(key) && !movers.has(key))
  const most = Math.max(missing.length, added.length)
  if (most > 0 && most <= movers.size) return moving(list, movers)
  return unless(most === 0, () =>
    finding(
      pages[0],
      `${list}: with limit=${limit}, ${missing.length === 0 ? `${names(added.slice(0, 1))} comes in addition` : `${names(missing.slice(0, 1))} is missing`}`,
      { expected: `${had.length} objects: ${names(had)}`, actual: `${has.length} objects: ${names(has)}` }
    )
  )
}

/** An object that is the same as before has another id, as `count` objects of the list. */
const otherId = (list: string, { after, before }: Renamed, count: number): Finding => ({
  ...at(
    after.seen,
    `${after.pointer}/${"uid" in after.json ? "uid" : "id"}`,
    `${list}: read twice, ${count === 1 ? "an object has another id" : `${count} objects have other ids`} and nothing else of them changed`,
    { expected: nameOfItem(before.json), actual: nameOfItem(after.json) }
  ),
  strength: "must",
  hint: "Store the id with the object when it is made, and give the same one at each reading: a client finds nothing again otherwise."
})

/**
 * A wrong value is refused; a page that is not the list as if the parameter were absent is let through. The text does not say
 * what becomes of a wrong value: a finding about the whole list names both readings, one about a crash does not.
 */
export const refusesWrongValues = (suffix: string, what: string) =>
  eachFilledAnswer(suffix, wrongValueFlaws(what))

/** As `refusesWrongValues`, of date_from: where a right one is refused as well, nothing shows that a wrong one is. */
export const refusesWrongInstants = (suffix: string, what: string) =>
  eachList(
    ["list", "future", suffix],
    ofObjects(suffix, (list, evidence) =>
      refusedFilter(evidence, list) === undefined
        ? onAnswers(suffix, wrongValueFlaws(what))(list, evidence)
        : { skip: "date_from is refused, whatever it is", by: "PAGE-023" }
    )
  )

const wrongValueFlaws =
  (what: string): Parameters<typeof eachAnswer>[1] =>
  (seen, list, evidence) => {
    const whole = evidence.answered(`${list}.list`).flatMap((page) => itemsOf(page) ?? []).length
    const items = succeeded(seen) ? itemsOf(seen) : undefined
    const ignored = items !== undefined && whole > 0 && items.length >= whole
    return when(ignored || (items === undefined && !isByClient(seen)), () => ({
      ...finding(
        seen,
        `${named(seen)} was answered ${statusLine(seen)}${ignored ? " and the whole list" : ""}`,
        {
          expected: "status_code 2001 or HTTP 400",
          actual: statusLine(seen)
        }
      ),
      ...(ignored ? { ambiguous: wrongValue(what) } : {})
    }))
  }

const wrongValue = (what: string): Ambiguity => ({
  readings: [
    `${what} is an invalid parameter: the server answers status_code 2001`,
    `the server may answer as if ${what} had not been sent: the text does not say what becomes of it`
  ],
  section: "transport_and_format, Paginated request; status_codes, 2xxx: Client errors"
})

/** Judge pages with other values of limit and offset (transport_and_format, Pagination). */
export const pagesChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-010",
    title: "Pagination: the same order at each reading",
    strength: "should",
    sends: "GET each list page by page twice",
    passes: "the same objects, by their ids, in the same order",
    hint: "Sort by something that does not change, such as the time of creation; a query without ORDER BY has no order.",
    ...eachList(["list", "crawl", lastReading], (list, evidence) => {
      const [renamed, ...others] = renamedIn(evidence, list) ?? []
      return renamed === undefined ? orderOf(list, evidence) : [otherId(list, renamed, 1 + others.length)]
    })
  },
  {
    ...pagingBase,
    id: "PAGE-011",
    consequenceOf: ["PAGE-003"],
    title: "Pagination: the same objects whatever the limit",
    sends: `GET each list page by page with limit=${comparedLimits.join(" and limit=")}, at most ${comparedPages} pages`,
    passes: "the same objects as without a limit, as far as was read",
    hint: "Sort the list in a fixed order, and let the next link begin where the page ended.",
    requires: wholeLists,
    ...eachList(
      ["list", "crawl", ...comparedLimits.map((limit) => `by${limit}`), lastReading, "offsets"],
      byIds((list, evidence) => {
        const whole = pagesOf(evidence, list)
        if (keysOf(whole).length < 2) return fewer
        const offsets = wrongOffsets(list, evidence)
        if (offsets !== undefined) return offsets
        const all = comparedLimits.map((limit) => ({
          limit,
          pages: pagesRead(evidence, `${list}.by${limit}`)
        }))
        const usable = all.flatMap(({ limit, pages }) => ("skip" in pages ? [] : [{ limit, pages }]))
        if (usable.length === 0) return { skip: "no other crawl could be read" }
        const movers = moversOf(evidence, list)
        const results = usable.map((crawl) => difference(list, crawl, whole, movers))
        const findings = results.flatMap((result) => ("skip" in result ? [] : result))
        const skipped = results.find((result) => "skip" in result)
        return findings.length === 0 && skipped !== undefined ? skipped : findings
      })
    )
  },
  {
    ...pagingBase,
    id: "PAGE-012",
    consequenceOf: ["PAGE-009", "PAGE-030"],
    title: "Pagination: offset is counted from the first object",
    sends:
      "GET each list with limit=1 and the offset of the first, the second and the last object, and with limit=2 and the offset of the second",
    passes: "each answer begins with the object in that place of the whole list",
    hint: "Leave out as many objects as offset says: offset=0 begins with the first one. It is a number of objects, not of pages.",
    ...eachList(
      ["list", "crawl", lastReading, "offsets"],
      byIds((list, evidence) => {
        // Without an order no object has a place.
        const order = orderOf(list, evidence)
        if (!("skip" in order) && order.length > 0)
          return { skip: "read twice, the objects come in another order", by: "PAGE-010" }
        return misplaced(list, evidence)
      })
    )
  },
  {
    ...pagingBase,
    id: "PAGE-016",
    consequenceOf: ["PAGE-005", "PAGE-008"],
    title: "Pagination: an offset beyond the end brings an empty page",
    strength: "should",
    sends: "GET each list with an offset ten beyond its total",
    passes: "HTTP 200, status_code 1000, [], no Link",
    hint: "Answer an empty page without Link: it is no error.",
    ...eachFilledAnswer("beyond", (seen) => {
      const items = listedIn(seen)
      return unless(succeeded(seen) && items?.length === 0 && nextOf(seen) === undefined, () =>
        finding(seen, `${named(seen)} is not answered with an empty page`, {
          expected: "HTTP 200, [], no Link",
          actual: `${statusLine(seen)}${items === undefined ? "" : `, ${items.length} objects`}${nextOf(seen) === undefined ? "" : ", Link"}`
        })
      )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-017",
    title: "Pagination: an offset or limit that is not a non-negative integer is refused",
    strength: "should",
    reference: "transport_and_format, Pagination; status_codes, 2xxx: Client errors",
    sends: "GET each list with offset=-1, limit=-1, limit=abc and offset=1.5",
    passes: "status_code 2001 or HTTP 400; no 5xx, and not the whole list",
    hint: "Check the parameters before the query is made.",
    ...refusesWrongValues("not-numbers", "an offset or limit below 0 or that is no integer")
  }
]
