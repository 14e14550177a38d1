import { Effect } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import type { Inbound, PartyStore } from "../PartyStore.ts"

/** Which calls of a partner to read. */
interface CallsToRead {
  readonly store: PartyStore["Type"]
  readonly partyId: PartyId
  /** Position of the last call that was read before. */
  readonly after: number
  /** How many calls to read at once. */
  readonly page: number
}

/** Passes the partner's calls after a position to `take`, oldest first, page by page. The next page is read after `take` has ended. */
export const readCalls = Effect.fnUntraced(function* <E>(
  { after, page, partyId, store }: CallsToRead,
  take: (calls: ReadonlyArray<Inbound>) => Effect.Effect<unknown, E>
): Effect.fn.Return<void, E> {
  for (let position = after; ; ) {
    const calls = yield* store.inboundAfter(partyId, position, page)
    const last = calls.at(-1)
    if (last === undefined) return
    yield* take(calls)
    if (calls.length < page) return
    position = last.position
  }
})
