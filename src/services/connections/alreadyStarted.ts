/** For idempotent retries: whether an earlier attempt of the request already exchanged credentials with the partner. */
import { Option } from "effect"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { triedSince } from "../requests/IdempotentRequest.ts"

/** How many of our newest requests are searched; a handshake has fewer than twenty. */
const lookedAt = 50

/** True when doing the request again would repeat a write; false at the first attempt and without an Idempotency-Key. */
export const alreadyStarted = traced("begunBefore")(function* (party: Party) {
  const tried = yield* triedSince
  if (Option.isNone(tried)) return false
  const since = Date.parse(tried.value)
  const isSince = (instant: string | null | undefined) => instant != null && Date.parse(instant) >= since
  if (isSince(party.registeredAt) || isSince(party.open?.since)) return true
  const parties = yield* PartyStore
  const sent = yield* parties.exchangesBefore(party.id, { direction: "outbound", limit: lookedAt })
  return sent.some(({ module, startedAt }) => module === "credentials" && isSince(startedAt))
})
