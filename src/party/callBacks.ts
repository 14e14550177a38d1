/** Did the partner look at our versions while its answer was awaited? */
import { Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { PartyStore } from "../store/PartyStore.ts"

/** More calls than this during one handshake tell nothing new. */
const mostCalls = 100

/** Run before the request; what it gives, run after the answer, lists the version calls in between: `list`, `details`. */
export const callBacks = (
  id: PartyId
): Effect.Effect<Effect.Effect<ReadonlyArray<string>>, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const before = yield* store.head(id)
    return Effect.map(store.inboundAfter(id, before, mostCalls), (calls) =>
      calls.filter(({ exchange }) => exchange.module === "versions").map(({ exchange }) => exchange.operation)
    )
  })
