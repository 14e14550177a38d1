/** Pages of a party's exchanges, from either end. */
import { Effect } from "effect"
import { Invalid } from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import { type ReadPage, readBoundedPage, withinBytes } from "../requests/readPage.ts"

/** Which exchanges, and where the page begins: `after` a position, oldest first, or at a `cursor`, newest first. */
export interface ExchangesQuery {
  readonly limit: number
  readonly direction?: Exchange["direction"]
  /** Default: `oldest`. */
  readonly order?: "oldest" | "newest"
  readonly after?: number
  readonly cursor?: string
}

/** Reads a page. Invalid: `after` does not go with `newest`, and `cursor` not with `oldest`. */
export const exchangesOf = (
  store: Pick<PartyStore["Type"], "exchanges" | "exchangesBefore">,
  id: PartyId,
  { after, cursor, direction, limit, order }: ExchangesQuery
): Effect.Effect<ReadPage<Exchange>, Invalid> => {
  if (order === "newest") {
    if (after !== undefined)
      return new Invalid({ message: "after: newest first, pages go on with cursor; see the Link header" })
    const filter = {
      ...(cursor === undefined ? {} : { cursor }),
      ...(direction === undefined ? {} : { direction })
    }
    const cursorOf = ({ exchange }: Stored) => exchange.id
    const read = inParts((limit, last) =>
      store.exchangesBefore(id, {
        ...filter,
        limit,
        ...(last === undefined ? {} : { cursor: cursorOf(last) })
      })
    )
    return Effect.map(
      readBoundedPage(limit, read, {
        bytesOf,
        nextAfter: (last) => ({ parameter: "cursor", value: cursorOf(last) })
      }),
      ofExchanges
    )
  }
  if (cursor !== undefined)
    return new Invalid({ message: "cursor: oldest first, pages go on with after; give order=newest" })
  const positionOf = ({ position }: Stored) => position
  const read = inParts((limit, last) =>
    store.exchanges(id, last === undefined ? (after ?? 0) : positionOf(last), limit, direction)
  )
  return Effect.map(
    readBoundedPage(limit, read, {
      bytesOf,
      nextAfter: (last) => ({ parameter: "after", value: positionOf(last) })
    }),
    ofExchanges
  )
}

/** An exchange where it is stored. */
type Stored = { readonly position: number; readonly exchange: Exchange }

/** So many exchanges are read at once: each may have half a megabyte. */
const together = 32

/** Reads a page by and by, as far as a page goes. `last`: the one after which it goes on. */
const inParts =
  (read: (limit: number, last: Stored | undefined) => Effect.Effect<ReadonlyArray<Stored>>) =>
  (limit: number): Effect.Effect<ReadonlyArray<Stored>> =>
    Effect.gen(function* () {
      const found: Array<Stored> = []
      for (;;) {
        const wanted = Math.min(together, limit - found.length)
        const part = yield* read(wanted, found.at(-1))
        found.push(...part)
        if (part.length < wanted || found.length >= limit || withinBytes(found, bytesOf).isFull) return found
      }
    })

/** About what it takes in an answer. */
function bytesOf({ exchange: { request, response } }: Stored): number {
  return Buffer.byteLength(request.body ?? "") + Buffer.byteLength(response?.body ?? "") + besideBodies
}

/** URL, headers, times. */
const besideBodies = 2048

const ofExchanges = ({ items, next }: ReadPage<Stored>): ReadPage<Exchange> => ({
  items: items.map(({ exchange }) => exchange),
  next
})
