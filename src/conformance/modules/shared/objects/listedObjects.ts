/** The objects of a list as far as it was read, each once. */

import { isDeepStrictEqual } from "node:util"
import { itemsOf } from "../../../../findings/answers.ts"
import { type Answered, type Evidence, isWithheld } from "../../../model/Evidence.ts"
import { InSteps } from "../../../model/InSteps.ts"
import { madeAt, pagesOf, totalOf } from "../lists.ts"
import { type ListedKind, readingOf } from "./ListedKind.ts"
import { keyIn, type Placed, placedIn, stampOf } from "./Placed.ts"

/** The entries of a list as far as it was read, whatever they are, each with its place. */
export const entriesOf = (evidence: Evidence, module: string) =>
  evidence.once(`${module}.entries`, () =>
    pagesOf(evidence, module).flatMap((seen) =>
      (itemsOf(seen) ?? []).map((json, index) => ({ seen, pointer: `/data/${index}`, json }))
    )
  )

/** The objects of a list as far as it was read, each once where it moved from one page to another meanwhile. */
export const objectsOf = (evidence: Evidence, module: string): ReadonlyArray<Placed> =>
  objectSearch(evidence, module).result()

/** The search for them, in steps: a partner may repeat a long page for ever. */
export const objectSearch = (evidence: Evidence, module: string): InSteps<ReadonlyArray<Placed>> =>
  evidence.once(
    `${module}.objects`,
    () => new InSteps(eachOnce(placedPageByPage(pagesOf(evidence, module)), evidence))
  )

/** As `placedIn`, but a page is looked at when its first object is asked for. */
function* placedPageByPage(pages: ReadonlyArray<Answered>): Generator<Placed> {
  for (const page of pages) yield* placedIn([page])
}

/** The objects of the first reading of the list, then those of `told`. */
export const judgedOf = (evidence: Evidence, { module, told }: ListedKind): ReadonlyArray<Placed> =>
  told === undefined
    ? objectsOf(evidence, module)
    : evidence.once(`${module}.judged`, () => [...objectsOf(evidence, module), ...told(evidence)])

/** Without the objects that moved from one page to a later one while the pages were read. */
export const withoutRepeats = (items: ReadonlyArray<Placed>, evidence: Evidence): ReadonlyArray<Placed> =>
  new InSteps(eachOnce(items, evidence)).result()

/** Pauses after each item. */
function* eachOnce(items: Iterable<Placed>, evidence: Evidence): Generator<undefined, ReadonlyArray<Placed>> {
  const first = new Map<string, Placed>()
  const kept: Array<Placed> = []
  for (const item of items) {
    const key = keyIn(item.json, evidence)
    const earlier = first.get(key)
    if (earlier === undefined || !isRepeat(earlier, item)) kept.push(item)
    if (earlier === undefined && (item.json["id"] ?? item.json["uid"]) !== undefined) first.set(key, item)
    yield undefined
  }
  return kept
}

/**
 * The same object on a later page, as it was, or as it is since a change after the earlier page was made; that a list
 * repeats it is judged as pagination. Otherwise it is another object of the same id.
 */
const isRepeat = (earlier: Placed, later: Placed): boolean =>
  earlier.seen.exchange.id !== later.seen.exchange.id &&
  ((stampOf(later.json) ?? 0) >= madeAt(earlier.seen) - 1000 || isDeepStrictEqual(earlier.json, later.json))

/** The whole list; undefined when it was not read to its end, so that nothing can be said of absent objects. */
export const wholeList = (evidence: Evidence, module: string): ReadonlyArray<Placed> | undefined => {
  const [first, crawl] = readingOf(module).map((probe) => evidence.gathered(probe))
  if (first === undefined || isWithheld(first) || crawl === undefined || isWithheld(crawl)) return undefined
  const pages = pagesOf(evidence, module)
  const broken = pages.length === 0 || pages.some((page) => itemsOf(page) === undefined)
  const objects = objectsOf(evidence, module)
  return broken || crawl.stopped !== undefined ? undefined : objects
}

/**
 * What a run has left of a list that is longer than it reads, in words that follow a number of objects; empty where it was read
 * to its end, or ends otherwise.
 */
export const unreadOf = (evidence: Evidence, module: string): string => {
  const crawl = evidence.gathered(`${module}.crawl`)
  if (crawl === undefined || isWithheld(crawl) || crawl.stopped !== "cap") return ""
  const total = totalOf(evidence, module)
  const of = total === undefined ? "" : ` of the ${total} of the list`
  return `, the first ones${of}: the run reads ${pagesOf(evidence, module).length} pages of it`
}
