/** What a party pushes to its counterpart, through its behaviour: not at all, late, twice or changed. */
import { Effect, Option, type Scope } from "effect"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { type Party, PartyStore } from "../../store/PartyStore.ts"
import { Behaviours, honest, type Push } from "../Behaviours.ts"
import type { PartnerCalls } from "../PartnerCalls.ts"
import { performCall } from "../performCall.ts"

/** Where a push goes: below the counterpart's receiver interface, or to a URL that it gave. */
export type PushTarget = { readonly path: ReadonlyArray<string> } | { readonly url: string }

export type Pushing = PartyStore | OcpiClient | PartnerCalls | Behaviours

/**
 * Sends it now and waits for the answer; what is to be delayed is sent in the background. A counterpart that offers no
 * such interface is left alone, and so is one whose registration is over.
 */
export const push = (
  party: Party,
  what: Omit<Push, "delayMillis">,
  target: PushTarget,
  correlationId: string
): Effect.Effect<void, never, Pushing | Scope.Scope> =>
  Effect.gen(function* () {
    const behaviours = yield* Behaviours
    const behaviour = party.kind === "sandbox" ? behaviours.of(party) : honest
    for (const one of behaviour.push({ ...what, delayMillis: 0 })) {
      const sending = send(party, one, target, correlationId)
      if (one.delayMillis > 0) yield* Effect.forkScoped(Effect.delay(sending, one.delayMillis))
      else yield* sending
    }
  })

function send(
  party: Party,
  { body, method, module, operation }: Push,
  target: PushTarget,
  correlationId: string
) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const now = yield* store.find(party.id)
    if (Option.isNone(now) || now.value.registration !== "registered") return
    yield* performCall(now.value, {
      module,
      interfaceRole: "url" in target ? "SENDER" : "RECEIVER",
      operation,
      method,
      body,
      correlationId,
      ...target
    }).pipe(Effect.catchTag("NoEndpoint", () => Effect.void))
  })
}
