/** The capabilities of the EVSE of one of our sessions. */
import { Option } from "effect"
import { type JsonObject, objectsIn, sameId } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { placeIdsOf } from "../simulation/chargePoint/sessionFields.ts"
import type { ModuleCall } from "./Route.ts"

/** Does the EVSE of the session have that capability? False when the EVSE is no longer known. */
export const canAt = traced("party.canAt")(function* (
  call: ModuleCall,
  session: JsonObject,
  capability: string
) {
  const store = yield* PartyStore
  const ids = placeIdsOf(call.profile, session)
  const location = yield* store.object(call.party.id, "locations", "own", String(ids.location))
  const evse = Option.isNone(location)
    ? undefined
    : objectsIn(location.value.json["evses"]).find(({ uid }) => sameId(uid, ids.evse))
  const capabilities = evse?.["capabilities"]
  return Array.isArray(capabilities) && capabilities.includes(capability)
})
