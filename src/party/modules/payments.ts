/**
 * Payments (mod_payments): a CPO accepts what a payment terminal provider posts, its terminals and the amounts that it
 * took.
 */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { type ClientOwnedKind, keep, keptObject } from "./clientOwned.ts"
import { type ModuleCall, type Route, stored, success } from "./Route.ts"
import { validBody } from "./requestBody.ts"

const terminals: ClientOwnedKind = {
  module: "terminals",
  object: "Terminal",
  idField: "terminal_id",
  unknown: ocpiStatus.clientError
}
const confirmations: ClientOwnedKind = {
  module: "financial-advice-confirmations",
  object: "FinancialAdviceConfirmation",
  idField: "id",
  unknown: ocpiStatus.clientError
}

const receiver = { module: "payments", interfaceRole: "RECEIVER" } as const

/** Routes of the module payments. */
export const paymentRoutes: ReadonlyArray<Route> = [
  {
    ...receiver,
    method: "POST",
    pattern: ["terminals"],
    operation: "POST terminal",
    handle: post(terminals)
  },
  {
    ...receiver,
    method: "GET",
    pattern: ["terminals", "{id}"],
    operation: "GET terminal",
    handle: read(terminals)
  },
  {
    ...receiver,
    method: "POST",
    pattern: ["financial-advice-confirmations"],
    operation: "POST financial-advice-confirmation",
    handle: post(confirmations)
  },
  {
    ...receiver,
    method: "GET",
    pattern: ["financial-advice-confirmations", "{id}"],
    operation: "GET financial-advice-confirmation",
    handle: read(confirmations)
  }
]

function post(kind: ClientOwnedKind) {
  return Effect.fnUntraced(function* (call: ModuleCall) {
    const json = yield* validBody(call, kind.object)
    return stored(yield* keep(call, kind, String(json[kind.idField]), json))
  })
}

function read(kind: ClientOwnedKind) {
  return (call: ModuleCall) =>
    Effect.map(keptObject(call, kind, String(call.params["id"])), ({ json }) => success(json))
}
