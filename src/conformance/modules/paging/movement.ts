/**
 * What changed in a list while it was read. The last reading of a list is compared with the first: objects that moved
 * between the two say nothing about pages, filters and totals that were read meanwhile, and they shift what stands after
 * them.
 */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { count, itemsOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { repeated } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Answered, type Evidence, isWithheld } from "../../model/Evidence.ts"
import { isWhole, lastReading, madeAt, pagesOf } from "../shared/lists.ts"
import type { OfOneList, Skipped } from "./eachList.ts"

/** What tells the objects of a list apart. Tokens may share a uid between types; the others have owner and id. */
export const identity = (item: unknown): string =>
  isObject(item)
    ? shown([
        item["country_code"],
        item["party_id"],
        item["id"] ?? item["uid"],
        item["uid"] === undefined ? null : item["type"]
      ]).toLowerCase()
    : shown(item)

/** The objects that changed, appeared or vanished while the list was read. */
export interface Movers {
  /** Is it one of those that are known, by `identity`? */
  readonly has: (key: string) => boolean
  /** How many they were: not fewer than the totals of the list differed by. */
  readonly size: number
}

const nothing: Movers = new Set<string>()

/** The changes of each object that a reading shows: one, or several where it changed between two pages. */
const statesIn = (pages: ReadonlyArray<Answered>): ReadonlyMap<string, ReadonlySet<string>> => {
  const states = new Map<string, Set<string>>()
  for (const item of pages.flatMap((page) => itemsOf(page) ?? [])) {
    const stamp = isObject(item) ? item["last_updated"] : undefined
    const known = states.get(identity(item)) ?? new Set()
    states.set(identity(item), known.add(typeof stamp === "string" ? stamp : JSON.stringify(item)))
  }
  return states
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every((state) => b.has(state))

/** Identities that the first reading of the list has more than once: nobody can tell which of the objects another reading has. */
export const sharedIn = (evidence: Evidence, list: string): ReadonlySet<string> =>
  new Set(
    repeated(
      pagesOf(evidence, list).flatMap((page) => itemsOf(page) ?? []),
      identity
    ).map(identity)
  )

/**
 * Did the object change, or appear, since then? One that was there all the time has an older stamp: then a reading without
 * it has left it out.
 */
const isSince = (states: ReadonlySet<string>, millis: number): boolean =>
  [...states].some((state) => isNotBefore(state, millis))

/** A stamp without a fraction may stand for any moment of its second. */
const isNotBefore = (stamp: unknown, millis: number): boolean => {
  const at = dateTimeMillis(stamp) ?? Number.NEGATIVE_INFINITY
  return at >= (at % 1000 === 0 ? Math.floor(millis / 1000) * 1000 : millis)
}

/** Did the object change, or appear, after the page was made? */
export const isChangedSince = (item: unknown, page: Answered): boolean =>
  isObject(item) && isNotBefore(item["last_updated"], madeAt(page))

/** Ends of the ids of probes that read the list between its first and its last reading, whole or in parts. */
const unfiltered = ["limit1", "offsets", "tail", "huge", "by1", "by7"]
/** Those that read a part of it by the time of the last change. */
const filtered = [
  ...["filtered", "filtered.next", "from-middle", "to-middle"],
  ...["window.before", "window.after", "window.both", "date-forms"]
]

/** By how much the totals differ that pages of the whole list told. */
const swayOf = (pages: ReadonlyArray<Answered>): number => {
  const totals = pages.flatMap((page) => count(page, "x-total-count") ?? [])
  return totals.length === 0 ? 0 : Math.max(...totals) - Math.min(...totals)
}

/**
 * What moved in the list; nothing when it was not read a second time. What came and went between the two readings is in
 * neither, but a page that was read between them may show it.
 */
export const moversOf = (evidence: Evidence, list: string): Movers =>
  evidence.once(`${list}.movers`, (): Movers => {
    const again = evidence.gathered(`${list}.${lastReading}`)
    const [first, last] = [pagesOf(evidence, list), evidence.answered(`${list}.${lastReading}`)]
    if (
      again === undefined ||
      isWithheld(again) ||
      [...first, ...last].some((page) => itemsOf(page) === undefined)
    )
      return nothing
    const [before, after] = [statesIn(first), statesIn(last)]
    const read = (suffixes: ReadonlyArray<string>) =>
      suffixes.flatMap((suffix) => evidence.answered(`${list}.${suffix}`))
    const parts = read(unfiltered)
    const meanwhile = statesIn([...parts, ...read(filtered)])
    const [page] = first
    if (page === undefined) return nothing
    const changed = [...before].filter(([key, states]) => {
      const now = after.get(key)
      return now === undefined ? isWhole(last) : !isSame(states, now)
    })
    // Whatever changed after the first page was made, also while the first reading went on.
    const since = [...before, ...meanwhile, ...after].filter(([, states]) => isSince(states, madeAt(page)))
    const known = isWhole(first) ? since : since.filter(([key]) => before.has(key))
    const keys = new Set([...changed, ...known].map(([key]) => key))
    // A list of which nothing is known to have moved has totals that must agree.
    if (keys.size === 0) return nothing
    return { has: (key) => keys.has(key), size: Math.max(keys.size, swayOf([...first, ...parts, ...last])) }
  })

/** The list is not judged, because of what moved. */
export const moving = (list: string, movers: Movers): Skipped => ({
  skip: `${movers.size} objects changed while ${list} was read: run again while fewer change`,
  outcome: "unobservable"
})

/**
 * Findings about objects that did not move. As many of them as objects moved are not held against the partner: each
 * object that moves shifts one other over the border of a page.
 */
export const despiteMovers = (list: string, movers: Movers, findings: ReadonlyArray<Finding>): OfOneList =>
  findings.length > 0 && findings.length <= movers.size ? moving(list, movers) : findings

/** Can the two numbers of objects differ by so much because of what moved? */
export const isExplained = (movers: Movers, a: number, b: number): boolean =>
  movers.size > 0 && Math.abs(a - b) <= movers.size
