/** Reservations: an EVSE kept free for a token until the reservation is used, cancelled or expired. */
import { Clock, Effect, Option } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, sameId, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { type Engine, type Simulated, speedOf } from "../engine/Engine.ts"
import { unusedOf } from "./cdr.ts"
import {
  keepOwn,
  nextMoment,
  ownObject,
  patchSession,
  placeByIds,
  setStatus,
  tellStatus,
  whereIs
} from "./chargePoint.ts"
import { endingAt } from "./sessionFields.ts"
import { tellCdr } from "./tellCdr.ts"

/**
 * Module, none of OCPI, of the reservations by id: `sessionId` and `from` (its DateTime; both if the reservation is a
 * session), `locationId`, `evseUid`, `tokenUid`, `expiresAt` (real time, epoch ms), `correlationId`, `by` (claims.ts).
 */
export const reservationsModule = "reservations"

/** The engine's key of a reservation's work. */
export const reservationKey = (id: PartyId, reservationId: string): string =>
  `${id}/reservation/${reservationId}`

/** How late a sleeping reservation may notice what another process wrote. */
const glanceMillis = 2_000

/** A simulated CPO has no more reservations at a time than this. */
const mostReservations = 1_000

/** The reservation of that token at that EVSE. */
export const reservationFor = traced("simulation.reservationFor")(function* (
  party: Party,
  locationId: unknown,
  evseUid: unknown,
  tokenUid: unknown
) {
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, reservationsModule, "own", {
    offset: 0,
    limit: mostReservations
  })
  return items.find(
    ({ json }) =>
      sameId(json["locationId"], locationId) &&
      sameId(json["evseUid"], evseUid) &&
      sameId(json["tokenUid"], tokenUid)
  )
})

/** Real time, in epoch milliseconds, at which a reservation with this expiry in simulated time ends. */
export const expiresAt = (party: Party, now: number, expiryMillis: number): number =>
  now + Math.max(0, expiryMillis - now) / speedOf(party)

/** Waits until a reservation expires and ends it, unless it is gone by then or another process has claimed it. */
export const watchReservation = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId,
  reservationId: string
): Effect.fn.Return<void, never, Simulated> {
  const store = yield* PartyStore
  while (true) {
    const party = yield* store.find(id)
    if (Option.isNone(party)) return
    const reservation = yield* ownObject(party.value, reservationsModule, reservationId)
    if (Option.isNone(reservation) || !engine.isOurs(reservation.value)) return
    const left = Number(reservation.value["expiresAt"]) - (yield* Clock.currentTimeMillis)
    if (left <= 0) {
      const ended = yield* engine.exclusively(
        id,
        store.removeObject(id, reservationsModule, "own", reservationId)
      )
      if (ended) yield* endReservation(engine, party.value, reservation.value, { expired: true })
      return
    }
    yield* engine.sleep(reservationKey(id, reservationId), Math.min(Math.ceil(left), glanceMillis))
  }
})

/**
 * Ends an unused reservation: its session, if it has one, completes without energy, and the EVSE is free again. An
 * expired one is billed if the tariff prices it. A cancelled one is not: its CDR would look like that of an expired one,
 * whose price may differ.
 */
export const endReservation = traced("simulation.endReservation")(function* (
  engine: Engine,
  party: Party,
  reservation: JsonObject,
  { expired }: { readonly expired: boolean }
) {
  const session = yield* ownObject(party, "sessions", reservation["sessionId"])
  const location = yield* ownObject(party, "locations", reservation["locationId"])
  if (Option.isNone(location)) return
  const when = yield* nextMoment(location.value)
  const correlationId = textIn(reservation["correlationId"]) ?? ""
  const ending = { ...endingAt(profileOf(party.version), when), last_updated: when }
  const bill =
    expired && Option.isSome(session)
      ? yield* billOf(party, { ...session.value, ...ending }, textIn(reservation["from"]))
      : undefined
  const changes = bill === undefined ? ending : { ...ending, total_cost: bill.totalCost }
  if (Option.isSome(session))
    yield* keepOwn(party, "sessions", String(session.value["id"]), { ...session.value, ...changes })
  const ids = { location: reservation["locationId"], evse: reservation["evseUid"] }
  yield* engine.exclusively(party.id, setStatus(party, ids, "AVAILABLE", when))
  if (Option.isSome(session)) yield* patchSession(party, session.value, changes, correlationId)
  yield* tellStatus(party, ids, { status: "AVAILABLE", when }, correlationId)
  if (bill !== undefined) yield* tellCdr(party, bill.cdr, correlationId)
})

function billOf(party: Party, ended: JsonObject, from: string | undefined) {
  return Effect.map(placeByIds(party, whereIs(party, ended)), (place) =>
    place === undefined || from === undefined ? undefined : unusedOf(party, ended, place, from)
  )
}
