/** Which calls the partner made while we waited for its answer. */
import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { readCalls } from "../../store/parties/exchanges/readCalls.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/** How many calls are read at once. */
const page = 200

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
  return Effect.gen(function* () {
    const versions: Array<string> = []
    let crossed = false
    yield* readCalls({ store, partyId: id, after: before, page }, (calls) =>
      Effect.sync(() => {
        for (const { exchange } of calls) {
          if (exchange.module === "versions") versions.push(exchange.operation)
          crossed ||= exchange.operation === "POST credentials" && exchange.response?.httpStatus === 405
        }
      })
    )
    return { versions, crossed }
  })
})
