/** Fields of a session under the names of its version: place, start and end. */
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"

/** Ids of a location, an EVSE and a connector, as a session or a command names them. */
export interface PlaceIds {
  readonly location: unknown
  readonly evse: unknown
  readonly connector: unknown
}

/** The ids of a session's location, EVSE and connector. */
export const placeIdsOf = (profile: VersionProfile, session: JsonObject): PlaceIds => {
  if (profile.place === "ids")
    return {
      location: session["location_id"],
      evse: session["evse_uid"],
      connector: session["connector_id"]
    }
  const location = objectIn(session["location"])
  const [evse] = objectsIn(location["evses"])
  const [connector] = objectsIn(evse?.["connectors"])
  return { location: location["id"], evse: evse?.["uid"], connector: connector?.["id"] }
}

/** The DateTime of a session's start. */
export const startOf = ({ sessionNames }: VersionProfile, session: JsonObject): unknown =>
  session[sessionNames.start]

/** The fields that change at a session's end. */
export const endingAt = ({ sessionNames }: VersionProfile, when: string): JsonObject => ({
  status: "COMPLETED",
  [sessionNames.end]: when
})
