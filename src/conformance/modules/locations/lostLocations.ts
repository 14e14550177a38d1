/** Locations that a CPO has listed or pushed, and does not list any more. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { isClientError, statusLine } from "../../../findings/answers.ts"
import { finding, given } from "../../../findings/finding.ts"
import { indexed, type JsonObject, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { wholeLists } from "../shared/lists.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import { pushedObjects } from "../shared/pushedObjects.ts"
import { listedLater, readTwice } from "../shared/readings/laterReads.ts"
import { locationsBase } from "./readLocations.ts"

/** Locations that are asked for by their ids. */
const mostAsked = 5
/** Pushes of longer ago may be about other data: a test system is filled anew now and then. */
const recentMillis = dayMillis
const single = "locations.lost"

interface Known {
  readonly id: string
  /** As it was last listed or pushed whole. */
  readonly json: JsonObject
}

/** Locations that were listed when the run began, or pushed whole since a day before it. */
function knownLocations(evidence: Evidence): ReadonlyArray<Known> {
  const oldest = Date.parse(evidence.startedAt) - recentMillis
  const pushed = pushedObjects(evidence, "locations").flatMap(({ body, came, ids, method }) =>
    method === "PUT" && ids.length === 1 && came > oldest ? [{ id: ids[0], json: body }] : []
  )
  const listed = objectsOf(evidence, "locations").flatMap(({ json }) => {
    const id = textIn(json["id"])
    return id === undefined ? [] : [{ id, json }]
  })
  return [...new Map([...listed, ...pushed].map((one) => [one.id.toUpperCase(), one])).values()]
}

/** Those of them that neither of the later readings has; undefined when these were not read to their end. */
function lost(evidence: Evidence): ReadonlyArray<Known> | undefined {
  const [after, third] = (["after", "once-more"] as const).map((moment) =>
    listedLater(evidence, "locations", moment)
  )
  if (after === undefined) return undefined
  const isIn = [after, third ?? []].map((items) => indexed(items, ({ json }) => [json["id"]]))
  return knownLocations(evidence).filter(({ id }) => isIn.every((found) => found(id) === undefined))
}

/** Each of its EVSEs was REMOVED before, or it has none: then the text takes the location for expired. */
function isExpired({ id, json }: Known, evidence: Evidence): boolean {
  const pushes = pushedObjects(evidence, "locations").filter(({ ids }) => sameId(ids[0], id))
  return objectsIn(json["evses"]).every(
    ({ status, uid }) =>
      status === "REMOVED" ||
      pushes.some(({ body, ids }) => sameId(ids[1], uid) && body["status"] === "REMOVED")
  )
}

const readings = ({ profile }: Evidence): Ambiguity => ({
  readings: [
    profile.ownerFields
      ? "a location is never deleted: its EVSEs become REMOVED"
      : "there is no direct way to delete a location: its EVSEs become REMOVED",
    "a location that the list leaves out is not valid any more"
  ],
  section: "mod_locations, Flow and Lifecycle; GET List Response Data"
})

function judge(evidence: Evidence): Judgement {
  const gone = lost(evidence)
  if (gone === undefined) return inconclusive("not_tested", "the list was not read to its end a second time")
  const known = knownLocations(evidence).length
  if (known === 0) return inconclusive("unobservable", "no location was listed or pushed before")
  const asked = evidence.answered(single)
  return noneOf(
    gone
      .filter((one) => !isExpired(one, evidence))
      .flatMap(({ id }) => {
        const seen = asked.find(({ about }) => sameId(about, id))
        // Any other refusal says nothing of the location.
        const isUnknown = seen !== undefined && (seen.response.httpStatus === 404 || isClientError(seen))
        return given(isUnknown ? seen : undefined, (seen) => ({
          ...finding(
            seen,
            `the location ${id} was known before, is not listed any more, and its EVSEs were not REMOVED`,
            {
              expected: "the location with REMOVED EVSEs, in the list or by its id",
              actual: statusLine(seen)
            }
          ),
          ambiguous: readings(evidence)
        }))
      }),
    `${known} locations looked for`
  )
}

/** Judges that locations stay in the list (mod_locations, Flow and Lifecycle). */
export const lostLocationsChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-048",
    phase: "watch",
    title: "Location: stays in the list until all of its EVSEs are REMOVED",
    strength: "should",
    reference: "mod_locations, Flow and Lifecycle; GET Method of the Sender Interface",
    sends:
      "GET locations early and late in the run, then GET by its id of each location that has left the list",
    passes:
      "each location that was listed or pushed before is listed, or found by its id, or all its EVSEs were REMOVED",
    hint: "Set the EVSEs of the location to REMOVED and push them, before the location leaves your list.",
    requires: wholeLists,
    needs: () => ["inbound", ...readTwice("locations"), single],
    judge: onAllCalls("inbound", ["locations"], judge)
  }
]

/** GET by id of locations that are not listed any more. */
export const lostLocationsProbes: ReadonlyArray<Probe> = [
  {
    id: single,
    after: ["inbound", ...readTwice("locations")],
    asks: (evidence) =>
      (lost(evidence) ?? []).slice(0, mostAsked).map(({ id }) => ({
        module: "locations",
        interfaceRole: "SENDER" as const,
        operation: "GET location, afterwards",
        path: [id],
        about: id,
        again: true
      }))
  }
]
