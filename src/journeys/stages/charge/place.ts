/** Where a run charges: the EVSE that the inputs name, or one of the partner's locations with the needed capabilities. */
import { isObject, type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { dataOf, exchangesOf, intentOf, jsonOf, listGoesOn, type RunHistory } from "../../model/RunHistory.ts"
import { askedPlace } from "./driver.ts"

/** The ids of an EVSE of the partner. */
export interface Place {
  readonly locationId: string
  readonly evseUid: string
  readonly connectorId: string | undefined
}

/** The capabilities that a journey needs of an EVSE; empty: any EVSE will do. */
export type Needed = ReadonlyArray<string>

/** The locations that were read: those on all pages that were read, or the one that the inputs name. */
export const readPlaces = (history: RunHistory): ReadonlyArray<JsonObject> =>
  exchangesOf(history, "read-locations").flatMap((page) => {
    const data = dataOf(page)
    return Array.isArray(data) ? objectsIn(data) : isObject(data) ? [data] : []
  })

/** The list from that place on, and then what stands before it. */
const from = <A>(all: ReadonlyArray<A>, place: number): ReadonlyArray<A> => {
  const first = all.length === 0 ? 0 : place % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

/**
 * The EVSE that the inputs name, or a free one with the capabilities; else why there is none. Runs that are open at once begin to look at
 * different places of the list, since none of them sees what the others have chosen.
 */
export function chosenPlace(history: RunHistory, needed: Needed): Place | { readonly none: string } {
  const { inputs } = history
  const pages = exchangesOf(history, "read-locations")
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
  const places = from(able, history.lane ?? 0).filter(({ evse }) => evse["status"] === "AVAILABLE")
  const wantedConnector = textIn(inputs["connectorId"])
  for (const { evse, location } of places) {
    const connectors = objectsIn(evse["connectors"]).map(({ id }) => textIn(id))
    const connectorId = wantedConnector ?? connectors[0]
    const locationId = textIn(location["id"])
    const evseUid = textIn(evse["uid"])
    if (locationId !== undefined && evseUid !== undefined) return { locationId, evseUid, connectorId }
  }
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
