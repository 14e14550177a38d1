/** What the partner has told of the EVSE at which a run charges. */
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../party/json.ts"
import { inboundOf, jsonOf, type Memory, wasTaken } from "../Memory.ts"
import { startedPlace } from "./place.ts"

/** Statuses of the run's EVSE as they were pushed, oldest first; the same one twice counts once. */
export function evseStatusesOf(memory: Memory): ReadonlyArray<string> {
  const { evse_uid, location_id } = startedPlace(memory)
  const told = inboundOf(memory)
    .filter(({ module, request }) => module === "locations" && request.method !== "GET")
    .filter(wasTaken)
    .flatMap(({ request }) => {
      const [location, evse, connector] = belowOwner(memory, request.url)
      if (!sameId(location, location_id) || connector !== undefined) return []
      const body = objectIn(jsonOf(request))
      const status =
        evse === undefined ? inLocation(body, evse_uid) : sameId(evse, evse_uid) && body["status"]
      return textIn(status) ?? []
    })
  return told.filter((status, index) => status !== told[index - 1])
}

const inLocation = (location: JsonObject, evseUid: unknown) =>
  objectsIn(location["evses"]).find(({ uid }) => sameId(uid, evseUid))?.["status"]

/** The segments after `…/locations/{country}/{party}`. */
function belowOwner({ them }: Memory, url: string): ReadonlyArray<string> {
  const segments = new URL(url, "http://here").pathname.split("/").filter((part) => part !== "")
  const at = segments.lastIndexOf("locations")
  const rest = segments.slice(at + 1).map(decodeURIComponent)
  return them === undefined || sameId(rest[0], them.countryCode) ? rest.slice(2) : rest
}

/** Do these statuses come one after the other, with whatever in between? */
export const inOrder = (told: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean => {
  let from = 0
  return wanted.every((status) => {
    const at = told.indexOf(status, from)
    from = at + 1
    return at >= 0
  })
}
