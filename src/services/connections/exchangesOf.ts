/** Pages of a party's exchanges, from either end. */
import { Effect } from "effect"
import { Invalid } from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"

/** Which exchanges, and where the page begins: `after` a position, oldest first, or at a `cursor`, newest first. */
export interface ExchangesQuery {
  readonly limit: number
  readonly direction?: Exchange["direction"]
  /** Default: `oldest`. */
  readonly order?: "oldest" | "newest"
  readonly after?: number
  readonly cursor?: string
}

/** A page, and the parameter with which the next one begins. */
export interface ExchangesPage {
  readonly exchanges: ReadonlyArray<Exchange>
  readonly next: { readonly parameter: "after" | "cursor"; readonly value: string | number }
}

/** Reads a page. Invalid: `after` does not go with `newest`, and `cursor` not with `oldest`. */
export const exchangesOf = (
  store: Pick<PartyStore["Type"], "exchanges" | "exchangesBefore">,
  id: PartyId,
  { after, cursor, direction, limit, order }: ExchangesQuery
): Effect.Effect<ExchangesPage, Invalid> => {
  if (order === "newest") {
    if (after !== undefined)
      return new Invalid({ message: "after: newest first, pages go on with cursor; see the Link header" })
    const page = {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(direction === undefined ? {} : { direction })
    }
    return Effect.map(store.exchangesBefore(id, page), (found) => ({
      exchanges: found.map(({ exchange }) => exchange),
      next: { parameter: "cursor", value: found.at(-1)?.exchange.id ?? "" }
    }))
  }
  if (cursor !== undefined)
    return new Invalid({ message: "cursor: oldest first, pages go on with after; give order=newest" })
  return Effect.map(store.exchanges(id, after ?? 0, limit, direction), (found) => ({
    exchanges: found.map(({ exchange }) => exchange),
    next: { parameter: "after", value: found.at(-1)?.position ?? 0 }
  }))
}
