/**
 * A charging session over simulated time. machines/simulatedCharge says which state follows each thing that happens. The first
 * one is read from the session's objects: after a restart the next period simply follows the last one.
 */
import { Clock, Effect, Option } from "effect"
import {
  type SimulatedChargeEventType,
  type SimulatedChargeState,
  simulatedChargeAfter
} from "../../../../machines/simulatedCharge.ts"
import type { PartyId } from "../../../../schema/Ids.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { type Engine, type Simulated, speedOf } from "../engine/Engine.ts"
import { reaction } from "../engine/reaction.ts"
import { cdrIdOf, cdrOf, costSoFar } from "./cdr.ts"
import {
  amendOwn,
  keepOwn,
  nextMoment,
  ownObject,
  patchSession,
  placeByIds,
  putSession,
  setStatus,
  tellStatus,
  whereIs
} from "./chargePoint.ts"
import type { ChargingPlace } from "./chargingObjects.ts"
import { limitAt } from "./chargingProfiles.ts"
import { creditCdr } from "./creditCdr.ts"
import { numberOf, unitsOf } from "./decimals.ts"
import {
  chargedAfter,
  coveredBy,
  grained,
  longestSeconds,
  periodsOf,
  powerUnder,
  shortestSeconds,
  updateSeconds,
  usageOf
} from "./meter.ts"
import { planFor } from "./preferences.ts"
import { endingAt } from "./sessionFields.ts"
import { changeTariff } from "./tariffChange.ts"
import { tellCdr } from "./tellCdr.ts"

/** Module, none of OCPI, of the data beside a session, stored until its CDR was sent. */
export const chargesModule = "charges"

/**
 * The data beside a session. `startedAt` and `stopAt` are real times in epoch milliseconds. Further fields are `by`
 * (claims.ts), `tokenUid`, `reservedFrom` (DateTime of the reservation before the session), `wish` (of a scripted card),
 * and `tariffBefore` (the tariff at the start of the charge, if it has changed).
 */
export const chargeJson = (startedAt: number, correlationId: string): JsonObject => ({
  startedAt,
  correlationId
})

/** How late a sleeping session may notice a stop that another process wrote. */
const glanceMillis = 2_000

/** The engine's key of a session's work. */
export const chargeKey = (id: PartyId, sessionId: string): string => `${id}/charge/${sessionId}`

/** Records that the session must end now. */
export const askToStop = traced("simulation.askToStop")(function* (party: Party, sessionId: string) {
  const stopAt = yield* Clock.currentTimeMillis
  yield* amendOwn(party, chargesModule, sessionId, (charge) => ({ stopAt, ...charge }))
})

/**
 * Drives a session to its end and settles it. Ends early when its party or records are gone, or another process has
 * claimed it.
 */
export const drive = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId,
  sessionId: string
): Effect.fn.Return<void, never, Simulated> {
  let state: SimulatedChargeState | undefined
  while (state !== "settled") {
    const charged = yield* readCharged(engine, id, sessionId)
    if (charged === undefined) return
    if (state === undefined) {
      const first = yield* stepOf(charged)
      if (first === undefined) return
      state = firstState(first)
    }
    // Any process may have been asked to stop the charge.
    if (state === "charging" && typeof charged.charge["stopAt"] === "number")
      state = yield* stateAfter(state, "stop.requested")
    if (state === "completed") {
      yield* freeEvse(engine, charged)
      state = yield* stateAfter(state, "evse.freed")
      continue
    }
    const next = state === "billing" ? undefined : yield* nextUpdate(charged)
    if (next !== undefined && next.dueInMillis > 0) {
      yield* engine.sleep(chargeKey(id, sessionId), Math.min(next.dueInMillis, glanceMillis))
      continue
    }
    const step = yield* stepOf(charged)
    if (step === undefined) return
    if (next === undefined) {
      yield* bill(step)
      state = yield* stateAfter(state, "cdr.sent")
    } else {
      state = yield* stateAfter(state, next.event)
      const isLast = state === "completed"
      yield* advance(step, next.toSeconds, isLast)
      const isRepriced = charged.charge["tariffBefore"] !== undefined
      if (step.wish === "repriced" && !isLast && !isRepriced) yield* reprice(engine, step)
    }
  }
})

const stateAfter = (state: SimulatedChargeState, event: SimulatedChargeEventType) =>
  Effect.suspend(() => {
    const next = simulatedChargeAfter(state, event)
    return next === undefined
      ? Effect.dieMessage(`a simulated charge that is ${state} takes no ${event}`)
      : Effect.succeed(next)
  })

/** Where a charge begins, or goes on after a restart: its objects say what has happened. */
function firstState({ place, session }: Step): SimulatedChargeState {
  if (session["status"] === "ACTIVE") return "charging"
  return place.evse["status"] === "CHARGING" ? "completed" : "billing"
}

/** Drives on a session of which an update may be lost: the whole session is sent once to make up for it. */
export const carryOn = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId,
  sessionId: string
): Effect.fn.Return<void, never, Simulated> {
  const charged = yield* readCharged(engine, id, sessionId)
  if (charged === undefined) return
  yield* putSession(charged.party, charged.session, charged.correlationId)
  yield* drive(engine, id, sessionId)
})

/** A session that is driven, and the data beside it. */
interface Charged {
  readonly party: Party
  readonly session: JsonObject
  readonly charge: JsonObject
  readonly correlationId: string
}

/** With what an update or the bill of it needs. */
interface Step extends Charged {
  readonly place: ChargingPlace
  readonly reservedFrom: string | undefined
  /** A CardWish. */
  readonly wish: unknown
}

/** The session as it is now; undefined when its party or records are gone, or another process has claimed it. */
const readCharged = Effect.fnUntraced(function* (engine: Engine, id: PartyId, sessionId: string) {
  const store = yield* PartyStore
  const since = performance.now()
  const [charge, session] = yield* Effect.all(
    [ownObject({ id }, chargesModule, sessionId), ownObject({ id }, "sessions", sessionId)],
    { concurrency: "unbounded" }
  )
  const party = yield* store.find(id, since)
  if (Option.isNone(party) || Option.isNone(charge) || Option.isNone(session)) return undefined
  if (!engine.isOurs(charge.value)) return undefined
  const correlationId = textIn(charge.value["correlationId"]) ?? ""
  return { party: party.value, session: session.value, charge: charge.value, correlationId }
})

/** Undefined when its location is gone. */
const stepOf = Effect.fnUntraced(function* (
  charged: Charged
): Effect.fn.Return<Step | undefined, never, PartyStore> {
  const { charge, party, session } = charged
  const { reservedFrom, tariffBefore, wish } = charge
  const place = yield* placeByIds(party, whereIs(party, session))
  if (place === undefined) return undefined
  return {
    ...charged,
    place: isObject(tariffBefore) ? { ...place, tariffBefore } : place,
    reservedFrom: textIn(reservedFrom),
    wish
  }
})

/** The next update of an active session: up to which second of simulated time, and in how many real milliseconds. */
interface NextUpdate {
  readonly event: Extract<SimulatedChargeEventType, "update.due" | "stop.due" | "limit.reached">
  readonly toSeconds: number
  readonly dueInMillis: number
}

function nextUpdate({ charge, party, session }: Charged): Effect.Effect<NextUpdate> {
  return Effect.map(Clock.currentTimeMillis, (now) => {
    const startedAt = Number(charge["startedAt"])
    const simulated = (millis: number) => ((millis - startedAt) * speedOf(party)) / 1000
    const { seconds: covered } = coveredBy(profileOf(party.version), session)
    const regular = Math.min(covered + updateSeconds, longestSeconds)
    const event = regular === longestSeconds ? "limit.reached" : "update.due"
    if (typeof charge["stopAt"] === "number") {
      const stopped = Math.max(grained(simulated(charge["stopAt"])), covered, shortestSeconds)
      if (stopped <= regular) return { event: "stop.due", toSeconds: stopped, dueInMillis: 0 }
      return { event, toSeconds: regular, dueInMillis: 0 }
    }
    const dueInMillis = Math.ceil(((regular - simulated(now)) * 1000) / speedOf(party))
    return { event, toSeconds: regular, dueInMillis: Math.max(0, dueInMillis) }
  })
}

/** One update: the periods since the last one, energy and cost so far; the last update completes the session. */
const advance = Effect.fnUntraced(function* (step: Step, toSeconds: number, isLast: boolean) {
  const { correlationId, party, place, reservedFrom, session, wish } = step
  const profile = profileOf(party.version)
  const { seconds, startMillis } = coveredBy(profile, session)
  const tariffId = profile.periodTariff ? textIn(place.tariff?.["id"]) : undefined
  const id = String(session["id"])
  const [limit, plan] = yield* Effect.all(
    [limitAt(party, id, startMillis + seconds * 1000), planFor(party, id)],
    {
      concurrency: "unbounded"
    }
  )
  const power = Math.min(powerUnder(profile, place.connector, limit), plan.watts ?? Number.POSITIVE_INFINITY)
  const added = periodsOf({
    startedMillis: startMillis,
    fromSeconds: seconds,
    toSeconds,
    untilSeconds: chargedAfter(seconds, power, unitsOf(session["kwh"]), plan.energyNeed),
    powerWatts: power,
    tariffId
  })
  const periods = [...objectsIn(session["charging_periods"]), ...added]
  const usage = usageOf(periods)
  const when = dateTimeOf(startMillis + toSeconds * 1000)
  const measured: JsonObject = {
    kwh: numberOf(usage.energyUnits),
    ...(isLast ? endingAt(profile, when) : {}),
    last_updated: when
  }
  const unpriced = { ...session, ...measured, charging_periods: periods }
  const total = costSoFar(profile, unpriced, place, reservedFrom)
  const changes = { ...measured, ...(total === undefined ? {} : { total_cost: total }) }
  const now = { ...unpriced, ...changes }
  yield* keepOwn(party, "sessions", id, now)
  if (wish === "whole") return yield* putSession(party, now, correlationId)
  // In versions where a PATCH replaces the periods, all of them are sent.
  const told = profile.patchAppendsPeriods === true ? added : periods
  const patch = added.length === 0 ? changes : { ...changes, charging_periods: told }
  yield* patchSession(party, now, patch, correlationId)
})

/** Changes the tariff of the connector; what was charged so far keeps its own. */
const reprice = Effect.fnUntraced(function* (engine: Engine, { correlationId, party, place, session }: Step) {
  const tariffBefore = place.tariff
  if (tariffBefore === undefined) return
  const id = String(session["id"])
  yield* amendOwn(party, chargesModule, id, (charge) => ({ ...charge, tariffBefore }))
  const now = yield* ownObject(party, "sessions", id)
  const when = textIn(Option.getOrUndefined(now)?.["last_updated"]) ?? (yield* nextMoment(place.location))
  yield* changeTariff(
    engine,
    party,
    { tariff: tariffBefore, ids: whereIs(party, session) },
    { when, correlationId }
  )
})

const freeEvse = Effect.fnUntraced(function* (engine: Engine, { correlationId, party, session }: Charged) {
  const when = String(session["last_updated"])
  const ids = whereIs(party, session)
  yield* engine.exclusively(party.id, setStatus(party, ids, "AVAILABLE", when))
  yield* tellStatus(party, ids, { status: "AVAILABLE", when }, correlationId)
})

/** One CDR goes out, and the charge is removed. */
const bill = Effect.fnUntraced(function* ({
  correlationId,
  party,
  place,
  reservedFrom,
  session,
  wish
}: Step) {
  const store = yield* PartyStore
  yield* tellCdr(party, cdrOf(party, session, place, reservedFrom), correlationId)
  if (wish === "credited") yield* Effect.zipRight(reaction(party), creditCdr(party, cdrIdOf(session)))
  yield* store.removeObject(party.id, chargesModule, "own", String(session["id"]))
})
