/** Lists that change while they are read: the place of an object, and so the meaning of an offset, stays. */

import type { Strength } from "../../../../schema/Assertion.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { idInWords } from "../../../findings/objectNames.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { wholeList } from "../shared/objects/listedObjects.ts"
import { keyIn, type Placed, stampOf } from "../shared/objects/Placed.ts"
import { listedLater } from "../shared/readings/laterReads.ts"
import { eachList, type OfOneList, pagingBase } from "./eachList.ts"

type Order = ReadonlyMap<string, Placed>

const consequence = "a client that follows the Links meanwhile misses an object or reads one twice"

/** The list whose objects are final, and which may be long: it is not read again. */
const ended = "cdrs"

const orderOf = (items: ReadonlyArray<Placed>, evidence: Evidence): Order =>
  new Map(items.map((item) => [keyIn(item.json, evidence), item]))

const keysIn = (order: Order, isKept: (key: string) => boolean): ReadonlyArray<string> =>
  [...order.keys()].filter(isKept)

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.every((key, index) => key === other[index])

/** Where an object stands, from 1 on, and how many objects that did not change stand before it. */
interface Standing {
  readonly place: number
  readonly behind: number
}

/** Where each object stands. */
function places(order: Order, isSteady: (key: string) => boolean) {
  const found = new Map<string, Standing>()
  let behind = 0
  for (const key of order.keys()) {
    found.set(key, { place: found.size + 1, behind })
    if (isSteady(key)) behind += 1
  }
  return found
}

/** In words, how an object moved; others that changed may have moved as well, so that its place is the same. */
const moveOf = (was: Standing | undefined, is: Standing | undefined): string => {
  if (was?.place !== is?.place) return `moved from place ${was?.place} to ${is?.place}`
  return was?.behind === is?.behind
    ? "changed places with others that changed"
    : `stands behind ${is?.behind} of the objects that did not change, and stood behind ${was?.behind}`
}

/**
 * Where an object that changed, or is new, stands otherwise than at the place that it had, or at the end. That new ones
 * stand at the end is the text's best practice only, so it is recorded.
 */
function shifts(list: string, before: Order, after: Order): OfOneList {
  const isKnown = (key: string) => before.has(key) && after.has(key)
  const stamp = (order: Order, key: string) => stampOf(order.get(key)?.json ?? {})
  const isSteady = (key: string) => isKnown(key) && stamp(before, key) === stamp(after, key)
  const changed = keysIn(after, (key) => isKnown(key) && !isSteady(key))
  const added = keysIn(after, (key) => !before.has(key))
  if (changed.length + added.length === 0) return { skip: "no object of it changed while the run went on" }
  // Without a change it is a finding of PAGE-010.
  if (!isSame(keysIn(before, isSteady), keysIn(after, isSteady)))
    return { skip: "objects that did not change stand in another order too" }
  const [was, is] = [places(before, isSteady), places(after, isSteady)]
  const told = (key: string, message: string, strength: Strength): Finding => ({
    ...finding(after.get(key)?.seen, `${list}: ${message}: ${consequence}`, {
      expected: "objects in the order in which they were created, whatever changes",
      actual: message
    }),
    strength
  })
  const passed = changed.filter((key) => was.get(key)?.behind !== is.get(key)?.behind)
  const [former, present] = [keysIn(before, isKnown), keysIn(after, isKnown)]
  // Those that changed may stand between the same others, and in another order among themselves.
  const jumped = passed.length > 0 ? passed : present.filter((key, index) => key !== former[index])
  const last = Math.max(...present.map((key) => is.get(key)?.place ?? 0))
  const nameOf = (key: string) => idInWords(after.get(key)?.json)
  return [
    ...jumped.map((key) =>
      told(key, `${nameOf(key)} changed and ${moveOf(was.get(key), is.get(key))}`, "should")
    ),
    ...added
      .filter((key) => (is.get(key)?.place ?? 0) < last)
      .map((key) =>
        told(
          key,
          `${nameOf(key)} is new and stands at place ${is.get(key)?.place}, before objects that were there`,
          "may"
        )
      )
  ]
}

const lists = eachList(["list", "crawl", "after"], (list, evidence) => {
  if (list === ended) return { skip: "its objects do not change" }
  const before = wholeList(evidence, list)
  const after = listedLater(evidence, list, "after")
  if (before === undefined || after === undefined) return { skip: "not read to the end twice" }
  return shifts(list, orderOf(before, evidence), orderOf(after, evidence))
})

/** Judge that a list keeps its order while its objects change (transport_and_format, Paginated Response). */
export const movingPagesChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-030",
    // The partner changes objects of its own accord, and because of what the run commands.
    phase: "watch",
    title: "Pagination: an object that changes keeps its place in the list",
    strength: "should",
    reference: "transport_and_format, Paginated Response",
    sends: "GET each list page by page early and late in the run, which makes objects change meanwhile",
    passes: "an object that changed meanwhile keeps its place; recorded: whether new objects are at the end",
    hint: "Sort by the time of creation, oldest first, and not by last_updated.",
    needs: (scope) => lists.needs(scope).filter((need) => need !== `${ended}.after`),
    judge: (evidence) => {
      const is = lists.judge(evidence)
      return is.is === "inconclusive" && is.blockedBy === undefined
        ? inconclusive("unobservable", is.reason)
        : is
    }
  }
]
