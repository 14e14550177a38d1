/** Clients of a hub (mod_hub_client_info): what a hub pushes about the parties that it connects. */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { type ClientOwnedKind, keep, keptObject } from "./clientOwned.ts"
import { type ModuleCall, type Route, stored, success } from "./Route.ts"
import { sameIds, validBody } from "./requestBody.ts"

const kind: ClientOwnedKind = {
  module: "hubclientinfo",
  object: "ClientInfo",
  idField: "party_id",
  unknown: ocpiStatus.clientError
}

const receiver = {
  module: "hubclientinfo",
  interfaceRole: "RECEIVER",
  pattern: ["{country}", "{party}"]
} as const

/** A hub's clients are not parties of the partner itself, so any may be named. */
const keyOf = ({ params }: ModuleCall) => `${params["country"]}/${params["party"]}`

function read(call: ModuleCall) {
  return Effect.map(keptObject(call, kind, keyOf(call)), ({ json }) => success(json))
}

const put = Effect.fnUntraced(function* (call: ModuleCall) {
  const json = yield* validBody(call, kind.object)
  yield* sameIds(json, { country_code: call.params["country"], party_id: call.params["party"] })
  return stored(yield* keep(call, kind, keyOf(call), json))
})

/** Routes of the module hubclientinfo. */
export const hubClientInfoRoutes: ReadonlyArray<Route> = [
  { ...receiver, method: "GET", operation: "GET clientinfo", handle: read },
  { ...receiver, method: "PUT", operation: "PUT clientinfo", handle: put }
]
