/** What the charge point does with a command: its verdict, posted to the response_url, and what follows from it. */
import { Clock, Effect, Option, Schema } from "effect"
import { dateTimeToMillis } from "../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { type Party, PartyStore } from "../../store/PartyStore.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../json.ts"
import {
  keepOwn,
  nextMoment,
  ownObject,
  placeOf,
  setStatus,
  tellSession,
  tellStatus,
  whereIs
} from "./chargePoint.ts"
import { askToStop, chargeJson, chargeKey, chargesModule, drive } from "./charging.ts"
import { authorizedBy, type Place, sessionOf } from "./chargingObjects.ts"
import type { Engine, Simulated } from "./Engine.ts"
import { push } from "./pushes.ts"
import { reaction } from "./reaction.ts"
import {
  endReservation,
  expiresAt,
  reservationFor,
  reservationKey,
  reservationsModule,
  watchReservation
} from "./reservations.ts"

/** A command that was accepted. */
export interface Order {
  readonly command: string
  readonly body: JsonObject
  readonly correlationId: string
}

interface Outcome {
  readonly result: string
  /** What happens once the result is told. */
  readonly afterwards?: Effect.Effect<void, never, Simulated>
}

type Carry = (engine: Engine, party: Party, order: Order) => Effect.Effect<Outcome, never, Simulated>

const commands: Readonly<Record<string, Carry>> = {
  START_SESSION: startSession,
  STOP_SESSION: stopSession,
  RESERVE_NOW: reserve,
  CANCEL_RESERVATION: cancelReservation,
  UNLOCK_CONNECTOR: () => Effect.succeed({ result: "ACCEPTED" })
}

/** A result for which the version has no word is a plain refusal. */
const inWords = (party: Party, result: string): string => {
  const schema = profileOf(party.version).objects.CommandResult
  return schema === undefined || Schema.is(schema)({ result }) ? result : "REJECTED"
}

export const carryOutCommand = Effect.fn("simulation.carryOutCommand")(function* (
  engine: Engine,
  party: Party,
  order: Order
) {
  yield* reaction(party)
  const carry = commands[order.command]
  const outcome: Outcome =
    carry === undefined
      ? { result: "NOT_SUPPORTED" }
      : yield* engine.exclusively(party.id, carry(engine, party, order))
  yield* push(
    party,
    {
      module: "commands",
      operation: "command-result",
      method: "POST",
      body: { result: inWords(party, outcome.result) }
    },
    { url: String(order.body["response_url"]) },
    order.correlationId
  )
  if (outcome.afterwards !== undefined) yield* outcome.afterwards
})

/** Our own side of a connection tells the verdict only; a journey decides what happens then. */
const isDriven = (party: Party) => party.kind === "sandbox"

function startSession(engine: Engine, party: Party, order: Order) {
  return Effect.gen(function* () {
    const { body, correlationId } = order
    const tokenUid = objectIn(body["token"])["uid"]
    const choice = yield* choose(party, body, tokenUid)
    if (choice.place === undefined) return { result: choice.result }
    if (!isDriven(party)) return { result: "ACCEPTED" }
    const { place, reservation } = choice
    const start = yield* nextMoment(place.location)
    const id = textIn(reservation?.json["sessionId"]) ?? (yield* nextSessionId(party))
    const authorized = authorizedBy(profileOf(party.version), body)
    const session = sessionOf(party, place, { id, status: "ACTIVE", start, authorized })
    const ids = whereIs(party, session)
    const store = yield* PartyStore
    if (reservation !== undefined)
      yield* store.removeObject(party.id, reservationsModule, "own", reservation.key)
    yield* keepOwn(party, "sessions", id, session)
    yield* setStatus(party, ids, "CHARGING", start)
    const charge = chargeJson(yield* Clock.currentTimeMillis, correlationId)
    yield* keepOwn(party, chargesModule, id, charge)
    const afterwards = Effect.gen(function* () {
      yield* tellSession(party, session, "PUT", session, correlationId)
      yield* tellStatus(party, ids, "CHARGING", start, correlationId)
      yield* drive(engine, party.id, id)
    })
    return { result: "ACCEPTED", afterwards: engine.start(chargeKey(party.id, id), afterwards) }
  })
}

function stopSession(engine: Engine, party: Party, { body }: Order) {
  return Effect.gen(function* () {
    const session = yield* ownObject(party, "sessions", body["session_id"])
    if (Option.isNone(session) || session.value["status"] === "COMPLETED") return { result: "REJECTED" }
    const id = String(session.value["id"])
    yield* askToStop(party, id)
    return { result: "ACCEPTED", afterwards: engine.wake(chargeKey(party.id, id)) }
  })
}

function reserve(engine: Engine, party: Party, { body, correlationId }: Order) {
  return Effect.gen(function* () {
    const id = String(body["reservation_id"])
    const tokenUid = objectIn(body["token"])["uid"]
    const known = yield* ownObject(party, reservationsModule, id)
    const choice = yield* choose(party, body, tokenUid)
    const place = choice.place
    if (place === undefined) return { result: choice.result }
    if (!isDriven(party)) return { result: "ACCEPTED" }
    const now = yield* Clock.currentTimeMillis
    const expiry = dateTimeToMillis(textIn(body["expiry_date"]) ?? "") ?? now
    const expires = { expiresAt: expiresAt(party, now, expiry) }
    if (Option.isSome(known)) {
      // The same id once more replaces the reservation: here, until when it lasts.
      yield* keepOwn(party, reservationsModule, id, { ...known.value, ...expires, correlationId })
      return { result: "ACCEPTED", afterwards: engine.wake(reservationKey(party.id, id)) }
    }
    const start = yield* nextMoment(place.location)
    const ids = { location: place.location["id"], evse: place.evse["uid"] }
    const session = yield* reservationSession(party, place, start, body)
    if (session !== undefined) yield* keepOwn(party, "sessions", String(session["id"]), session)
    yield* setStatus(party, ids, "RESERVED", start)
    yield* keepOwn(party, reservationsModule, id, {
      ...(session === undefined ? {} : { sessionId: session["id"] }),
      locationId: ids.location,
      evseUid: ids.evse,
      tokenUid,
      correlationId,
      ...expires
    })
    const afterwards = Effect.gen(function* () {
      if (session !== undefined) yield* tellSession(party, session, "PUT", session, correlationId)
      yield* tellStatus(party, ids, "RESERVED", start, correlationId)
      yield* watchReservation(engine, party.id, id)
    })
    return { result: "ACCEPTED", afterwards: engine.start(reservationKey(party.id, id), afterwards) }
  })
}

/** Where the version has a status for it, a reservation is a session. */
function reservationSession(party: Party, place: Place, start: string, body: JsonObject) {
  return Effect.gen(function* () {
    const profile = profileOf(party.version)
    if (!profile.reservationSession) return undefined
    const id = yield* nextSessionId(party)
    const authorized = authorizedBy(profile, body)
    return sessionOf(party, place, { id, status: "RESERVATION", start, authorized })
  })
}

function cancelReservation(engine: Engine, party: Party, { body }: Order) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const id = String(body["reservation_id"])
    const known = yield* ownObject(party, reservationsModule, id)
    if (Option.isNone(known)) return { result: isDriven(party) ? "UNKNOWN_RESERVATION" : "ACCEPTED" }
    yield* store.removeObject(party.id, reservationsModule, "own", id)
    const afterwards = Effect.zipRight(
      endReservation(engine, party, known.value),
      engine.wake(reservationKey(party.id, id))
    )
    return { result: "ACCEPTED", afterwards }
  })
}

const busy: ReadonlySet<unknown> = new Set(["BLOCKED", "CHARGING", "RESERVED"])

/** The EVSE that was named, or the first free one; reserved ones are free for the token that they are kept for. */
function choose(party: Party, body: JsonObject, tokenUid: unknown) {
  return Effect.gen(function* () {
    const location = yield* ownObject(party, "locations", body["location_id"])
    const evses = Option.match(location, { onNone: () => [], onSome: (json) => objectsIn(json["evses"]) })
    const named = textIn(body["evse_uid"])
    const candidates = named === undefined ? evses : evses.filter(({ uid }) => sameId(uid, named))
    for (const evse of candidates) {
      const reservation =
        evse["status"] === "RESERVED"
          ? yield* reservationFor(party, body["location_id"], evse["uid"], tokenUid)
          : undefined
      if (evse["status"] !== "AVAILABLE" && reservation === undefined) continue
      const place: Place | undefined = yield* placeOf(party, {
        location: body["location_id"],
        evse: evse["uid"],
        connector: textIn(body["connector_id"])
      })
      if (place !== undefined) return { place, reservation, result: "ACCEPTED" }
    }
    const occupied = candidates.some(({ status }) => busy.has(status))
    return {
      place: undefined,
      reservation: undefined,
      result: occupied ? "EVSE_OCCUPIED" : "EVSE_INOPERATIVE"
    }
  })
}

/** The n-th session of a party has the same id whenever its seed is the same. */
function nextSessionId(party: Party) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const { total } = yield* store.objects(party.id, "sessions", "own", { offset: 0, limit: 1 })
    return `SES-${party.sandbox?.seed ?? 0}-${total + 1}`
  })
}
