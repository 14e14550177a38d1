/** Checks of the filters date_from and date_to. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { itemsOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { finding, when } from "../../../findings/finding.ts"
import { isRefusal } from "../../../findings/refusals.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { lastReading, perList, wholeLists } from "../shared/lists.ts"
import {
  byIds,
  eachAnswer,
  eachList,
  listedIn,
  type OfOneList,
  pagingBase,
  type Skipped,
  windowReference
} from "./eachList.ts"
import { type Filtered, filtered, intruders, losses } from "./filteredLists.ts"
import { namesOf } from "./itemNames.ts"
import { despiteMovers, identity, moversOf, sharedIn } from "./movement.ts"
import { refusesWrongInstants } from "./pages.ts"
import { type Dated, datedOf, middleOf, noMiddle, windowNames } from "./pagingProbes.ts"
import { wrongOffsets } from "./places.ts"

const halfOpen = versionsWhere(({ dateBounds }) => dateBounds === "half_open")

/** Which objects of a filtered list are meant, by milliseconds since 1970, and how that is said of the bound. */
interface Part {
  readonly has: (millis: number, bound: number) => boolean
  readonly expected: (bound: string) => string
}

/**
 * Judges a filtered list by the object in the middle, whose instant is the bound: what must not be in it, which an object
 * shows by its own last_updated, and what must be in it unless it moved meanwhile.
 */
const byMiddle = (
  suffix: "from-middle" | "to-middle",
  { not, unless, with: wanted }: { not?: Part; with?: Part; unless?: (found: Found) => Skipped | undefined }
) => {
  const judge: Parameters<typeof eachList>[1] = (list, evidence) => {
    const found = filtered(evidence, `${list}.${suffix}`)
    const middle = middleOf(evidence, list)
    if ("skip" in found) return found
    if (middle === undefined) return { skip: noMiddle, outcome: "unobservable" }
    const wrong =
      not === undefined
        ? []
        : intruders(
            list,
            evidence,
            found,
            (millis) => not.has(millis, middle.millis),
            not.expected(middle.text)
          )
    const movers = moversOf(evidence, list)
    if (wanted === undefined) return wrong.length > 0 ? wrong : unlessUnseen(list, found, middle, evidence)
    const known = datedOf(evidence, list).filter(
      ({ json, millis }) => wanted.has(millis, middle.millis) && !movers.has(identity(json))
    )
    const missing = losses(list, found, known, wanted.expected(middle.text))
    const told = wrong.length > 0 && missing.length === 0 ? unless?.({ list, evidence }) : undefined
    if (told !== undefined) return told
    if (wrong.length > 0) return [...wrong, ...missing]
    const offsets = missing.length > 0 ? wrongOffsets(list, evidence) : undefined
    return offsets ?? despiteMovers(list, movers, missing)
  }
  // What must not be in it, an object shows by itself.
  return {
    ...eachList(["list", "crawl", suffix, lastReading], wanted === undefined ? judge : byIds(judge)),
    ifGathered: perList("offsets")
  }
}

interface Found {
  readonly list: string
  readonly evidence: Evidence
}

/** Where date_from filters nothing at all, and so perhaps no date does, PAGE-023 reports the list with a date_from in the future. */
const isUnfiltered = ({ evidence, list }: Found): Skipped | undefined => {
  const [future] = evidence.answered(`${list}.future`)
  return future !== undefined && (itemsOf(future) ?? []).length > 0
    ? { skip: "a date_from in the future filters nothing either", by: "PAGE-023" }
    : undefined
}

/** What must not be in the list was not: unless it may stand on a page that was not read, or has changed meanwhile. */
const unlessUnseen = (
  list: string,
  { whole }: Filtered,
  { millis }: Dated,
  evidence: Evidence
): OfOneList => {
  const movers = moversOf(evidence, list)
  const isThere = datedOf(evidence, list).some(
    (one) => one.millis === millis && !movers.has(identity(one.json))
  )
  if (!isThere) return { skip: "the object whose last_updated was asked for changed meanwhile" }
  return whole ? [] : { skip: "too long to be read to the end" }
}

/** The check that reports of the list with one bound alone that it brings the object, or lacks it, against that bound. */
const reportedBy = (list: string, key: string, evidence: Evidence): string | undefined => {
  const middle = middleOf(evidence, list)
  const millis = datedOf(evidence, list).find(({ json }) => identity(json) === key)?.millis
  if (middle === undefined || millis === undefined) return undefined
  const isIn = (suffix: "from-middle" | "to-middle") => {
    const found = filtered(evidence, `${list}.${suffix}`)
    return "skip" in found || !(found.whole || found.keys.has(key)) ? undefined : found.keys.has(key)
  }
  if (millis === middle.millis) {
    if (isIn("to-middle") === true) return "PAGE-020"
    return isIn("from-middle") === false ? "PAGE-019" : undefined
  }
  const isOlder = millis < middle.millis
  if (isIn("from-middle") === isOlder) return "PAGE-021"
  return isIn("to-middle") === !isOlder ? "PAGE-022" : undefined
}

/** Judge the filters date_from and date_to of each list (transport_and_format, Pagination). */
export const windowsChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-019",
    versions: halfOpen,
    title: "Filter: date_from is inclusive",
    reference: windowReference,
    sends: "GET each list with date_from = last_updated of an object in the middle",
    passes: "the object is in the list",
    hint: "Compare last_updated with date_from by >=: date_from is inclusive.",
    ...byMiddle("from-middle", {
      with: { has: (millis, from) => millis === from, expected: (from) => `objects of ${from} and later` }
    })
  },
  {
    ...pagingBase,
    id: "PAGE-020",
    versions: halfOpen,
    // Where date_to filters nothing, nothing shows whether it is exclusive.
    requires: () => [{ check: "PAGE-022" }],
    title: "Filter: date_to is exclusive",
    reference: windowReference,
    sends: "GET each list with date_to = last_updated of an object in the middle",
    passes: "the object is not in the list",
    hint: "Compare last_updated with date_to by <: date_to is exclusive, so that adjacent windows share nothing.",
    ...byMiddle("to-middle", {
      not: { has: (millis, to) => millis === to, expected: (to) => `before ${to}` }
    })
  },
  {
    ...pagingBase,
    id: "PAGE-021",
    consequenceOf: ["PAGE-009", "LOC-014"],
    title: "Filter: date_from brings what was updated since, and nothing else",
    reference: windowReference,
    sends: "GET each list with date_from in the middle of its objects",
    passes: "nothing older than date_from, and every newer object that is known",
    hint: "Filter by last_updated of the object, which moves with every change of its parts.",
    ...byMiddle("from-middle", {
      not: { has: (millis, from) => millis < from, expected: (from) => `not before ${from}` },
      with: { has: (millis, from) => millis > from, expected: (from) => `objects later than ${from}` },
      unless: isUnfiltered
    })
  },
  {
    ...pagingBase,
    id: "PAGE-022",
    consequenceOf: ["LOC-014"],
    title: "Filter: date_to brings what was updated before, and nothing else",
    reference: windowReference,
    sends: "GET each list with date_to in the middle of its objects",
    passes: "nothing newer than date_to, and every older object that is known",
    hint: "Filter by last_updated of the object.",
    ...byMiddle("to-middle", {
      not: { has: (millis, to) => millis > to, expected: (to) => `not after ${to}` },
      with: { has: (millis, to) => millis < to, expected: (to) => `objects earlier than ${to}` },
      unless: isUnfiltered
    })
  },
  {
    ...pagingBase,
    id: "PAGE-024",
    consequenceOf: ["PAGE-019", "PAGE-020", "PAGE-021", "PAGE-022"],
    versions: halfOpen,
    title: "Filter: adjacent windows share no object and miss none",
    reference: windowReference,
    sends: "GET each list for a window before the middle, one from there on, and both in one",
    passes: "the first two share nothing, and are together the third",
    requires: wholeLists,
    ifGathered: perList("offsets"),
    hint: "Use inclusive date_from and exclusive date_to: a client that polls window by window must see each object once.",
    ...eachList(
      ["list", "crawl", ...windowNames, lastReading],
      byIds((list, evidence) => {
        const [before, after, both] = windowNames.map((name) => filtered(evidence, `${list}.${name}`))
        if (before === undefined || after === undefined || both === undefined) return { skip: "not asked" }
        if ("skip" in before) return before
        if ("skip" in after) return after
        if ("skip" in both) return both
        if (![before, after, both].every(({ whole }) => whole))
          return { skip: "too long to be read to the end" }
        const movers = moversOf(evidence, list)
        const nameOf = (key: string) => namesOf([...before.pages, ...after.pages, ...both.pages], [key])
        const parts = new Set([...before.keys, ...after.keys])
        const shared = sharedIn(evidence, list)
        const still = (keys: Iterable<string>) =>
          [...keys].filter((key) => !movers.has(key) && !shared.has(key))
        const problems = [
          ...still(before.keys)
            .filter((key) => after.keys.has(key))
            .map((key) => ({ key, what: "is in the list before the middle and in the list from there on" })),
          ...still(both.keys)
            .filter((key) => !parts.has(key))
            .map((key) => ({ key, what: "is in the list of the whole time and in neither half of it" })),
          ...still(parts)
            .filter((key) => !both.keys.has(key))
            .map((key) => ({
              key,
              what: "is in the list of one half of the time and not in that of the whole"
            }))
        ].map(({ key, what }) => ({ message: `${nameOf(key)} ${what}`, by: reportedBy(list, key, evidence) }))
        const [first] = problems
        if (first?.by !== undefined && problems.every(({ by }) => by !== undefined))
          return { skip: `one bound alone is not kept: ${first.message}`, by: first.by }
        const offsets = first === undefined ? undefined : wrongOffsets(list, evidence)
        if (offsets !== undefined) return offsets
        return despiteMovers(
          list,
          movers,
          problems.map(({ message }) =>
            finding(both.pages[0], `${list}: ${message}`, {
              expected: "two windows that share nothing and make up the third",
              actual: `${before.keys.size} and ${after.keys.size} objects, ${both.keys.size} in both at once`
            })
          )
        )
      })
    )
  },
  {
    ...pagingBase,
    id: "PAGE-025",
    title: "Filter: a date_from that is not a DateTime is refused",
    strength: "should",
    reference: "status_codes, 2xxx: Client errors",
    sends: "GET each list with date_from=yesterday and with a date that no calendar has",
    passes: "status_code 2001 or HTTP 400; no 5xx, and not the whole list",
    hint: "Refuse a filter that cannot be read: without it the caller would take all objects for new ones.",
    ...refusesWrongInstants("not-instants", "a date_from that is no DateTime")
  },
  {
    ...pagingBase,
    id: "PAGE-026",
    requires: () => [{ check: "PAGE-021" }, { check: "PAGE-022" }],
    title: "Filter: date_from after date_to brings no objects",
    strength: "should",
    reference: windowReference,
    sends: "GET each list with date_from later than date_to",
    passes: "an empty list, or status_code 2001",
    hint: "Answer an empty list: no object is both after date_from and before date_to.",
    ...eachAnswer(["list", "crawl", "reversed"], (seen) => {
      const items = listedIn(seen)
      const wrong = succeeded(seen) ? items?.length !== 0 : !isRefusal(seen)
      return when(wrong, () =>
        finding(seen, `${named(seen)} was answered ${statusLine(seen)}, ${items?.length ?? "no"} objects`, {
          expected: "[], or status_code 2001",
          actual: statusLine(seen)
        })
      )
    })
  }
]
