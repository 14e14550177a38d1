/** What the partner has pushed about the run's EVSE. */
import { belowEndpoint, isOfUnsent, wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { inboundOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { readPlaces, startedPlace } from "./place.ts"

/** The pushes about the run's location, oldest first: when it came, the body, and the EVSE and connector in the path. */
function toldOfLocation(history: RunHistory) {
  const { location_id } = startedPlace(history)
  return inboundOf(history)
    .filter(({ module, request }) => module === "locations" && request.method !== "GET")
    .filter((push) => wasTaken(push) || isOfUnsent(push))
    .flatMap(({ module, request, startedAt }) => {
      // The owner of the location may be any party of the partner.
      const [, , location, evse, connector] = belowEndpoint({ module, request })
      const at = Date.parse(startedAt)
      return sameId(location, location_id) ? [{ at, evse, connector, body: objectIn(jsonOf(request)) }] : []
    })
}

/** The pushed statuses of the run's EVSE, oldest first. */
export function pushedStatuses(history: RunHistory) {
  const { evse_uid } = startedPlace(history)
  return toldOfLocation(history).flatMap(({ at, body, connector, evse }) => {
    if (connector !== undefined) return []
    const told =
      evse === undefined ? evseIn(body, evse_uid)?.["status"] : sameId(evse, evse_uid) && body["status"]
    const status = textIn(told)
    return status === undefined ? [] : [{ at, status }]
  })
}

/** The pushed statuses of the run's EVSE, oldest first; repeated ones count once. */
export function evseStatusesOf(history: RunHistory): ReadonlyArray<string> {
  const told = pushedStatuses(history).map(({ status }) => status)
  return told.filter((status, index) => status !== told[index - 1])
}

/** A connector of the run's EVSE as it was read and pushed, whole or in part, oldest first. */
export function connectorAsTold(history: RunHistory, connectorId: unknown): ReadonlyArray<JsonObject> {
  const { evse_uid, location_id } = startedPlace(history)
  const read = readPlaces(history).filter(({ id }) => sameId(id, location_id))
  const ofEvse = (evse: JsonObject | undefined) =>
    objectsIn(evse?.["connectors"]).filter(({ id }) => sameId(id, connectorId))
  const told = toldOfLocation(history).flatMap(({ body, connector, evse }) => {
    if (evse === undefined) return ofEvse(evseIn(body, evse_uid))
    if (!sameId(evse, evse_uid)) return []
    return connector === undefined ? ofEvse(body) : sameId(connector, connectorId) ? [body] : []
  })
  return [...read.flatMap((location) => ofEvse(evseIn(location, evse_uid))), ...told]
}

/** The EVSE of the location with that uid. */
export const evseIn = (location: JsonObject, evseUid: unknown) =>
  objectsIn(location["evses"]).find(({ uid }) => sameId(uid, evseUid))

/** Do these statuses come in this order, with any others in between? */
export const inOrder = (told: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean => {
  let from = 0
  return wanted.every((status) => {
    const at = told.indexOf(status, from)
    from = at + 1
    return at >= 0
  })
}
