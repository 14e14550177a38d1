/** Where a run charges: the EVSE that the inputs name, or one of the partner's locations with the needed capabilities. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { isObject, type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { type ClaimedEvse, claimedByOthers, keptPlace, type NoPlace, type Place } from "../../model/Place.ts"
import {
  answerOf,
  dataOf,
  exchangesOf,
  intentOf,
  jsonOf,
  listGoesOn,
  type RunHistory
} from "../../model/RunHistory.ts"
import { askedPlace } from "./driver.ts"

/** The capabilities that a journey needs of an EVSE; empty: any EVSE will do. */
export type Needed = ReadonlyArray<string>

/** The locations that were read: those on all pages that were read, or the one that the inputs name. */
export const readPlaces = (history: RunHistory): ReadonlyArray<JsonObject> =>
  exchangesOf(history, "read-locations").flatMap((page) => {
    const data = dataOf(page)
    return Array.isArray(data) ? objectsIn(data) : isObject(data) ? [data] : []
  })

/** The partner does not know the location that the inputs name: says so; undefined: it does, or it has not said so. */
export function unknownLocation(history: RunHistory): string | undefined {
  const named = textIn(history.inputs["locationId"])
  const { httpStatus, ocpiStatusCode } = answerOf(history, "read-locations")?.response ?? {}
  const isUnknown =
    httpStatus === 404 ||
    ocpiStatusCode === ocpiStatus.unknownLocation ||
    (httpStatus === 200 && ocpiStatusCode === ocpiStatus.clientError)
  return named !== undefined && isUnknown
    ? `The partner has no location ${named}, which the inputs name`
    : undefined
}

/** The list from that place on, and then what stands before it. */
const from = <A>(all: ReadonlyArray<A>, place: number): ReadonlyArray<A> => {
  const first = all.length === 0 ? 0 : place % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

/**
 * The EVSE that the run has, or the one that the inputs name, or a free one with the capabilities that no other open run of the
 * connection has; else why there is none.
 */
export function chosenPlace(
  history: RunHistory,
  needed: Needed,
  byOthers: ReadonlyArray<ClaimedEvse> = claimedByOthers(history)
): Place | NoPlace {
  const kept = keptPlace(history)
  if (kept !== undefined) return kept
  const { inputs } = history
  const pages = exchangesOf(history, "read-locations")
  const notTheirs = unknownLocation(history)
  if (notTheirs !== undefined) return { none: notTheirs, ours: true }
  if (pages.every((page) => dataOf(page) === undefined)) return { none: "The locations could not be read" }
  const wantedEvse = textIn(inputs["evseUid"])
  const able = readPlaces(history).flatMap((location) =>
    objectsIn(location["evses"])
      .filter(({ uid }) => wantedEvse === undefined || sameId(uid, wantedEvse))
      .filter(({ capabilities }) => {
        const given: ReadonlyArray<unknown> = Array.isArray(capabilities) ? capabilities : []
        return needed.every((capability) => given.includes(capability))
      })
      .map((evse) => ({ location, evse }))
  )
  const holderOf = ({ evse, location }: (typeof able)[number]) =>
    byOthers.find(
      ({ evseUid, locationId }) => sameId(evse["uid"], evseUid) && sameId(location["id"], locationId)
    )
  const places = from(able, history.lane ?? 0).filter(
    (place) => place.evse["status"] === "AVAILABLE" && holderOf(place) === undefined
  )
  const wantedConnector = textIn(inputs["connectorId"])
  for (const { evse, location } of places) {
    const connectors = objectsIn(evse["connectors"]).map(({ id }) => textIn(id))
    const connectorId = wantedConnector ?? connectors[0]
    const locationId = textIn(location["id"])
    const evseUid = textIn(evse["uid"])
    if (locationId !== undefined && evseUid !== undefined) return { locationId, evseUid, connectorId }
  }
  const held = able.flatMap((place) => {
    const holder = holderOf(place)
    return holder === undefined ? [] : `${holder.evseUid} (${holder.runId})`
  })
  if (held.length > 0) return { none: inUse(held), ours: true }
  const wanted = ["AVAILABLE", ...needed].join(" and ")
  if (listGoesOn(history, "read-locations")) {
    const read = `the ${pages.length} pages of the partner's locations that were read`
    return {
      none:
        wantedEvse === undefined
          ? `No EVSE on ${read} is ${wanted}; name a location and an EVSE in the inputs`
          : `EVSE ${wantedEvse} is not on ${read}, or is not ${wanted}; name its location, too`
    }
  }
  return {
    none:
      wantedEvse === undefined
        ? `No EVSE of the locations that were read is ${wanted}; free one, or name one in the inputs`
        : `EVSE ${wantedEvse} is not in the locations that were read, or is not ${wanted}`
  }
}

/** Why no EVSE is left for the run: `held` names EVSEs, each with the run that has it. */
const inUse = (held: ReadonlyArray<string>): string =>
  `No suitable EVSE is left: other runs with this partner use ${held.slice(0, mostNamed).join(", ")}${
    held.length > mostNamed ? ` and ${held.length - mostNamed} more` : ""
  }. Wait for their end, or cancel them, then run again`

const mostNamed = 5

const commandsWithPlace = ["reserve", "start-session", "unlock"] as const

/**
 * `location_id`, `evse_uid` and, if it was named, `connector_id`: of our command, or of the partner's authorization
 * request.
 */
export function startedPlace(history: RunHistory): JsonObject {
  const stageId = commandsWithPlace.find((id) => intentOf(history, id) !== undefined)
  if (stageId !== undefined) return objectIn(jsonOf(intentOf(history, stageId)?.request))
  const asked = askedPlace(history)
  const evses = asked["evse_uids"]
  return { location_id: asked["location_id"], evse_uid: Array.isArray(evses) ? evses[0] : undefined }
}
