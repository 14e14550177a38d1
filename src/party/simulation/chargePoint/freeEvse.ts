/** Which of our EVSEs a charge or a reservation can use. */
import { type Effect, Option } from "effect"
import { objectsIn, sameId, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { PartyObject, PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { ownObject, placeByIds } from "./chargePoint.ts"
import type { ChargingPlace } from "./chargingObjects.ts"
import { reservationFor } from "./reservations.ts"

/** The ids that a command or a driver named. */
export interface Wanted {
  readonly locationId: unknown
  readonly evseUid: unknown
  readonly connectorId?: unknown
  readonly tokenUid: unknown
}

/**
 * A place that is free for that token, with the reservation that kept it free; or, as a CommandResultType, why there is
 * none.
 */
type ChosenEvse =
  | { readonly place: ChargingPlace; readonly reservation: PartyObject | undefined }
  | { readonly place: undefined; readonly result: "EVSE_OCCUPIED" | "EVSE_INOPERATIVE" }

const busy: ReadonlySet<unknown> = new Set(["BLOCKED", "CHARGING", "RESERVED"])

/** The named EVSE, or the first free one; a reserved one is free for its token. */
export const freeEvse = traced("simulation.freeEvse")(function* (
  party: Party,
  wanted: Wanted
): Effect.fn.Return<ChosenEvse, never, PartyStore> {
  const location = yield* ownObject(party, "locations", wanted.locationId)
  const evses = Option.match(location, { onNone: () => [], onSome: (json) => objectsIn(json["evses"]) })
  const named = textIn(wanted.evseUid)
  const candidates = named === undefined ? evses : evses.filter(({ uid }) => sameId(uid, named))
  for (const evse of candidates) {
    const reservation =
      evse["status"] === "RESERVED"
        ? yield* reservationFor(party, wanted.locationId, evse["uid"], wanted.tokenUid)
        : undefined
    if (evse["status"] !== "AVAILABLE" && reservation === undefined) continue
    const place = yield* placeByIds(party, {
      location: wanted.locationId,
      evse: evse["uid"],
      connector: textIn(wanted.connectorId)
    })
    if (place !== undefined) return { place, reservation }
  }
  const occupied = candidates.some(({ status }) => busy.has(status))
  return { place: undefined, result: occupied ? "EVSE_OCCUPIED" : "EVSE_INOPERATIVE" }
})
