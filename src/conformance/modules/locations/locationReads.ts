/** Single locations, EVSEs and connectors: what is answered by their ids. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { dataOf, named } from "../../../findings/answers.ts"
import { mismatches, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, unexpected } from "../../../findings/finding.ts"
import { isObject, sameId } from "../../../findings/json.ts"
import { toldOtherwise } from "../../../findings/objectDifferences.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { madeAt } from "../shared/lists.ts"
import { flawKey } from "../shared/objects/objectFlaws.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { hasRenamedEvses } from "../shared/readings/newIds.ts"
import { sampled } from "./locationsProbes.ts"
import { locationsBase, locationsChapter } from "./readLocations.ts"

const base = {
  ...locationsBase,
  reference: `${locationsChapter}, GET Method of the Sender Interface`
} as const

/** Each answer to a probe with the listed object that it is about. */
const pairs = (evidence: Evidence, level: "location" | "evse" | "connector") =>
  evidence.answered(`locations.${level}`).flatMap((seen) => {
    const item = sampled(evidence)[level].find(({ about }) => about === seen.about)?.item
    return item === undefined ? [] : [{ seen, item }]
  })

/** The locations whose EVSEs differ from the listed ones in ids alone: by those nothing is found in them. */
const renamedLocations = (evidence: Evidence): ReadonlyArray<Answered> =>
  pairs(evidence, "location").flatMap(({ item, seen }) => {
    const data = dataOf(seen)
    return isObject(data) && hasRenamedEvses(item.json, data) ? [seen] : []
  })

/** Was a part of the location of that name read? */
const isBelow = ({ about }: Answered, location: string): boolean => about.startsWith(`${location} / `)

const sameAsListed =
  (level: "location" | "evse" | "connector") =>
  (evidence: Evidence): Judgement => {
    const all = pairs(evidence, level)
    const renamed = level === "location" ? [] : renamedLocations(evidence)
    const found = all.filter(({ seen }) => !renamed.some(({ about }) => isBelow(seen, about)))
    const [first] = renamed
    if (first !== undefined && all.length > 0 && found.length === 0)
      return blocked({
        check: "LOC-034",
        exchangeId: first.exchange.id,
        what: "the EVSEs or connectors of a location have other ids at each reading"
      })
    const still = found.filter(({ item, seen }) => !changedMeanwhile(item, seen))
    const flaws = found
      .filter((one) => !still.includes(one))
      .flatMap(({ item, seen }) => newFlaws(objectNames[level], item, seen, evidence))
    if (found.length > 0 && still.length === 0 && flaws.length === 0)
      return inconclusive("not_tested", `each ${level} that was read changed while the run went on`)
    return noneOf([
      ...still.flatMap(({ item, seen }) => listedOtherwise(objectNames[level], item, seen, evidence)),
      ...flaws
    ])
  }

const objectNames = { location: "Location", evse: "EVSE", connector: "Connector" } as const

function listedOtherwise(
  name: ObjectName,
  item: Placed,
  seen: Answered,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const status = success(seen)
  if (status.length > 0) return status
  const data = dataOf(seen)
  if (!isObject(data))
    return [
      at(seen, "/data", `${named(seen)}: data is not an object`, { expected: "the object", actual: data })
    ]
  return toldOtherwise(profile, name, item.json, data).map(({ actual, expected, pointer }) =>
    at(seen, `/data${pointer}`, `${named(seen)} differs from the object in the list`, {
      expected: JSON.stringify(expected),
      actual
    })
  )
}

/** An object that has changed since it was listed is valid all the same: what breaks its schema now and did not in the list. */
function newFlaws(
  name: ObjectName,
  { json }: Placed,
  seen: Answered,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const schema = profile.objects[name]
  const listed = new Set(schema === undefined ? [] : violations(schema, json).map(flawKey))
  return mismatches(seen, schema, dataOf(seen), ["data"]).filter(
    ({ message, pointer = "" }) => !listed.has(flawKey({ message, pointer: pointer.slice("/data".length) }))
  )
}

/**
 * The same object, newer than in the list, or changed in the very second in which the list was made, which stamps of whole
 * seconds do not show: then the two need not be the same. A list that is stamped with the time of its answer looks so, too.
 */
function changedMeanwhile(item: Placed, seen: Answered): boolean {
  const data = dataOf(seen)
  const isSame = ["uid", "id"].every(
    (name) => !(name in item.json) || (isObject(data) && sameId(data[name], item.json[name]))
  )
  if (!isSame) return false
  const now = dateTimeMillis(isObject(data) ? data["last_updated"] : undefined)
  const then = dateTimeMillis(item.json["last_updated"])
  return (
    now !== undefined && then !== undefined && (now > then || Math.max(now, then) >= madeAt(item.seen) - 1000)
  )
}

/** Judge GET of single locations, EVSEs and connectors (mod_locations, Sender Interface, GET Method). */
export const locationReadsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-034",
    title: "GET of a location by id: the same object as in the list",
    sends: "GET of up to 3 of the listed locations by their ids",
    passes: "HTTP 200, status_code 1000; every field as in the list",
    hint: "Serve the list and the single object from the same data.",
    needs: () => [...base.needs(), "locations.location"],
    judge: sameAsListed("location")
  },
  {
    ...base,
    id: "LOC-035",
    consequenceOf: ["LOC-034"],
    title: "GET of an EVSE by uid: the same object as in the list",
    sends: "GET of an EVSE of those locations by its uid",
    passes: "HTTP 200, status_code 1000; data is the EVSE itself, every field as in its location",
    hint: "Put the EVSE that the URL names into data, not the location that contains it.",
    needs: () => [...base.needs(), "locations.evse"],
    judge: sameAsListed("evse")
  },
  {
    ...base,
    id: "LOC-036",
    title: "GET of a connector by id: the same object as in the list",
    sends: "GET of a connector of those EVSEs by its id",
    passes: "HTTP 200, status_code 1000; data is the connector itself, every field as in its EVSE",
    hint: "Put the connector that the URL names into data, not the EVSE that contains it.",
    needs: () => [...base.needs(), "locations.connector"],
    judge: sameAsListed("connector")
  },
  {
    ...base,
    id: "LOC-037",
    consequenceOf: ["TRANS-023"],
    title: "GET of an EVSE or connector below another parent: HTTP 404",
    strength: "should",
    reference: "status_codes",
    sends: "GET of an unknown EVSE, of an EVSE below another location, of a connector below another EVSE",
    passes: "HTTP 404 each time",
    hint: "Look up an EVSE or connector only below the parent that the URL names.",
    needs: () => [...base.needs(), "locations.misplaced"],
    judge: (evidence) =>
      noneOf(
        evidence
          .answered("locations.misplaced")
          .filter(({ response }) => response.httpStatus !== 404)
          .map((seen) => unexpected(seen, "HTTP 404"))
      )
  }
]
