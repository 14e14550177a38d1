/**
 * What a sandbox EMSP does about a scripted location of a CPO: its driver charges there, sets preferences, gets a card;
 * or it reads our lists.
 */
import { Clock, Effect, Option } from "effect"
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { newId } from "../../../database/newId.ts"
import { type JsonObject, objectsIn, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { PartnerCalls } from "../../outbound/PartnerCalls.ts"
import { nowIso } from "../../wire/instants.ts"
import { freshUuid } from "../../wire/messageId.ts"
import { counterpartOf } from "../../wire/routing.ts"
import { keepOwn, ownObject, ownPath } from "../chargePoint/chargePoint.ts"
import { placeIdsOf } from "../chargePoint/sessionFields.ts"
import { activityModule } from "../engine/activity.ts"
import type { Engine, Simulated } from "../engine/Engine.ts"
import { push } from "../engine/pushes.ts"
import { readLists } from "../engine/readLists.ts"
import { type LocationWish, locationWishOf } from "./scriptedLocations.ts"

/** Real time before a driver acts: the CPO's own answer must arrive first, and it may need to prepare. */
const reactionMillis = 2_000

/** The most tokens that are searched. */
const mostTokens = 500

interface Reaction {
  /** Done once per key. */
  readonly key: string
  readonly run: Effect.Effect<void, never, Simulated>
}

/** Does this party do anything about what it receives? */
export const isDriven = (party: Party): boolean => party.kind === "sandbox" && party.role === "EMSP"

/** Starts what an object that a driven party has received is a reason for; returns at once. Nothing is done twice. */
export const react = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  module: string,
  json: JsonObject
): Effect.fn.Return<void, never, Simulated> {
  const reaction = module === "locations" ? atPlace(party, json) : yield* inSession(party, module, json)
  if (reaction === undefined || Option.isSome(yield* ownObject(party, activityModule, reaction.key))) return
  yield* keepOwn(party, activityModule, reaction.key, { since: yield* nowIso })
  const late = Effect.zipRight(Effect.sleep(reactionMillis), reaction.run)
  yield* engine.start(`${party.id}/${reaction.key}`, late)
})

function atPlace(party: Party, location: JsonObject): Reaction | undefined {
  const wish = locationWishOf(location)
  const run = wish === undefined ? undefined : onSight[wish]
  return run === undefined
    ? undefined
    : { key: `invited/${String(location["id"])}`, run: run(party, location) }
}

/** What is done during a charge at a scripted location. */
const inSession = Effect.fnUntraced(function* (party: Party, module: string, session: JsonObject) {
  if (module !== "sessions" || session["status"] !== "ACTIVE") return undefined
  const store = yield* PartyStore
  const cpo = counterpartOf(party)
  const { location: id } = placeIdsOf(profileOf(party.version), session)
  const key = `${cpo?.countryCode}/${cpo?.partyId}/${String(id)}`
  const location = yield* store.object(party.id, "locations", "received", key)
  const wish = Option.isNone(location) ? undefined : locationWishOf(location.value.json)
  const sessionId = String(session["id"])
  if (wish === "charge" && Number(session["kwh"]) > 0)
    return { key: `stopped/${sessionId}`, run: stop(party, sessionId) }
  if (wish === "prefer") return { key: `preferred/${sessionId}`, run: prefer(party, sessionId) }
  return undefined
})

/** A whole token of the EMSP: an app's, or else a card. */
const driversToken = Effect.fnUntraced(function* (party: Party) {
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, "tokens", "own", { offset: 0, limit: mostTokens })
  const valid = items.map(({ json }) => json).filter((token) => token["valid"] === true)
  return valid.find(({ type }) => type === profileOf(party.version).appToken) ?? valid[0]
})

const command = Effect.fnUntraced(function* (party: Party, name: string, body: JsonObject) {
  const calls = yield* PartnerCalls
  const response_url = yield* calls.expectResult(party, name, yield* newId("command"))
  yield* push(
    party,
    { module: "commands", operation: name, method: "POST", body: { response_url, ...body } },
    { path: [name] },
    yield* freshUuid
  )
})

const startThere = Effect.fnUntraced(function* (party: Party, location: JsonObject) {
  const token = yield* driversToken(party)
  const [evse] = objectsIn(location["evses"])
  if (token === undefined || evse === undefined) return
  const { authorizationDetails } = profileOf(party.version)
  yield* command(party, "START_SESSION", {
    token,
    location_id: location["id"],
    evse_uid: evse["uid"],
    ...(authorizationDetails ? { authorization_reference: yield* freshUuid } : {})
  })
})

function stop(party: Party, sessionId: string) {
  return command(party, "STOP_SESSION", { session_id: sessionId })
}

function prefer(party: Party, sessionId: string) {
  return Effect.flatMap(freshUuid, (correlationId) =>
    push(
      party,
      {
        module: "sessions",
        operation: "PUT charging_preferences",
        method: "PUT",
        body: { profile_type: "REGULAR" }
      },
      { path: [sessionId, "charging_preferences"], interfaceRole: "SENDER" },
      correlationId
    )
  )
}

/** One day: long enough to include what the CPO has just changed. */
const lookBackMillis = dayMillis

function readChanges(party: Party) {
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    readLists(party, { date_from: dateTimeOf(now - lookBackMillis), limit: "1" })
  )
}

const issueCard = Effect.fnUntraced(function* (party: Party, location: JsonObject) {
  const [like] = yield* cards(party)
  if (like === undefined) return
  const token = cardLike(profileOf(party.version), like, {
    uid: `04${String(location["id"]).replace(/\W/g, "").slice(-20)}`,
    last_updated: dateTimeOf(yield* Clock.currentTimeMillis)
  })
  const uid = String(token["uid"])
  yield* keepOwn(party, "tokens", uid, token)
  yield* push(
    party,
    { module: "tokens", operation: "PUT token", method: "PUT", body: token },
    { path: [...ownPath(party), uid] },
    yield* freshUuid
  )
})

const cards = Effect.fnUntraced(function* (party: Party) {
  const store = yield* PartyStore
  const { items } = yield* store.objects(party.id, "tokens", "own", { offset: 0, limit: mostTokens })
  return items.map(({ json }) => json).filter(({ type, valid }) => valid === true && type === "RFID")
})

/** With a contract of its own, because no two cards share one. */
function cardLike({ contract }: VersionProfile, like: JsonObject, fresh: JsonObject): JsonObject {
  const owner = (textIn(like[contract]) ?? "").split("-").slice(0, 2)
  return { ...like, ...fresh, [contract]: [...owner, `C${String(fresh["uid"]).slice(-9)}`].join("-") }
}

/** What is done when the location arrives; a wish that is not here is done during a charge there. */
const onSight: Partial<
  Readonly<
    Record<LocationWish, (party: Party, location: JsonObject) => Effect.Effect<void, never, Simulated>>
  >
> = { charge: startThere, read: readChanges, card: issueCard }
