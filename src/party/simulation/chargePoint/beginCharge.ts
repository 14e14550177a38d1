/** Starts a charging session: the session, the EVSE's status, and the work that drives both on. */
import { Clock, Effect } from "effect"
import { textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { type PartyObject, PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { hasQuirk, PartnerQuirks } from "../../wire/PartnerQuirks.ts"
import type { Engine } from "../engine/Engine.ts"
import { resumeAfterOutage } from "../engine/resumeAfterOutage.ts"
import { keepOwn, nextMoment, putSession, setStatus, tellStatus, whereIs } from "./chargePoint.ts"
import { carryOn, chargeJson, chargeKey, chargesModule, drive } from "./charging.ts"
import { type Authorized, type ChargingPlace, sessionOf } from "./chargingObjects.ts"
import { reservationsModule } from "./reservations.ts"
import { cardWishOf } from "./scriptedCards.ts"

/** Where and for whom a charge starts. */
interface ChargeStart {
  readonly place: ChargingPlace
  /** The reservation that the charge uses; the reservation's session, if it has one, becomes this one. */
  readonly reservation: PartyObject | undefined
  readonly authorized: Authorized
  readonly correlationId: string
}

/**
 * Occupies the EVSE, which must be free, and stores the session as ACTIVE. `afterwards` informs the counterpart and
 * drives the session to its end in the background; it returns at once.
 */
export const beginCharge = traced("simulation.beginCharge")(function* (
  engine: Engine,
  party: Party,
  { authorized, correlationId, place, reservation }: ChargeStart
) {
  const store = yield* PartyStore
  const start = yield* nextMoment(place.location)
  const isBeside = hasQuirk(yield* PartnerQuirks, party, "charges beside the reservation")
  const used = isBeside ? undefined : reservation
  const id = textIn(used?.json["sessionId"]) ?? (yield* nextSessionId(party))
  const session = sessionOf(party, place, { id, status: "ACTIVE", start, authorized })
  const ids = whereIs(party, session)
  if (reservation !== undefined)
    yield* store.removeObject(party.id, reservationsModule, "own", reservation.key)
  yield* keepOwn(party, "sessions", id, session)
  yield* setStatus(party, ids, "CHARGING", start)
  const charge = chargeJson(yield* Clock.currentTimeMillis, correlationId)
  const reservedFrom = textIn(used?.json["from"])
  const wish = cardWishOf(party, authorized.token)
  yield* keepOwn(party, chargesModule, id, {
    ...charge,
    ...engine.mark,
    tokenUid: authorized.token["uid"],
    ...(wish === undefined ? {} : { wish }),
    ...(reservedFrom === undefined ? {} : { reservedFrom })
  })
  const told = Effect.gen(function* () {
    yield* putSession(party, session, correlationId)
    yield* tellStatus(party, ids, { status: "CHARGING", when: start }, correlationId)
    yield* drive(engine, party.id, id)
  })
  const carried = resumeAfterOutage(told, carryOn(engine, party.id, id))
  return { sessionId: id, afterwards: engine.start(chargeKey(party.id, id), carried) }
})

/** The next session id: the n-th session of a party has the same id whenever its seed is the same. */
export const nextSessionId = traced("simulation.nextSessionId")(function* (party: Party) {
  const store = yield* PartyStore
  const { total } = yield* store.objects(party.id, "sessions", "own", { offset: 0, limit: 1 })
  return `SES-${party.sandbox?.seed ?? 0}-${total + 1}`
})
