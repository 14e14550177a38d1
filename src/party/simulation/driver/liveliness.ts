/**
 * What happens unasked at a CPO with activity `lively`: EVSEs go out of order and come back, drivers charge. The
 * counterpart is informed as of everything else, with a session's updates and its CDR.
 */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { freshUuid } from "../../wire/messageId.ts"
import { isBehindHub } from "../../wire/routing.ts"
import { beginCharge } from "../chargePoint/beginCharge.ts"
import { keepOwn, nextMoment, ownObject, setStatus, tellStatus } from "../chargePoint/chargePoint.ts"
import { askToStop, chargeKey, chargesModule } from "../chargePoint/charging.ts"
import { freeEvse } from "../chargePoint/freeEvse.ts"
import { activityModule, keeperKey } from "../engine/activity.ts"
import { type Engine, type Simulated, speedOf } from "../engine/Engine.ts"
import { carryOutSwipe } from "./localStart.ts"

/** Simulated time between two events, and the least real time: a fast simulation must not flood the counterpart. */
const everySeconds = 900
const leastMillis = 1_000

/** The most locations, tokens and sessions that are searched. */
const mostLookedAt = 500

/** The engine's key of this work. */
export const livelinessKey = (id: PartyId): string => `${id}/life`

/**
 * In turn: an EVSE goes out of order, a driver comes, the EVSE is back, the driver leaves. Ends when the party
 * unregisters or another process claims it.
 */
export const live = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId
): Effect.fn.Return<void, never, Simulated> {
  const store = yield* PartyStore
  for (let turn = 0; ; turn++) {
    const party = Option.getOrUndefined(yield* store.find(id))
    if (party?.registration !== "registered") return
    yield* engine.sleep(livelinessKey(id), Math.max(leastMillis, (everySeconds * 1000) / speedOf(party)))
    const keeper = yield* ownObject(party, activityModule, keeperKey)
    if (Option.isNone(keeper) || !engine.isOurs(keeper.value)) return
    const round = Math.floor(turn / happenings.length)
    yield* happenings[turn % happenings.length]!(engine, party, round)
  }
})

type Happening = (engine: Engine, party: Party, round: number) => Effect.Effect<void, never, Simulated>

function breakDown(engine: Engine, party: Party, round: number) {
  return engine.exclusively(
    party.id,
    Effect.gen(function* () {
      const before = yield* ownObject(party, activityModule, "outage")
      const chosen = drawn(yield* freeEvses(party), party, round)
      if (Option.isSome(before) || chosen === undefined) return
      yield* keepOwn(party, activityModule, "outage", { ...chosen })
      yield* change(party, chosen, "OUTOFORDER")
    })
  )
}

function repair(engine: Engine, party: Party) {
  return engine.exclusively(
    party.id,
    Effect.gen(function* () {
      const store = yield* PartyStore
      const outage = yield* ownObject(party, activityModule, "outage")
      if (Option.isNone(outage)) return
      yield* store.removeObject(party.id, activityModule, "own", "outage")
      const { evse, location } = outage.value
      yield* change(party, { evse, location }, "AVAILABLE")
    })
  )
}

const change = Effect.fnUntraced(function* (party: Party, ids: EvseIds, status: string) {
  const location = yield* ownObject(party, "locations", ids.location)
  if (Option.isNone(location)) return
  const when = yield* nextMoment(location.value)
  yield* setStatus(party, ids, status, when)
  yield* tellStatus(party, ids, { status, when }, yield* freshUuid)
})

/** A driver with a token that the counterpart has sent shows it; if there is none, one who has charged here before. */
const arrive = Effect.fnUntraced(function* (engine: Engine, party: Party, round: number) {
  const at = drawn(yield* freeEvses(party), party, round + 1)
  if (at === undefined) return
  const token = drawn(yield* tokensSent(party), party, round)
  // Behind a hub it is not known whose driver has charged here before.
  if (token === undefined) return isBehindHub(party) ? undefined : yield* comeBack(engine, party, at)
  const type = textIn(token["type"])
  const outcome = yield* carryOutSwipe(engine, party, {
    tokenUid: String(token["uid"]),
    ...(type === undefined ? {} : { tokenType: type }),
    locationId: String(at.location),
    evseUid: String(at.evse)
  })
  if ("started" in outcome) yield* keepOwn(party, activityModule, "driver", { session: outcome.started })
})

const comeBack = Effect.fnUntraced(function* (engine: Engine, party: Party, at: EvseIds) {
  const token = yield* formerToken(party)
  if (token === undefined) return
  const correlationId = yield* freshUuid
  const begun = yield* engine.exclusively(
    party.id,
    Effect.gen(function* () {
      const choice = yield* freeEvse(party, {
        locationId: at.location,
        evseUid: at.evse,
        tokenUid: token["uid"]
      })
      if (choice.place === undefined) return undefined
      const authorized = { token, method: "WHITELIST", reference: undefined }
      return yield* beginCharge(engine, party, { ...choice, authorized, correlationId })
    })
  )
  if (begun === undefined) return
  yield* keepOwn(party, activityModule, "driver", { session: begun.sessionId })
  yield* begun.afterwards
})

const leave = Effect.fnUntraced(function* (engine: Engine, party: Party) {
  const store = yield* PartyStore
  const driver = yield* ownObject(party, activityModule, "driver")
  const session = Option.isSome(driver) ? textIn(driver.value["session"]) : undefined
  if (session === undefined) return
  yield* store.removeObject(party.id, activityModule, "own", "driver")
  if (Option.isNone(yield* ownObject(party, chargesModule, session))) return
  yield* askToStop(party, session)
  yield* engine.wake(chargeKey(party.id, session))
})

/** Ids of a location and one of its EVSEs. */
interface EvseIds {
  readonly location: unknown
  readonly evse: unknown
}

/** All EVSEs that are AVAILABLE. Which one is used next depends on the seed alone. */
export const freeEvses = Effect.fnUntraced(function* (party: Party) {
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, "locations", "own", { offset: 0, limit: mostLookedAt })
  return items
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap(({ json }) =>
      objectsIn(json["evses"])
        .filter(({ status }) => status === "AVAILABLE")
        .map(({ uid }): EvseIds => ({ location: json["id"], evse: uid }))
    )
})

const tokensSent = Effect.fnUntraced(function* (party: Party) {
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, "tokens", "received", { offset: 0, limit: mostLookedAt })
  return items.map(({ json }) => json).filter(({ uid, valid }) => valid === true && textIn(uid) !== undefined)
})

/** The token of the last session, with the fields that the session has. */
const formerToken = Effect.fnUntraced(function* (party: Party) {
  const store = yield* PartyStore
  const { contract, tokenReference } = profileOf(party.version)
  const { items } = yield* store.objects(party.id, "sessions", "own", { offset: 0, limit: mostLookedAt })
  const session: JsonObject = items.at(-1)?.json ?? {}
  if (tokenReference === "auth_id") {
    const id = textIn(session["auth_id"])
    return id === undefined ? undefined : ({ uid: id, [contract]: id } as JsonObject)
  }
  const token = objectIn(session[tokenReference])
  return textIn(token["uid"]) === undefined ? undefined : token
})

function drawn<A>(items: ReadonlyArray<A>, party: Party, round: number): A | undefined {
  return items[((party.sandbox?.seed ?? 0) + round) % Math.max(1, items.length)]
}

const happenings: ReadonlyArray<Happening> = [breakDown, arrive, repair, leave]
