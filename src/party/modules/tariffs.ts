/** Tariffs (mod_tariffs): a CPO serves the list; an EMSP accepts what the CPO pushes and deletes. */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import {
  type ClientOwnedKind,
  getOwned,
  ownedKey,
  patchOwned,
  putOwned,
  unknownStatus
} from "./clientOwned.ts"
import { ownList } from "./ownList.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { notFound, success } from "./Route.ts"

const kind: ClientOwnedKind = {
  module: "tariffs",
  object: "Tariff",
  idField: "id",
  unknown: ocpiStatus.clientError
}

const receiver = {
  module: "tariffs",
  interfaceRole: "RECEIVER",
  pattern: ["{country}", "{party}", "{id}"]
} as const

const removeTariff = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const key = yield* ownedKey(call)
  const removed = yield* store.removeObject(call.party.id, "tariffs", "received", key)
  if (!removed)
    return yield* notFound(unknownStatus(kind, call.profile), `No tariff ${key} has been put here`)
  return success()
})

/** Routes of the module tariffs. */
export const tariffRoutes: ReadonlyArray<Route> = [
  {
    module: "tariffs",
    interfaceRole: "SENDER",
    method: "GET",
    pattern: [],
    operation: "list",
    handle: ownList("tariffs")
  },
  { ...receiver, method: "GET", operation: "GET tariff", handle: getOwned(kind) },
  { ...receiver, method: "PUT", operation: "PUT tariff", confirmsCaller: true, handle: putOwned(kind) },
  {
    ...receiver,
    method: "PATCH",
    operation: "PATCH tariff",
    offered: ({ tariffPatch }) => tariffPatch,
    confirmsCaller: true,
    handle: patchOwned(kind)
  },
  { ...receiver, method: "DELETE", operation: "DELETE tariff", handle: removeTariff }
]
