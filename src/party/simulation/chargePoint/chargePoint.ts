/** The state of our charge points: a party's own locations, and the sessions there. */
import { Clock, Effect, Option } from "effect"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn, sameId } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { instantOf, nowIso } from "../../wire/instants.ts"
import { push } from "../engine/pushes.ts"
import { placeIn } from "./chargingObjects.ts"
import { type PlaceIds, placeIdsOf } from "./sessionFields.ts"

/** A simulated CPO has no more tariffs than this. */
const mostTariffs = 500

/** An own object of the party; none when it does not exist. */
export const ownObject = traced("simulation.ownObject")(function* (
  party: Pick<Party, "id">,
  module: string,
  key: unknown
) {
  const store = yield* PartyStore
  return Option.map(yield* store.object(party.id, module, "own", String(key)), ({ json }) => json)
})

/** Stores an own object of the party. Its instant is its `last_updated`, or now if it has none. */
export const keepOwn = traced("simulation.keepOwn")(function* (
  party: Party,
  module: string,
  key: string,
  json: JsonObject
) {
  const store = yield* PartyStore
  const lastUpdated = instantOf(json["last_updated"]) ?? (yield* nowIso)
  yield* store.putObject(party.id, { module, key, side: "own", json, lastUpdated })
})

/**
 * Changes a stored own object and keeps concurrent changes to it. Does nothing when it is gone. Its instant is its
 * `last_updated`, or now if it has none.
 */
export const amendOwn = traced("simulation.amendOwn")(function* (
  party: Party,
  module: string,
  key: string,
  change: (json: JsonObject) => JsonObject
) {
  const store = yield* PartyStore
  for (;;) {
    const known = Option.getOrUndefined(yield* store.object(party.id, module, "own", key))
    if (known === undefined) return
    const json = change(known.json)
    const lastUpdated = instantOf(json["last_updated"]) ?? (yield* nowIso)
    const object = { module, key, side: "own" as const, json, lastUpdated }
    if (yield* store.replaceObject(party.id, object, known.revision)) return
  }
})

/** Location, EVSE, connector and tariff by their ids; undefined when they are not ours. */
export const placeByIds = traced("simulation.placeOf")(function* (party: Party, ids: PlaceIds) {
  const store = yield* PartyStore
  const [location, { items }] = yield* Effect.all(
    [
      ownObject(party, "locations", ids.location),
      store.objects(party.id, "tariffs", "own", { offset: 0, limit: mostTariffs })
    ],
    { concurrency: "unbounded" }
  )
  if (Option.isNone(location)) return undefined
  return placeIn(
    profileOf(party.version),
    location.value,
    ids,
    items.map(({ json }) => json)
  )
})

/** The next `last_updated` of an object: now, but never before its present one. */
export const nextMoment = (object: JsonObject): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const last = dateTimeMillis(object["last_updated"]) ?? 0
    return dateTimeOf(Math.max(now, last + 1000))
  })

/**
 * Changes the status of one of our EVSEs; `tellStatus` informs the counterpart. Other EVSEs of the location may change at
 * the same time: its `last_updated` is the latest of all.
 */
export const setStatus = (
  party: Party,
  ids: Pick<PlaceIds, "location" | "evse">,
  status: string,
  when: string
) =>
  amendOwn(party, "locations", String(ids.location), (location) => ({
    ...location,
    evses: objectsIn(location["evses"]).map((evse) =>
      sameId(evse["uid"], ids.evse) ? { ...evse, status, last_updated: when } : evse
    ),
    last_updated: millisOf(location["last_updated"]) > millisOf(when) ? location["last_updated"] : when
  }))

const millisOf = (instant: unknown): number => dateTimeMillis(instant) ?? 0

/** PATCHes the status of an EVSE; a counterpart without that EVSE gets the location. */
export const tellStatus = (
  party: Party,
  ids: Pick<PlaceIds, "location" | "evse">,
  { status, when }: { readonly status: string; readonly when: string },
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

/** PUTs the whole session. */
export const putSession = (party: Party, session: JsonObject, correlationId: string) =>
  pushSession(party, session, { method: "PUT", body: session }, correlationId)

/** PATCHes the session by these fields; a counterpart without it gets the whole session. */
export const patchSession = (party: Party, session: JsonObject, changes: JsonObject, correlationId: string) =>
  pushSession(party, session, { method: "PATCH", body: changes }, correlationId)

const pushSession = (
  party: Party,
  session: JsonObject,
  { body, method }: { readonly method: "PUT" | "PATCH"; readonly body: JsonObject },
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

/** The ids of a session's location, EVSE and connector. */
export const whereIs = (party: Party, session: JsonObject): PlaceIds =>
  placeIdsOf(profileOf(party.version), session)

/** The path below a receiver interface to the party's objects: country code and party id. */
export const ownPath = ({ identity }: Party): ReadonlyArray<string> => [
  identity.countryCode,
  identity.partyId
]
