/** Did an earlier try of the request at hand speak with the partner about credentials? Then doing it again repeats a write. */
import { Effect, Option } from "effect"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { triedSince } from "../requests/IdempotentRequest.ts"

/** Exchanges of the party that are looked at, newest first. A handshake has less than twenty. */
const lookedAt = 50

/** False at the first try of everything, and without an Idempotency-Key. */
export const alreadyStarted = Effect.fn("begunBefore")(function* (party: Party) {
  const tried = yield* triedSince
  if (Option.isNone(tried)) return false
  const since = Date.parse(tried.value)
  const isSince = (instant: string | null | undefined) => instant != null && Date.parse(instant) >= since
  if (isSince(party.registeredAt) || isSince(party.open?.since)) return true
  const parties = yield* PartyStore
  const head = yield* parties.head(party.id)
  const exchanges = yield* parties.exchanges(party.id, Math.max(0, head - lookedAt), lookedAt)
  return exchanges.some(
    ({ exchange: { direction, module, startedAt } }) =>
      direction === "outbound" && module === "credentials" && isSince(startedAt)
  )
})
