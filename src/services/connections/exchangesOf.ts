/** Pages of a party's exchanges, from either end. */
import { Effect } from "effect"
import { Invalid } from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import { type ReadPage, readPage } from "../requests/readPage.ts"

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
    return Effect.map(
      readPage(
        limit,
        (limit) => store.exchangesBefore(id, { ...filter, limit }),
        "cursor",
        ({ exchange }) => exchange.id
      ),
      ofExchanges
    )
  }
  if (cursor !== undefined)
    return new Invalid({ message: "cursor: oldest first, pages go on with after; give order=newest" })
  return Effect.map(
    readPage(
      limit,
      (limit) => store.exchanges(id, after ?? 0, limit, direction),
      "after",
      ({ position }) => position
    ),
    ofExchanges
  )
}

const ofExchanges = ({ items, next }: ReadPage<{ readonly exchange: Exchange }>): ReadPage<Exchange> => ({
  items: items.map(({ exchange }) => exchange),
  next
})
