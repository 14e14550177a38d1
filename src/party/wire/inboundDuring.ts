/** Did the partner look at our versions while its answer was awaited? */
import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/** More calls than this during one handshake tell nothing new. */
const mostCalls = 100

/** What the partner did while our request was open. */
export interface InboundCalls {
  /** Its version calls: `list`, `details`. */
  readonly versions: ReadonlyArray<string>
  /** A registration of its own was turned away, since ours was open. */
  readonly crossed: boolean
}

/** Run before the request; what it gives, run after the answer, tells of the calls in between. */
export const inboundDuring = (id: PartyId): Effect.Effect<Effect.Effect<InboundCalls>, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const before = yield* store.head(id)
    return Effect.map(store.inboundAfter(id, before, mostCalls), (calls) => ({
      versions: calls.flatMap(({ exchange }) => (exchange.module === "versions" ? [exchange.operation] : [])),
      crossed: calls.some(
        ({ exchange }) => exchange.operation === "POST credentials" && exchange.response?.httpStatus === 405
      )
    }))
  })
