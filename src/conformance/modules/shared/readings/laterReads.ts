/**
 * A list that is read again late in the run, and once more where the two readings differ: one reading alone cannot tell
 * what the partner does from a change that is on its way.
 */

import { itemsOf } from "../../../../findings/answers.ts"
import { type Evidence, isWithheld } from "../../../model/Evidence.ts"
import type { Probe } from "../../../model/Probe.ts"
import { pagesOf, readAgain } from "../lists.ts"
import { readingOf } from "../objects/ListedKind.ts"
import { type Placed, placedIn, stampOf } from "../objects/Placed.ts"
import { sameContent } from "./contents.ts"
import { byOwnKey } from "./sharedIds.ts"

/** The probes that the comparison of a list's readings needs. */
export const readTwice = (module: string): ReadonlyArray<string> => [
  ...readingOf(module),
  `${module}.after`,
  `${module}.once-more`
]

type Moment = "after" | "once-more"

/** The list as a later reading has it, in its order; undefined when it was not read to its end. */
export const listedLater = (
  evidence: Evidence,
  module: string,
  moment: Moment
): ReadonlyArray<Placed> | undefined => {
  const reading = evidence.gathered(`${module}.${moment}`)
  const pages = evidence.answered(`${module}.${moment}`)
  const isWhole =
    reading !== undefined && !isWithheld(reading) && reading.stopped === undefined && pages.length > 0
  return isWhole && pages.every((page) => itemsOf(page) !== undefined) ? placedIn(pages) : undefined
}

/** An object as it was first listed, and as it was late in the run. */
export interface ListedTwice {
  readonly before: Placed
  readonly after: Placed
  /** In the third reading; absent when there was none, or the object was not in it. */
  readonly confirmed?: Placed
}

type Reading = ReadonlyMap<string, Placed>

/** The objects that the first and the second reading of a list have, each under an id of its own. */
export const listedTwice = (evidence: Evidence, module: string): ReadonlyArray<ListedTwice> => {
  const [first, after, third] = [
    pagesOf(evidence, module),
    evidence.answered(`${module}.after`),
    evidence.answered(`${module}.once-more`)
  ].map((pages) => byOwnKey(placedIn(pages), evidence)) as [Reading, Reading, Reading]
  return [...first].flatMap(([key, before]) => {
    const [again, confirmed] = [after.get(key), third.get(key)]
    return again === undefined
      ? []
      : [{ before, after: again, ...(confirmed === undefined ? {} : { confirmed }) }]
  })
}

/** Seconds between the first reading of a list and the second one. */
export const secondsBetween = (evidence: Evidence, module: string): number => {
  const [first, second] = [`${module}.list`, `${module}.after`].map((probe) =>
    Date.parse(evidence.answered(probe)[0]?.exchange.startedAt ?? "")
  )
  return first === undefined || second === undefined ? Number.NaN : (second - first) / 1000
}

/** Is there anything that a third reading has to confirm: an object that is gone, or differs in one of content and stamp? */
function isOdd(evidence: Evidence, module: string): boolean {
  const pairs = listedTwice(evidence, module)
  if (pairs.length < placedIn(pagesOf(evidence, module)).length) return true
  return pairs.some(({ after, before }) => {
    const isNewer = (stampOf(after.json) ?? 0) > (stampOf(before.json) ?? 0)
    return isNewer === sameContent(before.json, after.json)
  })
}

const operation = "list, read afterwards"

/** GET of the whole list after what the partner did by itself was observed. */
export const laterReading = (module: string): Probe =>
  readAgain(module, `${module}.after`, { after: ["inbound"], operation })

/** The same, and once more where that reading differs. */
export const laterProbes = (module: string): ReadonlyArray<Probe> => [
  laterReading(module),
  readAgain(module, `${module}.once-more`, {
    after: [...readingOf(module), `${module}.after`],
    operation,
    isAsked: (evidence) => isOdd(evidence, module)
  })
]
