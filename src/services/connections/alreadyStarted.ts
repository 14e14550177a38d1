/** For idempotent retries: whether an earlier attempt of the request already exchanged credentials with the partner. */
import { Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { earlierAttemptsSince } from "../requests/IdempotentRequest.ts"

/** How many exchanges are read at once, from the newest back to the earlier attempt. */
const page = 500
/** An exchange is stored after its end, and perhaps so much later. */
const storedLateMillis = 60_000

/** True when doing the request again would repeat a write; false at the first attempt and without an Idempotency-Key. */
export const alreadyStarted = traced("alreadyStarted")(function* (party: Party) {
  const tried = yield* earlierAttemptsSince
  if (Option.isNone(tried)) return false
  const since = Date.parse(tried.value)
  const isSince = (instant: string | null | undefined) => instant != null && Date.parse(instant) >= since
  if (isSince(party.registeredAt) || isSince(party.open?.since)) return true
  const parties = yield* PartyStore
  for (let upTo = Number.MAX_SAFE_INTEGER; ; ) {
    const found = yield* parties.exchangesBefore(party.id, { limit: page, upTo })
    const isSent = ({ direction, module, startedAt }: Exchange) =>
      direction === "outbound" && module === "credentials" && isSince(startedAt)
    if (found.some(({ exchange }) => isSent(exchange))) return true
    const last = found.at(-1)
    if (last === undefined || found.length < page) return false
    if (endOf(last.exchange) < since - storedLateMillis) return false
    upTo = last.position - 1
  }
})

const endOf = ({ durationMs, startedAt }: Exchange) => Date.parse(startedAt) + durationMs
