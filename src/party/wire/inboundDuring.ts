/** Which calls the partner made while we waited for its answer. */
import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/** The most calls during one handshake that are read. */
const mostCalls = 100

/** The partner's calls while our request was open. */
export interface InboundCalls {
  /** Its version calls: `list`, `details`. */
  readonly versions: ReadonlyArray<string>
  /** We refused a registration of its own, because ours was open. */
  readonly crossed: boolean
}

/** Run it before the request; the effect that it returns, run after the answer, gives the calls in between. */
export const inboundDuring = Effect.fnUntraced(function* (
  id: PartyId
): Effect.fn.Return<Effect.Effect<InboundCalls>, never, PartyStore> {
  const store = yield* PartyStore
  const before = yield* store.head(id)
  return Effect.map(store.inboundAfter(id, before, mostCalls), (calls) => ({
    versions: calls.flatMap(({ exchange }) => (exchange.module === "versions" ? [exchange.operation] : [])),
    crossed: calls.some(
      ({ exchange }) => exchange.operation === "POST credentials" && exchange.response?.httpStatus === 405
    )
  }))
})
