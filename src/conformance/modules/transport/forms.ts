/** Checks that requests in other allowed forms get the same response. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, itemsOf, named, nextOf, statusLine, succeeded } from "../../../findings/answers.ts"
import { accepted, noServerError } from "../../../findings/expectations.ts"
import { at, finding, unexpected, unless } from "../../../findings/finding.ts"
import { objectIn } from "../../../findings/json.ts"
import { type Check, either, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { isWithheld } from "../../model/Evidence.ts"
import { expects } from "../../model/expects.ts"
import { nameOfItem } from "../paging/crawling.ts"
import { eachList } from "../paging/eachList.ts"
import { identity, lastReading, type Movers, moversOf, moving } from "../paging/movement.ts"
import { dateForms } from "../paging/pagingProbes.ts"

const base = { module: "transport", versions: versionNumbers, roles: either, mode: "RO" } as const

/** The objects of an answer that did not move: their keys, and the names that people know them by. */
const still = (seen: Answered, movers: Movers) => {
  const items = (itemsOf(seen) ?? []).filter((item) => !movers.has(identity(item)))
  return {
    keys: items.map(identity).toSorted().join(", "),
    names: items.map(nameOfItem).toSorted().join(", ")
  }
}

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
    hint: "Ids are CiStrings: compare them without regard to case.",
    ...expects(["flipped-id"], accepted, (seen) => {
      const { id } = objectIn(dataOf(seen))
      return unless(typeof id === "string" && id.toUpperCase() === seen.about.toUpperCase(), () =>
        at(seen, "/data/id", "another object came", { expected: seen.about, actual: id })
      )
    })
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
    hint: "Z and fractions are optional when a DateTime is read.",
    partial: true,
    ...eachList(["list", "crawl", dateForms, lastReading], (list, evidence) => {
      const gathered = evidence.gathered(`${list}.${dateForms}`)
      if (gathered !== undefined && isWithheld(gathered)) return { skip: gathered.reason }
      const seen = evidence.answered(`${list}.${dateForms}`)
      const usual = seen[0]
      if (usual === undefined || itemsOf(usual) === undefined)
        return { skip: "date_from is not understood at all" }
      const movers = moversOf(evidence, list)
      // What moves shifts others over the border of the page.
      if (movers.size > 0 && seen.some((one) => nextOf(one) !== undefined)) return moving(list, movers)
      const wanted = still(usual, movers)
      return seen.slice(1).flatMap((one) => {
        if (itemsOf(one) === undefined) return [unexpected(one, "HTTP 200, status_code 1000")]
        const brought = still(one, movers)
        return unless(brought.keys === wanted.keys, () =>
          finding(one, `${named(one)} brings other objects than ${usual.about}`, {
            expected: wanted.names,
            actual: brought.names
          })
        )
      })
    })
  }
]
