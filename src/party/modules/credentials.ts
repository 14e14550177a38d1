/**
 * The credentials endpoint: the partner registers with us, rotates its tokens and unregisters. `machines/handshake` decides
 * when it may. No lock is held while a request is open, because we call the partner back meanwhile.
 */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { performCall } from "../outbound/performCall.ts"
import { ourCredentials } from "../wire/credentialsObject.ts"
import { hasQuirk, PartnerQuirks, type Quirk } from "../wire/PartnerQuirks.ts"
import { exchangeEnded, registrationAfter, registrationMoment } from "../wire/registration.ts"
import { versionsUrl } from "../wire/roots.ts"
import { forgetTokens } from "../wire/tokenSlots.ts"
import { admit, credentialsMethods } from "./admit.ts"
import { type ModuleCall, notAllowed, type Refusal, type Route, success } from "./Route.ts"

const route = { module: "credentials", pattern: [] } as const

function read({ party, profile, root, token }: ModuleCall) {
  return Effect.succeed(success(ourCredentials(profile, party, token.value, versionsUrl(root))))
}

function register(call: ModuleCall) {
  const names = { theirs: "tokenB", ours: "tokenC" } as const
  const answered = opened(
    call,
    "post.received",
    Effect.tapError(admit(call, names), () => burnt(call, "forgets Token A"))
  )
  return call.party.registration === "registered"
    ? Effect.tapError(answered, () => burnt(call, "forgets who registers twice"))
    : answered
}

/** What is refused changes nothing; there are sandbox partners that forget the token of who asked. */
const burnt = Effect.fnUntraced(function* ({ party }: ModuleCall, quirk: Quirk) {
  const store = yield* PartyStore
  if (hasQuirk(yield* PartnerQuirks, party, quirk)) yield* store.putToken(party.id, "issued", null)
})

const rotate = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const tokens = yield* store.tokens(call.party.id)
  const nameOf = (slot: PartyToken["slot"]) => tokens.find((token) => token.slot === slot)?.name
  const names = { theirs: nameOf("outbound") ?? "tokenB", ours: nameOf("issued") ?? "tokenC" }
  return yield* opened(call, "put.received", admit(call, names))
})

const unregister = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const exchange = { id: call.exchangeId, ...(yield* registrationMoment(store, call.party.id)) }
  const ended = (party: Party) => registrationAfter(party, "delete.received", exchange)
  if (ended(call.party) === undefined) return yield* wrongState(call)
  if (hasQuirk(yield* PartnerQuirks, call.party, "calls after the end"))
    yield* Effect.forkDaemon(yield* lateCall(call.party))
  yield* forgetTokens(call.party.id, ended)
  return success()
})

/** A sandbox fault: calls the partner with its former token five seconds later. */
const lateCall = Effect.fnUntraced(function* (party: Party) {
  const outbound = (yield* (yield* PartyStore).tokens(party.id)).find(({ slot }) => slot === "outbound")
  if (outbound === undefined) return Effect.void
  return performCall(party, {
    module: "versions",
    interfaceRole: "SENDER",
    operation: "list",
    method: "GET",
    url: party.counterpart.versionsUrl,
    authorization: { name: outbound.name, token: outbound.value }
  }).pipe(Effect.delay("5 seconds"), Effect.ignore)
})

/** Runs the work while the exchange is open, and closes the exchange in any case. 405 if the machine does not accept the event. */
const opened = Effect.fnUntraced(function* <A, R>(
  call: ModuleCall,
  event: "post.received" | "put.received",
  work: Effect.Effect<A, Refusal, R>
) {
  const store = yield* PartyStore
  const { id } = call.party
  const exchange = { id: call.exchangeId, ...(yield* registrationMoment(store, id)) }
  let taken = false
  yield* store.update(id, (found) => {
    const next = registrationAfter(found, event, exchange)
    taken = next !== undefined
    return next ?? found
  })
  if (!taken) return yield* wrongState(call)
  // An accepted call has ended the exchange by now, and this changes nothing.
  const refused = store.update(id, (found) => exchangeEnded(found, "call.refused", exchange))
  return yield* Effect.ensuring(work, refused)
})

function wrongState({ party, request }: ModuleCall) {
  const message = `${request.method} is not possible now: ${stateOf(party)}`
  const isChanging = party.open !== null && party.open !== undefined
  return notAllowed(
    ocpiStatus.clientError,
    message,
    isChanging ? "GET" : credentialsMethods(party.registration)
  )
}

function stateOf({ open, registration }: Party): string {
  if (open !== null && open !== undefined)
    return "another change of this registration is under way; wait for it to end"
  return registration === "registered"
    ? "registered already; PUT changes the credentials, DELETE ends the registration"
    : "not registered; POST credentials first"
}

/**
 * The routes of the credentials module: GET, POST, PUT and DELETE. POST, PUT and DELETE answer HTTP 405 in a state that
 * does not allow them.
 */
export const credentialsRoutes: ReadonlyArray<Route> = [
  { ...route, method: "GET", operation: "GET credentials", handle: read },
  { ...route, method: "POST", operation: "POST credentials", handle: register },
  { ...route, method: "PUT", operation: "PUT credentials", handle: rotate },
  { ...route, method: "DELETE", operation: "DELETE credentials", handle: unregister }
]
