/** Carries out a command: its result, posted to the response_url, and what follows. */
import { Clock, Effect, Option, Schema } from "effect"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, textIn } from "../../../findings/json.ts"
import type { RoutedParty } from "../../../ocpi/routing.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { hasQuirk, PartnerQuirks } from "../../wire/PartnerQuirks.ts"
import type { Engine, Simulated } from "../engine/Engine.ts"
import { push } from "../engine/pushes.ts"
import { reaction } from "../engine/reaction.ts"
import { resumeAfterOutage } from "../engine/resumeAfterOutage.ts"
import { askEmsp } from "./authorization.ts"
import { beginCharge, nextSessionId } from "./beginCharge.ts"
import { keepOwn, nextMoment, ownObject, putSession, setStatus, tellStatus } from "./chargePoint.ts"
import { askToStop, chargeKey } from "./charging.ts"
import { authorizedBy, type ChargingPlace, sessionOf } from "./chargingObjects.ts"
import { freeEvse, type Wanted } from "./freeEvse.ts"
import { heldAnywhere } from "./heldAnywhere.ts"
import {
  endReservation,
  expiresAt,
  reservationKey,
  reservationsModule,
  watchReservation
} from "./reservations.ts"
import { wishes } from "./scriptedCards.ts"

/** An accepted command. */
export interface AcceptedCommand {
  readonly command: string
  readonly body: JsonObject
  /** The party that sent it, as its routing headers have it. */
  readonly from?: RoutedParty | undefined
  readonly correlationId: string
}

interface Outcome {
  readonly result: string
  /** Runs after the result was posted. */
  readonly afterwards?: Effect.Effect<void, never, Simulated>
}

type Carry = (
  engine: Engine,
  party: Party,
  order: AcceptedCommand
) => Effect.Effect<Outcome, never, Simulated>

/** The result as the version has it; REJECTED if the version has no such result. */
const inWords = (party: Party, result: string): string => {
  const schema = profileOf(party.version).objects.CommandResult
  return schema === undefined || Schema.is(schema)({ result }) ? result : "REJECTED"
}

/** Carries out an accepted command and posts its result. */
export const carryOutCommand = traced("simulation.carryOutCommand")(function* (
  engine: Engine,
  party: Party,
  order: AcceptedCommand
) {
  yield* reaction(party)
  yield* askAnyhow(party, order)
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
      command: order.command,
      body: { result: inWords(party, outcome.result) }
    },
    { url: String(order.body["response_url"]), recipient: order.from },
    order.correlationId
  )
  if (outcome.afterwards !== undefined) yield* outcome.afterwards
})

/**
 * A sandbox partner with that quirk asks the EMSP for the token of a command, although the command is the authorization.
 */
const askAnyhow = Effect.fnUntraced(function* (party: Party, { body, correlationId }: AcceptedCommand) {
  const asks = hasQuirk(yield* PartnerQuirks, party, "authorizes commands")
  const token = objectIn(body["token"])
  const tokenUid = textIn(token["uid"])
  if (!asks || tokenUid === undefined) return
  const locationId = String(body["location_id"])
  const evseUid = textIn(body["evse_uid"])
  yield* askEmsp(
    party,
    {
      tokenUid,
      tokenType: String(token["type"]),
      locationId,
      evseUid: evseUid ?? ""
    },
    undefined,
    correlationId
  )
})

/** Our own side of a connection only posts the result; a journey decides what follows. */
const isDriven = (party: Party) => party.kind === "sandbox"

const startSession = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  { body, correlationId }: AcceptedCommand
) {
  const choice = yield* freeEvse(party, wantedBy(body))
  if (choice.place === undefined) return { result: choice.result }
  if (!isDriven(party)) return { result: "ACCEPTED" }
  const isUnplugged = wishes(party, objectIn(body["token"]), "unplugged")
  const startsLate = hasQuirk(yield* PartnerQuirks, party, "starts after a time-out")
  if (isUnplugged && !startsLate) return { result: "TIMEOUT" }
  const authorized = authorizedBy(profileOf(party.version), body)
  const { afterwards } = yield* beginCharge(engine, party, { ...choice, authorized, correlationId })
  return { result: isUnplugged ? "TIMEOUT" : "ACCEPTED", afterwards }
})

const wantedBy = (command: JsonObject): Wanted => ({
  locationId: command["location_id"],
  evseUid: command["evse_uid"],
  connectorId: command["connector_id"],
  tokenUid: objectIn(command["token"])["uid"]
})

const stopSession = Effect.fnUntraced(function* (engine: Engine, party: Party, { body }: AcceptedCommand) {
  const [held] = yield* heldAnywhere(party, "stops other EMSPs' sessions", "sessions", body["session_id"])
  if (held === undefined || held.json["status"] === "COMPLETED") return { result: "REJECTED" }
  const id = String(held.json["id"])
  yield* askToStop(held.holder, id)
  return { result: "ACCEPTED", afterwards: engine.wake(chargeKey(held.holder.id, id)) }
})

const reserve = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  { body, correlationId }: AcceptedCommand
) {
  const id = String(body["reservation_id"])
  const wanted = wantedBy(body)
  const known = yield* ownObject(party, reservationsModule, id)
  const choice = yield* freeEvse(party, wanted)
  if (choice.place === undefined) return { result: choice.result }
  const { place } = choice
  if (!isDriven(party)) return { result: "ACCEPTED" }
  const now = yield* Clock.currentTimeMillis
  const expiry = dateTimeMillis(body["expiry_date"]) ?? now
  const expires = { expiresAt: expiresAt(party, now, expiry) }
  if (Option.isSome(known)) {
    // The same reservation id again replaces the reservation: here, its end.
    yield* keepOwn(party, reservationsModule, id, { ...known.value, ...expires, correlationId })
    return { result: "ACCEPTED", afterwards: engine.wake(reservationKey(party.id, id)) }
  }
  const start = yield* nextMoment(place.location)
  const ids = { location: place.location["id"], evse: place.evse["uid"] }
  const session = yield* reservationSession(party, place, start, body)
  if (session !== undefined) yield* keepOwn(party, "sessions", String(session["id"]), session)
  yield* setStatus(party, ids, "RESERVED", start)
  yield* keepOwn(party, reservationsModule, id, {
    ...(session === undefined ? {} : { sessionId: session["id"], from: start }),
    locationId: ids.location,
    evseUid: ids.evse,
    tokenUid: wanted.tokenUid,
    correlationId,
    ...engine.mark,
    ...expires
  })
  const afterwards = Effect.gen(function* () {
    if (session !== undefined) yield* putSession(party, session, correlationId)
    yield* tellStatus(party, ids, { status: "RESERVED", when: start }, correlationId)
    yield* watchReservation(engine, party.id, id)
  })
  const carried = resumeAfterOutage(afterwards, watchReservation(engine, party.id, id))
  return { result: "ACCEPTED", afterwards: engine.start(reservationKey(party.id, id), carried) }
})

/** In versions with the status RESERVATION a reservation is a session. */
const reservationSession = Effect.fnUntraced(function* (
  party: Party,
  place: ChargingPlace,
  start: string,
  body: JsonObject
) {
  const profile = profileOf(party.version)
  if (!profile.reservationSession) return undefined
  const id = yield* nextSessionId(party)
  const authorized = authorizedBy(profile, body)
  return sessionOf(party, place, { id, status: "RESERVATION", start, authorized })
})

const cancelReservation = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  { body }: AcceptedCommand
) {
  const store = yield* PartyStore
  const id = String(body["reservation_id"])
  const known = yield* heldAnywhere(party, "cancels other EMSPs' reservations", reservationsModule, id)
  if (known.length === 0) return { result: isDriven(party) ? "UNKNOWN_RESERVATION" : "ACCEPTED" }
  yield* Effect.forEach(known, ({ holder }) => store.removeObject(holder.id, reservationsModule, "own", id))
  const afterwards = Effect.forEach(
    known,
    ({ holder, json }) =>
      Effect.zipRight(
        endReservation(engine, holder, json, { expired: false }),
        engine.wake(reservationKey(holder.id, id))
      ),
    { discard: true }
  )
  return { result: "ACCEPTED", afterwards }
})

const commands: Readonly<Record<string, Carry>> = {
  START_SESSION: startSession,
  STOP_SESSION: stopSession,
  RESERVE_NOW: reserve,
  CANCEL_RESERVATION: cancelReservation,
  UNLOCK_CONNECTOR: () => Effect.succeed({ result: "ACCEPTED" })
}
