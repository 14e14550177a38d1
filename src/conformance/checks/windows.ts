/** Filters of a list: which objects a window of time lets through, and whose they are. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { isObject, itemsOf, named, nextOf, shown, statusLine, succeeded } from "../answers.ts"
import type { Check, Finding } from "../Check.ts"
import { type Answered, type Evidence, isWithheld } from "../Evidence.ts"
import { newestChange } from "../probes/changes.ts"
import { pagesOf } from "../probes/lists.ts"
import { type Dated, datedOf, middleOf, windowNames } from "../probes/paging.ts"
import { identity } from "./crawling.ts"
import { eachList, needing, type OfOneList, pagingBase } from "./eachList.ts"
import { at } from "./findings.ts"
import { notHeeded } from "./pages.ts"

const halfOpen = versionsWhere(({ dateBounds }) => dateBounds === "half_open")
const reference = "transport_and_format, Pagination; GET parameters of the modules' Sender Interface"

/** A filtered list: what came, and whether it was read to its end. */
interface Filtered {
  readonly pages: ReadonlyArray<Answered>
  readonly items: ReadonlyArray<{ readonly seen: Answered; readonly index: number; readonly json: unknown }>
  readonly keys: ReadonlySet<string>
  readonly whole: boolean
}

const filtered = (evidence: Evidence, probe: string): Filtered | { readonly skip: string } => {
  const gathered = evidence.gathered(probe)
  if (gathered === undefined) return { skip: "not asked" }
  if (isWithheld(gathered)) return { skip: gathered.reason }
  const pages = evidence.answered(probe)
  if (pages.length === 0 || pages.some((page) => itemsOf(page) === undefined))
    return { skip: "the filtered list is no list" }
  const items = pages.flatMap((seen) => (itemsOf(seen) ?? []).map((json, index) => ({ seen, index, json })))
  return {
    pages,
    items,
    keys: new Set(items.map(({ json }) => identity(json))),
    whole: pages.every((page, index) => index < pages.length - 1 || nextOf(page) === undefined)
  }
}

const millisOf = (json: unknown) => (isObject(json) ? dateTimeMillis(json["last_updated"]) : undefined)

/** Objects that the filter should have kept out. */
const intruders = (
  list: string,
  { items }: Filtered,
  isOut: (millis: number) => boolean,
  expected: string
): ReadonlyArray<Finding> =>
  items.flatMap(({ index, json, seen }) => {
    const millis = millisOf(json)
    return millis === undefined || !isOut(millis)
      ? []
      : [
          at(seen, `/data/${index}/last_updated`, `${list}: an object outside the window`, {
            expected,
            actual: isObject(json) ? json["last_updated"] : undefined
          })
        ]
  })

/** Known objects that the filter should have let through. */
const losses = (
  list: string,
  { keys, pages, whole }: Filtered,
  known: ReadonlyArray<Dated>,
  expected: string
): ReadonlyArray<Finding> =>
  whole
    ? known
        .filter(({ json }) => !keys.has(identity(json)))
        .map(({ json, text }) => ({
          message: `${list}: ${identity(json)}, last updated ${text}, is missing`,
          expected,
          actual: "absent",
          ...(pages[0] === undefined ? {} : { exchangeId: pages[0].exchange.id })
        }))
    : []

/** Judges a filtered list by the object in the middle, whose instant is the bound. */
const byMiddle = (
  suffix: "from-middle" | "to-middle",
  judge: (list: string, found: Filtered, middle: Dated, known: ReadonlyArray<Dated>) => OfOneList
) =>
  eachList((list, evidence) => {
    const found = filtered(evidence, `${list}.${suffix}`)
    const middle = middleOf(evidence, list)
    if ("skip" in found) return found
    return middle === undefined
      ? { skip: "fewer than two objects with different last_updated" }
      : judge(list, found, middle, datedOf(evidence, list))
  })

export const windowsChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-019",
    versions: halfOpen,
    title: "Includes date_from itself",
    reference,
    sends: "GET each list with date_from = last_updated of an object in the middle",
    passes: "the object is in the list",
    hint: "date_from is inclusive: compare with >=.",
    needs: needing("list", "crawl", "from-middle"),
    judge: byMiddle("from-middle", (list, found, middle, known) =>
      losses(
        list,
        found,
        known.filter(({ millis }) => millis === middle.millis),
        `objects of ${middle.text} and later`
      )
    )
  },
  {
    ...pagingBase,
    id: "PAGE-020",
    versions: halfOpen,
    title: "Excludes date_to itself",
    reference,
    sends: "GET each list with date_to = last_updated of an object in the middle",
    passes: "the object is not in the list",
    hint: "date_to is exclusive: compare with <, so that windows next to one another share nothing.",
    needs: needing("list", "crawl", "to-middle"),
    judge: byMiddle("to-middle", (list, found, middle) =>
      intruders(list, found, (millis) => millis === middle.millis, `before ${middle.text}`)
    )
  },
  {
    ...pagingBase,
    id: "PAGE-021",
    title: "Brings what was updated since date_from, and nothing else",
    reference,
    sends: "GET each list with date_from in the middle of its objects",
    passes: "nothing older than date_from, and every newer object that is known",
    hint: "Filter by last_updated of the object, which moves with every change of its parts.",
    needs: needing("list", "crawl", "from-middle"),
    judge: byMiddle("from-middle", (list, found, middle, known) => [
      ...intruders(list, found, (millis) => millis < middle.millis, `not before ${middle.text}`),
      ...losses(
        list,
        found,
        known.filter(({ millis }) => millis > middle.millis),
        `objects later than ${middle.text}`
      )
    ])
  },
  {
    ...pagingBase,
    id: "PAGE-022",
    title: "Brings what was updated before date_to, and nothing else",
    reference,
    sends: "GET each list with date_to in the middle of its objects",
    passes: "nothing newer than date_to, and every older object that is known",
    hint: "Filter by last_updated of the object.",
    needs: needing("list", "crawl", "to-middle"),
    judge: byMiddle("to-middle", (list, found, middle, known) => [
      ...intruders(list, found, (millis) => millis > middle.millis, `not after ${middle.text}`),
      ...losses(
        list,
        found,
        known.filter(({ millis }) => millis < middle.millis),
        `objects earlier than ${middle.text}`
      )
    ])
  },
  {
    ...pagingBase,
    id: "PAGE-024",
    versions: halfOpen,
    title: "Windows next to one another fit together",
    reference,
    sends: "GET each list for a window before the middle, one from there on, and both in one",
    passes: "the first two share nothing, and are together the third",
    hint: "Whoever polls window by window must see each object once: from inclusive, to exclusive.",
    needs: needing("list", "crawl", ...windowNames),
    judge: eachList((list, evidence) => {
      const [before, after, both] = windowNames.map((name) => filtered(evidence, `${list}.${name}`))
      if (before === undefined || after === undefined || both === undefined) return { skip: "not asked" }
      if ("skip" in before) return before
      if ("skip" in after) return after
      if ("skip" in both) return both
      if (![before, after, both].every(({ whole }) => whole))
        return { skip: "too long to be read to the end" }
      const parts = new Set([...before.keys, ...after.keys])
      const problems = [
        ...[...before.keys].filter((key) => after.keys.has(key)).map((key) => `${key} is in both windows`),
        ...[...both.keys].filter((key) => !parts.has(key)).map((key) => `${key} is in neither window`),
        ...[...parts].filter((key) => !both.keys.has(key)).map((key) => `${key} is in one window only`)
      ]
      return problems.map((message) => ({
        message: `${list}: ${message}`,
        expected: "two windows that share nothing and make up the third",
        actual: `${before.keys.size} and ${after.keys.size} objects, ${both.keys.size} in both at once`,
        ...(both.pages[0] === undefined ? {} : { exchangeId: both.pages[0].exchange.id })
      }))
    })
  },
  {
    ...pagingBase,
    id: "PAGE-025",
    title: "Refuses a date_from that is no instant",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "GET each list with date_from=yesterday and with a date that no calendar has",
    passes: "status_code 2001 or HTTP 400; no 5xx, and not the whole list",
    hint: "A filter that cannot be read must not be left out: the caller would take all for what is new.",
    needs: needing("list", "not-instants"),
    judge: eachList((list, evidence) =>
      notHeeded(list, evidence, `${list}.not-instants`, "status_code 2001 or HTTP 400")
    )
  },
  {
    ...pagingBase,
    id: "PAGE-026",
    title: "Finds nothing in a window that ends before it begins",
    strength: "should",
    reference,
    sends: "GET each list with date_from later than date_to",
    passes: "an empty list, or status_code 2001",
    needs: needing("list", "crawl", "reversed"),
    judge: eachList((list, evidence) => {
      const asked = evidence.gathered(`${list}.reversed`)
      if (asked !== undefined && isWithheld(asked)) return { skip: asked.reason }
      return evidence.answered(`${list}.reversed`).flatMap((seen) => {
        const wrong = seen.response.httpStatus >= 500 || (succeeded(seen) && itemsOf(seen)?.length !== 0)
        return wrong
          ? [
              {
                message: `${named(seen)} answered ${statusLine(seen)}, ${itemsOf(seen)?.length ?? "no"} objects`,
                expected: "[], or status_code 2001",
                actual: statusLine(seen),
                exchangeId: seen.exchange.id
              }
            ]
          : []
      })
    })
  },
  {
    ...pagingBase,
    id: "PAGE-027",
    versions: versionsWhere(({ ownerFields }) => ownerFields),
    title: "Lists objects of its own parties",
    strength: "should",
    reference: "transport_and_format, Client Owned Object Push; credentials, CredentialsRole class",
    sends: "follows the links of each list",
    passes: "country_code and party_id of each object are those of one of the partner's roles",
    hint: "Name in your credentials every party whose objects you serve.",
    needs: needing("list", "crawl"),
    judge: eachList((list, evidence) => {
      const { parties } = evidence.party.counterpart
      if (parties === null || parties.length === 0) return { skip: "the partner's parties are not known" }
      const names = new Set(
        parties.map(({ countryCode, partyId }) => `${countryCode}-${partyId}`.toUpperCase())
      )
      const owned = pagesOf(evidence, list).flatMap((seen) =>
        (itemsOf(seen) ?? []).flatMap((json, index) =>
          isObject(json) && typeof json["country_code"] === "string" && typeof json["party_id"] === "string"
            ? [{ seen, index, owner: `${json["country_code"]}-${json["party_id"]}` }]
            : []
        )
      )
      if (owned.length === 0) return { skip: "no object names its owner" }
      return owned
        .filter(({ owner }) => !names.has(owner.toUpperCase()))
        .map(({ index, owner, seen }) =>
          at(
            seen,
            `/data/${index}/party_id`,
            `${list}: the object is of a party that the credentials do not name`,
            {
              expected: shown([...names]),
              actual: owner
            }
          )
        )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-028",
    // It changes things while it is listened to, and because of what was written.
    phase: "watch",
    title: "Lists what it has told us of",
    reference,
    sends: "GET each list with date_from a second before the newest change that the partner sent to us",
    passes: "the changed object is in the list",
    hint: "Whatever changes an object moves its last_updated, in the list as in the message.",
    needs: needing("changed"),
    judge: eachList((list, evidence) => {
      const change = newestChange(evidence, list)
      const found = filtered(evidence, `${list}.changed`)
      if ("skip" in found) return found
      if (change === undefined || !found.whole) return { skip: "the list goes on on further pages" }
      const isThere = found.items.some(({ json }) => {
        const id = isObject(json) ? (json["id"] ?? json["uid"]) : undefined
        return typeof id === "string" && id.toUpperCase() === change.id.toUpperCase()
      })
      return isThere
        ? []
        : [
            {
              message: `${list}: ${change.id}, whose change was sent to us, is not in the list since then`,
              expected: change.id,
              actual: `${found.items.length} other objects`,
              ...(found.pages[0] === undefined ? {} : { exchangeId: found.pages[0].exchange.id })
            }
          ]
    })
  }
]
