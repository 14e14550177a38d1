/** A driver at a simulated charge point with a card only: shows it, charges for a while, shows it again. */
import { Effect } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { defaultTokenType } from "../../wire/tokenKey.ts"
import type { Swipe } from "../chargePoint/authorization.ts"
import { type Engine, type Simulated, speedOf } from "../engine/Engine.ts"
import { reaction } from "../engine/reaction.ts"
import { freeEvses } from "./liveliness.ts"
import { carryOutSwipe } from "./localStart.ts"

/** Simulated time of the charge: a little more than two updates. */
const chargingSeconds = 3000

/** The engine's key of this work: one driver per card. */
export const shownCardKey = (id: PartyId, token: JsonObject): string => `${id}/card/${token["uid"]}`

/** Charges at the first free EVSE; without one the driver leaves. */
export const showCard = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  token: JsonObject
): Effect.fn.Return<void, never, Simulated> {
  yield* reaction(party)
  const [at] = yield* freeEvses(party)
  if (at === undefined) return
  const swipe: Swipe = {
    tokenUid: String(token["uid"]),
    tokenType: textIn(token["type"]) ?? defaultTokenType,
    locationId: String(at.location),
    evseUid: String(at.evse)
  }
  const outcome = yield* carryOutSwipe(engine, party, swipe)
  if (!("started" in outcome)) return
  yield* Effect.sleep((chargingSeconds * 1000) / speedOf(party))
  yield* carryOutSwipe(engine, party, swipe)
})
