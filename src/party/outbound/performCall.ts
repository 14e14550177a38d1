/** Calls the counterpart and records the exchange. */
import { Effect, Option } from "effect"
import { newId } from "../../database/newId.ts"
import { followUp } from "../../ocpi/followUp.ts"
import { type OcpiCall, OcpiClient, type PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { CallRequest } from "../wire/CallRequest.ts"
import { nowIso } from "../wire/instants.ts"
import { PartnerQuirks } from "../wire/PartnerQuirks.ts"
import { ExchangeRecorder } from "./ExchangeRecorder.ts"
import type { NoEndpoint } from "./endpointUrl.ts"
import { atOtherSlash } from "./followUpCalls.ts"
import { noteTraffic } from "./noteTraffic.ts"
import { PartnerCalls } from "./PartnerCalls.ts"
import { rememberAnswered } from "./rememberTokens.ts"

/** A POST is never repeated, nor what changes the registration. */
const mayRepeat = ({ method, module }: OcpiCall) =>
  method !== "POST" && (module !== "credentials" || method === "GET")

/**
 * Sends one request to the party's counterpart; once more when the answer redirects to the same URL with or without a slash
 * at its end, unless it must not be repeated. Each exchange is recorded for the party, and by an `ExchangeRecorder` if there is
 * one; deviations of the answers are noted in its dialect. Fails only when there is no endpoint to call.
 */
export const performCall = Effect.fnUntraced(function* (
  party: Party,
  request: Omit<CallRequest, "exchangeId">
): Effect.fn.Return<PartnerAnswer, NoEndpoint, PartnerCalls | OcpiClient | PartyStore> {
  const calls = yield* PartnerCalls
  const client = yield* OcpiClient
  const store = yield* PartyStore
  const honest = yield* calls.prepare(party, { ...request, exchangeId: yield* newId("exchange") })
  // Only sandbox partners have quirks.
  const quirks = party.kind === "sandbox" ? yield* Effect.serviceOption(PartnerQuirks) : Option.none()
  const call = Option.match(quirks, {
    onNone: () => honest,
    onSome: ({ of }) => of(party).call?.(honest) ?? honest
  })
  const recorder = Option.filter(
    yield* Effect.serviceOption(ExchangeRecorder),
    ({ partyId }) => partyId === party.id
  )
  const send = Effect.fnUntraced(function* (call: OcpiCall) {
    if (Option.isSome(recorder)) yield* recorder.value.intended(client.intent(call, yield* nowIso))
    const answer = yield* client.exchange(call)
    yield* rememberAnswered(party.id, call, answer)
    yield* store.record(party.id, answer.exchange)
    if (Option.isSome(recorder)) yield* recorder.value.completed(answer.exchange)
    yield* noteTraffic(party, request, answer)
    return answer
  })
  const first = yield* send(call)
  const next = mayRepeat(call) ? followUp(first.exchange) : undefined
  return next?.why === "slash" ? yield* send(yield* atOtherSlash(call, next.endSlash)) : first
})
