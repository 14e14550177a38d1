/** Checks that requests in other allowed forms get the same response. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, itemsOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { accepted, noServerError } from "../../../findings/expectations.ts"
import { at, finding, unexpected, unless } from "../../../findings/finding.ts"
import { objectIn } from "../../../findings/json.ts"
import { type Check, either, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { isWithheld } from "../../model/Evidence.ts"
import { expects } from "../../model/expects.ts"
import { byIds, eachList } from "../paging/eachList.ts"
import { nameOfItem } from "../paging/itemNames.ts"
import { identity, isChangedSince } from "../paging/movement.ts"
import { lastReading, perList } from "../shared/lists.ts"

const base = { module: "transport", versions: versionNumbers, roles: either, mode: "RO" } as const

const keysOf = (seen: Answered) => (itemsOf(seen) ?? []).map(identity)

/** The objects that changed after the first of the answers was made, or that are not in both. */
const movedBetween = (first: Answered, last: Answered): ReadonlySet<string> => {
  const [before, after] = [new Set(keysOf(first)), new Set(keysOf(last))]
  const since = [first, last]
    .flatMap((page) => itemsOf(page) ?? [])
    .filter((item) => isChangedSince(item, first))
    .map(identity)
  return new Set([...since, ...[...before, ...after].filter((key) => before.has(key) !== after.has(key))])
}

/** The same objects but for those that moved: each of them may have shifted another over the border of the page. */
const isAlike = (one: Answered, usual: Answered, movers: ReadonlySet<string>): boolean => {
  const [some, others] = [new Set(keysOf(one)), new Set(keysOf(usual))]
  const own = (itemsOf(one) ?? []).filter((item) => isChangedSince(item, usual)).map(identity)
  const moved = new Set([...movers, ...own])
  const differing = [...new Set([...some, ...others])].filter(
    (key) => some.has(key) !== others.has(key) && !moved.has(key)
  )
  return differing.length <= moved.size
}

const namesOf = (seen: Answered) => (itemsOf(seen) ?? []).map(nameOfItem).toSorted().join(", ")

/** Judge that requests in other allowed forms get the same response (transport_and_format). */
export const formsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-039",
    // An EMSP gives no objects of its own by their id.
    roles: ["CPO"],
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    title: "Ids: objects are found without regard to case",
    strength: "must",
    reference: "types, CiString type",
    sends: "GET of a location with the letters of its id in the other case",
    passes: "the same location",
    hint: "Compare ids without regard to case: they are CiStrings.",
    // What is wrong with each location that is given by its id says nothing about letters.
    requires: () => [{ check: "LOC-034" }],
    ...expects(["flipped-id"], accepted, (seen) => {
      const { id } = objectIn(dataOf(seen))
      return unless(typeof id === "string" && id.toUpperCase() === seen.about.toUpperCase(), () =>
        at(seen, "/data/id", id === undefined ? "no object with an id came" : "another object came", {
          expected: seen.about,
          actual: id
        })
      )
    }),
    needs: () => ["flipped-id", "locations.location"]
  },
  {
    ...base,
    id: "TRANS-040",
    title: "Endpoints: a slash at the end of the URL is answered without a server error",
    strength: "may",
    reference: "transport_and_format, Interface endpoints",
    sends: "GET of each list with a slash at the end of its URL, or without the one that it has",
    passes: "recorded; no 5xx",
    needs: () => ["trailing-slash"],
    judge: (evidence) => {
      const seen = evidence.answered("trailing-slash")
      return noneOf(
        seen.flatMap(noServerError),
        seen
          .map((one) => `${one.exchange.module}: ${succeeded(one) ? "the same" : statusLine(one)}`)
          .join("; ")
      )
    }
  },
  {
    ...base,
    id: "TRANS-044",
    versions: versionsWhere(({ messageIds }) => messageIds),
    title: "DateTime: read with Z, without it, and with fractions of a second",
    strength: "must",
    reference: "types, DateTime type",
    sends: "GET of each list with one date_from, with Z, without it, and with fractions of a second",
    passes: "all are accepted and bring the same objects",
    hint: "Accept a DateTime with and without Z, and with and without fractions of a second.",
    partial: true,
    ifGathered: perList(lastReading),
    ...eachList(
      ["list", "crawl", "date-forms"],
      byIds((list, evidence) => {
        const gathered = evidence.gathered(`${list}.date-forms`)
        if (gathered !== undefined && isWithheld(gathered)) return { skip: gathered.reason }
        const seen = evidence.answered(`${list}.date-forms`)
        const usual = seen[0]
        if (usual === undefined || itemsOf(usual) === undefined)
          return { skip: "no form of date_from is understood" }
        const movers = movedBetween(usual, seen.at(-1) ?? usual)
        return seen.slice(1).flatMap((one) => {
          if (itemsOf(one) === undefined) return [unexpected(one, "HTTP 200, status_code 1000")]
          return unless(isAlike(one, usual, movers), () =>
            finding(one, `${named(one)} brings other objects than ${usual.about}`, {
              expected: namesOf(usual),
              actual: namesOf(one)
            })
          )
        })
      })
    )
  }
]
