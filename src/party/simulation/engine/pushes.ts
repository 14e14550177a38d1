/** What a party pushes to its counterpart, as its behaviour has it: not at all, late, twice or changed. */
import { Effect, Option, type Scope } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import { isClientErrorCode, ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import type { InterfaceRole } from "../../../../schema/ocpi/VersionProfile.ts"
import type { OcpiClient } from "../../../ocpi/OcpiClient.ts"
import type { RoutedParty } from "../../../ocpi/routing.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { PartnerCalls } from "../../outbound/PartnerCalls.ts"
import { performCall } from "../../outbound/performCall.ts"
import { honest, PartnerQuirks, type Push } from "../../wire/PartnerQuirks.ts"
import { cutOffSince, readMissedLists } from "./readMissedLists.ts"

/**
 * Where a push goes: below the counterpart's receiver interface, or to a URL that it gave. `whole`: the object that a
 * PATCH changes, for a counterpart that turns out not to have it.
 */
type PushTarget =
  | {
      readonly path: ReadonlyArray<string>
      readonly query?: Readonly<Record<string, string>>
      readonly whole?: Whole
      /** RECEIVER unless said otherwise. */
      readonly interfaceRole?: InterfaceRole
    }
  | {
      readonly url: string
      /** The party that gave it, where the counterpart speaks for several. */
      readonly recipient?: RoutedParty | undefined
    }

/** An own object by its key, and how to PUT it. It is read only when needed. */
interface Whole {
  readonly key: string
  readonly operation: string
  readonly path: ReadonlyArray<string>
}

/** How much later a party with that quirk repeats a refused push. */
const insistMillis = 1_000

/** The services that a push needs. */
export type Pushing = PartyStore | OcpiClient | PartnerCalls | PartnerQuirks

/**
 * Sends the push and waits for the answer; a delayed one is sent in the background. Nothing is sent to a counterpart
 * without that interface, or whose registration is over. If a PATCH fails because the counterpart does not have the
 * object, it gets the whole one (transport_and_format, PATCH).
 */
export const push = Effect.fnUntraced(function* (
  party: Party,
  what: Omit<Push, "delayMillis">,
  target: PushTarget,
  correlationId: string
): Effect.fn.Return<void, never, Pushing | Scope.Scope> {
  const quirks = yield* PartnerQuirks
  const behaviour = party.kind === "sandbox" ? quirks.of(party) : honest
  const given = "url" in target ? { url: target.url } : {}
  const insists =
    behaviour.quirks?.includes("url" in target ? "repeats refused results" : "repeats refused pushes") ===
    true
  for (const one of behaviour.push({ ...what, ...given, delayMillis: 0 })) {
    const sending = send(party, one, target, { correlationId, insists })
    if (one.delayMillis > 0) yield* Effect.forkScoped(Effect.delay(sending, one.delayMillis))
    else yield* sending
  }
})

const send = Effect.fnUntraced(
  function* (
    party: Party,
    { body, method, module, operation, url }: Push,
    target: PushTarget,
    { correlationId, insists }: { readonly correlationId: string; readonly insists: boolean }
  ) {
    const partyReadAt = performance.now()
    const cutOff = yield* cutOffSince(party)
    const now = yield* registered(party, partyReadAt)
    if (Option.isNone(now)) return
    const call: Parameters<typeof performCall>[1] = {
      module,
      interfaceRole: "url" in target ? "SENDER" : (target.interfaceRole ?? "RECEIVER"),
      operation,
      method,
      body,
      correlationId,
      ...("url" in target ? { url: url ?? target.url } : { path: target.path }),
      ...("recipient" in target && target.recipient !== undefined ? { recipient: target.recipient } : {}),
      ...("query" in target && target.query !== undefined ? { query: target.query } : {})
    }
    const { exchange } = yield* performCall(now.value, { ...call, partyReadAt })
    if (insists && (exchange.response?.httpStatus ?? 0) >= 500)
      yield* Effect.delay(performCall(now.value, call), insistMillis)
    yield* readMissedLists(now.value, exchange, cutOff)
    if (method === "PATCH" && "path" in target && target.whole !== undefined && isRefused(exchange))
      yield* makeGood(now.value, { module, operation, path: target.path, whole: target.whole }, correlationId)
  },
  Effect.catchTag("NoEndpoint", () => Effect.void)
)

/** Asks whether the counterpart has the object that could not be patched, and PUTs it whole when it has not. */
const makeGood = Effect.fnUntraced(function* (
  party: Party,
  lost: {
    readonly module: string
    readonly operation: string
    readonly path: ReadonlyArray<string>
    readonly whole: Whole
  },
  correlationId: string
) {
  const { module, path, whole } = lost
  const store = yield* PartyStore
  const { exchange } = yield* performCall(party, {
    module,
    interfaceRole: "RECEIVER",
    operation: lost.operation.replace("PATCH", "GET"),
    method: "GET",
    path,
    correlationId
  })
  const object = isAbsent(exchange) ? yield* store.object(party.id, module, "own", whole.key) : Option.none()
  if (Option.isNone(object)) return
  yield* push(
    party,
    { module, operation: whole.operation, method: "PUT", body: object.value.json },
    { path: whole.path },
    correlationId
  )
})

/** Was the push refused because of its content? An overloaded or failing counterpart gets nothing more. */
function isRefused({ response }: Exchange): boolean {
  const code = response?.ocpiStatusCode ?? 0
  return (
    response !== null &&
    response.httpStatus < 500 &&
    (isMissing(response.httpStatus) || isClientErrorCode(code))
  )
}

function isAbsent({ response }: Exchange): boolean {
  if (response === null) return false
  return isMissing(response.httpStatus) || response.ocpiStatusCode === ocpiStatus.unknownLocation
}

const isMissing = (httpStatus: number) => httpStatus === 404

/** The party as of `since` (an instant of `performance.now()`) or later; none when its registration is over. */
function registered(party: Party, since: number) {
  return Effect.flatMap(PartyStore, (store) =>
    Effect.map(
      store.find(party.id, since),
      Option.filter(({ registration }) => registration === "registered")
    )
  )
}
