/** The state of our charge points: the own locations of a party, and the sessions that take place there. */
import { Clock, Effect, Option } from "effect"
import { dateTimeOf, dateTimeToMillis } from "../../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { type Party, PartyStore } from "../../../store/parties/PartyStore.ts"
import { instantOf, nowIso } from "../../wire/instants.ts"
import { push } from "../engine/pushes.ts"
import { placeIn } from "./chargingObjects.ts"
import { type PlaceIds, placeIdsOf } from "./sessionFields.ts"

/** More tariffs than this a simulated CPO does not have. */
const mostTariffs = 500

export const ownObject = Effect.fn("simulation.ownObject")(function* (
  party: Party,
  module: string,
  key: unknown
) {
  const store = yield* PartyStore
  return Option.map(yield* store.object(party.id, module, "own", String(key)), ({ json }) => json)
})

export const keepOwn = Effect.fn("simulation.keepOwn")(function* (
  party: Party,
  module: string,
  key: string,
  json: JsonObject
) {
  const store = yield* PartyStore
  const lastUpdated = instantOf(json["last_updated"]) ?? (yield* nowIso)
  yield* store.putObject(party.id, { module, key, side: "own", json, lastUpdated })
})

/** Changes what is kept, and nothing that somebody else has written into it meanwhile. What is gone stays so. */
export const amendOwn = Effect.fn("simulation.amendOwn")(function* (
  party: Party,
  module: string,
  key: string,
  change: (json: JsonObject) => JsonObject
) {
  const store = yield* PartyStore
  for (;;) {
    const known = Option.getOrUndefined(yield* store.object(party.id, module, "own", key))
    if (known === undefined) return
    const object = { module, key, side: "own" as const, json: change(known.json), lastUpdated: yield* nowIso }
    if (yield* store.replaceObject(party.id, object, known.revision)) return
  }
})

/** Location, EVSE, connector and tariff by their ids; undefined when they are not ours. */
export const placeOf = Effect.fn("simulation.placeOf")(function* (party: Party, ids: PlaceIds) {
  const store = yield* PartyStore
  const location = yield* ownObject(party, "locations", ids.location)
  if (Option.isNone(location)) return undefined
  const { items } = yield* store.objects(party.id, "tariffs", "own", { offset: 0, limit: mostTariffs })
  return placeIn(
    profileOf(party.version),
    location.value,
    items.map(({ json }) => json),
    ids.evse,
    ids.connector
  )
})

/** The earliest moment at which that object can change: now, but never before its last change. */
export const nextMoment = (object: JsonObject): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const last = dateTimeToMillis(textIn(object["last_updated"]) ?? "") ?? 0
    return dateTimeOf(Math.max(now, last + 1000))
  })

/** Changes the status of an EVSE of ours. Whoever must hear of it is told by `tellStatus`. */
export const setStatus = Effect.fn("simulation.setStatus")(function* (
  party: Party,
  ids: Pick<PlaceIds, "location" | "evse">,
  status: string,
  when: string
) {
  const location = yield* ownObject(party, "locations", ids.location)
  if (Option.isNone(location)) return
  const evses = objectsIn(location.value["evses"]).map((evse) =>
    sameId(evse["uid"], ids.evse) ? { ...evse, status, last_updated: when } : evse
  )
  yield* keepOwn(party, "locations", String(location.value["id"]), {
    ...location.value,
    evses,
    last_updated: when
  })
})

/** PATCHes the status of an EVSE; a counterpart that has not got the EVSE gets the location. */
export const tellStatus = (
  party: Party,
  ids: Pick<PlaceIds, "location" | "evse">,
  status: string,
  when: string,
  correlationId: string
) => {
  const key = String(ids.location)
  const path = [...ownPath(party), key]
  return push(
    party,
    { module: "locations", operation: "PATCH evse", method: "PATCH", body: { status, last_updated: when } },
    { path: [...path, String(ids.evse)], whole: { key, operation: "PUT location", path } },
    correlationId
  )
}

/** PUTs the session, or PATCHes it; a counterpart that has not got it gets the whole one. */
export const tellSession = (
  party: Party,
  session: JsonObject,
  method: "PUT" | "PATCH",
  body: unknown,
  correlationId: string
) => {
  const key = String(session["id"])
  const path = [...ownPath(party), key]
  return push(
    party,
    { module: "sessions", operation: `${method} session`, method, body },
    { path, whole: { key, operation: "PUT session", path } },
    correlationId
  )
}

/** Where a session of ours is. */
export const whereIs = (party: Party, session: JsonObject): PlaceIds =>
  placeIdsOf(profileOf(party.version), session)

/** Below a receiver interface: where the objects of a party stand. */
export const ownPath = ({ identity }: Party): ReadonlyArray<string> => [
  identity.countryCode,
  identity.partyId
]
