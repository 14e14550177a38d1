/** In which place of a list an object comes: at each reading, and by its offset. */

import { itemsOf, statusLine } from "../../../findings/answers.ts"
import { finding, unless } from "../../../findings/finding.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { lastReading, pagesOf } from "../shared/lists.ts"
import { fewer, type OfOneList, onAnswers, pagesRead, type Skipped } from "./eachList.ts"
import { namesOf } from "./itemNames.ts"
import { identity, moversOf } from "./movement.ts"

/** The objects of the pages by their `identity`, in their order. */
export const keysOf = (pages: ReadonlyArray<Answered>): ReadonlyArray<string> =>
  pages.flatMap((page) => (itemsOf(page) ?? []).map(identity))

/** The place at which a second reading of the list has another order. */
export const orderOf = (list: string, evidence: Evidence): OfOneList => {
  const again = pagesRead(evidence, `${list}.${lastReading}`)
  if ("skip" in again) return again
  const read = keysOf(pagesOf(evidence, list))
  if (read.length < 2) return fewer
  // An object that was added, changed or removed meanwhile has no fixed offset.
  const movers = moversOf(evidence, list)
  // Of what is listed twice, which another check judges, the first place counts.
  const repeat = keysOf(again)
  const still = (keys: ReadonlyArray<string>, others: ReadonlyArray<string>) => [
    ...new Set(keys.filter((key) => others.includes(key) && !movers.has(key)))
  ]
  const before = still(read, repeat)
  const after = still(repeat, read)
  const moved = before.findIndex((key, index) => key !== after[index])
  return unless(moved < 0, () =>
    finding(again[0], `${list}: read twice, the objects come in another order`, {
      expected: namesOf(again, before.slice(moved)),
      actual: namesOf(again, after.slice(moved))
    })
  )
}

const isOrdered = (list: string, evidence: Evidence): boolean => {
  const order = orderOf(list, evidence)
  return !("skip" in order) && order.length === 0
}

/** Pages whose first object is not the one that the list has at their offset. */
export const misplaced = (list: string, evidence: Evidence): OfOneList =>
  onAnswers("offsets", (seen) => {
    const read = keysOf(pagesOf(evidence, list))
    const movers = moversOf(evidence, list)
    const query = new URL(seen.exchange.request.url).searchParams
    const offset = Number(query.get("offset"))
    const [got] = keysOf([seen])
    const expected = read[offset]
    // What moved shifts the others by as many places.
    const near = read.slice(Math.max(0, offset - movers.size), offset + movers.size + 1)
    const isMoved = got === undefined ? movers.size > 0 : near.includes(got) || movers.has(got)
    return unless(expected === undefined || got === expected || isMoved, () =>
      finding(
        seen,
        `${list}: offset=${offset} with limit=${query.get("limit")} brings another object than the list has in that place`,
        {
          expected: namesOf(pagesOf(evidence, list), [expected ?? ""]),
          actual: got === undefined ? statusLine(seen) : namesOf([seen], [got])
        }
      )
    )
  })(list, evidence)

/** Where offsets bring other objects, so do the links of the pages, which lead to offsets: no object that a crawl lacks shows more. */
export const wrongOffsets = (list: string, evidence: Evidence): Skipped | undefined => {
  const places = misplaced(list, evidence)
  return !("skip" in places) && places.length > 0 && isOrdered(list, evidence)
    ? { skip: "an offset brings another object than the list has in that place", by: "PAGE-012" }
    : undefined
}
