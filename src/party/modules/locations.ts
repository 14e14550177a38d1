/**
 * Locations (mod_locations): a CPO serves the list and single objects; an EMSP accepts what the CPO pushes, at three
 * levels.
 */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { JsonObject } from "../../findings/json.ts"
import { objectsIn, sameId } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import {
  type ClientOwnedKind,
  getOwned,
  keepOver,
  keptObject,
  ownedKey,
  patchBody,
  patchOwned,
  putOwned
} from "./clientOwned.ts"
import { ownList } from "./ownList.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { notFound, stored, success } from "./Route.ts"
import { sameIds, valid, validBody } from "./requestBody.ts"

const kind: ClientOwnedKind = {
  module: "locations",
  object: "Location",
  idField: "id",
  unknown: ocpiStatus.unknownLocation
}

const locationPath = ["{country}", "{party}", "{id}"]
const evsePath = [...locationPath, "{evse}"]
const connectorPath = [...evsePath, "{connector}"]

function sender(pattern: ReadonlyArray<string>, operation: string, handle: Route["handle"]): Route {
  return { module: "locations", interfaceRole: "SENDER", method: "GET", pattern, operation, handle }
}

function receiver(
  method: Route["method"],
  pattern: ReadonlyArray<string>,
  operation: string,
  handle: Route["handle"]
): Route {
  return { module: "locations", interfaceRole: "RECEIVER", method, pattern, operation, handle }
}

const ownLocation = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const id = call.params["id"]!
  const found = yield* store.object(call.party.id, "locations", "own", id)
  if (Option.isNone(found)) return yield* notFound(ocpiStatus.unknownLocation, `No location ${id}`)
  return success(yield* partOf(call, found.value.json))
})

const getPart = Effect.fnUntraced(function* (call: ModuleCall) {
  const { json } = yield* keptObject(call, kind, yield* ownedKey(call))
  return success(yield* partOf(call, json))
})

/** PUT of one EVSE or connector: replaces or adds it, and sets `last_updated` of its parents. */
const putPart = Effect.fnUntraced(function* (call: ModuleCall) {
  const key = yield* ownedKey(call)
  const isConnector = call.params["connector"] !== undefined
  const part = yield* validBody(call, isConnector ? "Connector" : "EVSE")
  yield* sameIds(part, isConnector ? { id: call.params["connector"] } : { uid: call.params["evse"] })
  const kept = yield* keptObject(call, kind, key)
  const location = kept.json
  if (!isConnector) {
    const { created, list } = replaceIn(location["evses"], "uid", part)
    yield* keepOver(call, kind, {
      read: kept,
      key,
      json: touched({ ...location, evses: list }, part)
    })
    return stored({ created })
  }
  const evse = yield* evseOf(call, location)
  const { created, list } = replaceIn(evse["connectors"], "id", part)
  const changed = touched({ ...evse, connectors: list }, part)
  yield* keepOver(call, kind, { read: kept, key, json: withEvse(location, changed, part) })
  return stored({ created })
})

const patchPart = Effect.fnUntraced(function* (call: ModuleCall) {
  const key = yield* ownedKey(call)
  const isConnector = call.params["connector"] !== undefined
  const patch = yield* patchBody(call)
  yield* sameIds(patch, isConnector ? { id: call.params["connector"] } : { uid: call.params["evse"] })
  const kept = yield* keptObject(call, kind, key)
  const location = kept.json
  const evse = yield* evseOf(call, location)
  if (!isConnector) {
    const changed = { ...evse, ...patch }
    yield* valid(call.profile, "EVSE", changed)
    yield* keepOver(call, kind, { read: kept, key, json: withEvse(location, changed, patch) })
    return success()
  }
  const connector = { ...(yield* connectorOf(call, evse)), ...patch }
  yield* valid(call.profile, "Connector", connector)
  const { list } = replaceIn(evse["connectors"], "id", connector)
  yield* keepOver(call, kind, {
    read: kept,
    key,
    json: withEvse(location, touched({ ...evse, connectors: list }, patch), patch)
  })
  return success()
})

const withEvse = (location: JsonObject, evse: JsonObject, change: JsonObject): JsonObject =>
  touched({ ...location, evses: replaceIn(location["evses"], "uid", evse).list }, change)

/** The parent with the change's `last_updated`. */
const touched = (parent: JsonObject, change: JsonObject): JsonObject =>
  "last_updated" in change ? { ...parent, last_updated: change["last_updated"] } : parent

function replaceIn(list: unknown, idField: "uid" | "id", item: JsonObject) {
  const items = objectsIn(list)
  const at = items.findIndex((known) => sameId(known[idField], item[idField]))
  return at < 0
    ? { created: true, list: [...items, item] }
    : { created: false, list: items.map((known, index) => (index === at ? item : known)) }
}

/** The location, or its EVSE or connector that the path names. */
const partOf = Effect.fnUntraced(function* (call: ModuleCall, location: JsonObject) {
  if (call.params["evse"] === undefined) return location
  const evse = yield* evseOf(call, location)
  return call.params["connector"] === undefined ? evse : yield* connectorOf(call, evse)
})

function evseOf(call: ModuleCall, location: JsonObject) {
  const evse = objectsIn(location["evses"]).find(({ uid }) => sameId(uid, call.params["evse"]))
  return evse === undefined
    ? Effect.fail(notFound(ocpiStatus.unknownLocation, `The location has no EVSE ${call.params["evse"]}`))
    : Effect.succeed(evse)
}

function connectorOf(call: ModuleCall, evse: JsonObject) {
  const connector = objectsIn(evse["connectors"]).find(({ id }) => sameId(id, call.params["connector"]))
  return connector === undefined
    ? Effect.fail(
        notFound(ocpiStatus.unknownLocation, `The EVSE has no connector ${call.params["connector"]}`)
      )
    : Effect.succeed(connector)
}

/** Routes of the module locations. */
export const locationRoutes: ReadonlyArray<Route> = [
  sender([], "list", ownList("locations")),
  sender(["{id}"], "GET location", ownLocation),
  sender(["{id}", "{evse}"], "GET evse", ownLocation),
  sender(["{id}", "{evse}", "{connector}"], "GET connector", ownLocation),
  receiver("GET", locationPath, "GET location", getOwned(kind)),
  { ...receiver("PUT", locationPath, "PUT location", putOwned(kind)), confirmsCaller: true },
  { ...receiver("PATCH", locationPath, "PATCH location", patchOwned(kind)), confirmsCaller: true },
  receiver("GET", evsePath, "GET evse", getPart),
  { ...receiver("PUT", evsePath, "PUT evse", putPart), confirmsCaller: true },
  { ...receiver("PATCH", evsePath, "PATCH evse", patchPart), confirmsCaller: true },
  receiver("GET", connectorPath, "GET connector", getPart),
  { ...receiver("PUT", connectorPath, "PUT connector", putPart), confirmsCaller: true },
  { ...receiver("PATCH", connectorPath, "PATCH connector", patchPart), confirmsCaller: true }
]
