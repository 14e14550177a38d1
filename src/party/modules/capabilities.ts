/** What the EVSE of a session of ours can do. */
import { Effect, Option } from "effect"
import { type JsonObject, objectsIn, sameId } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { placeIdsOf } from "../simulation/chargePoint/sessionFields.ts"
import type { ModuleCall } from "./Route.ts"

/** Has the EVSE at which the session takes place that capability? No, when the EVSE is not known any more. */
export const canAt = Effect.fn("party.canAt")(function* (
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
