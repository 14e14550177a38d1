/** What a session of any version says, under whatever names: where it is, when it began, when it ended. */
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"

export interface PlaceIds {
  readonly location: unknown
  readonly evse: unknown
  readonly connector: unknown
}

/** Ids of the location, the EVSE and the connector. */
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

/** The DateTime of its start, as it stands there. */
export const startOf = ({ sessionNames }: VersionProfile, session: JsonObject): unknown =>
  session[sessionNames.start]

/** What changes in a session that ends. */
export const endingAt = ({ sessionNames }: VersionProfile, when: string): JsonObject => ({
  status: "COMPLETED",
  [sessionNames.end]: when
})
