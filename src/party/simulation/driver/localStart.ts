/** A driver at the charge point: shows a token and charges, shows it again and stops. */
import { Effect, Option } from "effect"
import { sameId } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { freshUuid } from "../../wire/messageId.ts"
import { authorize, type Swipe } from "../chargePoint/authorization.ts"
import { beginCharge } from "../chargePoint/beginCharge.ts"
import { ownObject, whereIs } from "../chargePoint/chargePoint.ts"
import { askToStop, chargeKey, chargesModule } from "../chargePoint/charging.ts"
import { freeEvse } from "../chargePoint/freeEvse.ts"
import type { Engine, Simulated } from "../engine/Engine.ts"

/**
 * The result of a swipe, with the session's id. `denied`: see `Denied`; or EVSE_OCCUPIED or EVSE_INOPERATIVE, when the
 * charge point itself declined without asking the EMSP.
 */
export type SwipeOutcome =
  | { readonly started: string }
  | { readonly stopped: string }
  | { readonly denied: string }

/** Carries out a swipe. Waits for the EMSP's verdict; the session itself runs in the background. */
export const carryOutSwipe = traced("simulation.carryOutSwipe")(function* (
  engine: Engine,
  party: Party,
  swipe: Swipe
): Effect.fn.Return<SwipeOutcome, never, Simulated> {
  const running = yield* chargeOf(party, swipe)
  if (running !== undefined) {
    yield* askToStop(party, running)
    yield* engine.wake(chargeKey(party.id, running))
    return { stopped: running }
  }
  const free = freeEvse(party, swipe)
  const choice = yield* free
  if (choice.place === undefined) return { denied: choice.result }
  const correlationId = yield* freshUuid
  const verdict = yield* authorize(party, swipe, correlationId)
  if ("denied" in verdict) return verdict
  const start = Effect.gen(function* () {
    // Checked again: another driver may have taken the EVSE while the EMSP decided.
    const choice = yield* free
    if (choice.place === undefined) return { denied: choice.result }
    return yield* beginCharge(engine, party, { ...choice, authorized: verdict, correlationId })
  })
  const begun = yield* engine.exclusively(party.id, start)
  if ("denied" in begun) return begun
  yield* begun.afterwards
  return { started: begun.sessionId }
})

/** The most unfinished sessions of a party that are searched. */
const mostCharges = 1_000

/** The unfinished session of that token at that EVSE. */
const chargeOf = Effect.fnUntraced(function* (party: Party, { evseUid, locationId, tokenUid }: Swipe) {
  const store = yield* PartyStore
  const page = { offset: 0, limit: mostCharges }
  const { items } = yield* store.objects(party.id, chargesModule, "own", page)
  for (const { json, key } of items) {
    if (!sameId(json["tokenUid"], tokenUid)) continue
    const session = yield* ownObject(party, "sessions", key)
    if (Option.isNone(session) || session.value["status"] !== "ACTIVE") continue
    const at = whereIs(party, session.value)
    if (sameId(at.location, locationId) && sameId(at.evse, evseUid)) return key
  }
  return undefined
})
