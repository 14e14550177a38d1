/** Pages of lists: one item more than a page has is read, because only that one tells whether a page comes after it. */
import { Effect } from "effect"

/** The query parameter with which the next page begins. */
export interface NextPage {
  readonly parameter: "after" | "cursor"
  readonly value: string | number
}

/** At most as many items as were asked for; without `next` it is the last page. */
export interface ReadPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: NextPage | undefined
}

/** Reads a page of at most `limit` items. `valueOf`: what the next page begins after, of this page's last item. */
export const readPage = <A, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  parameter: NextPage["parameter"],
  valueOf: (last: A) => NextPage["value"]
): Effect.Effect<ReadPage<A>, E, R> =>
  Effect.map(read(limit + 1), (found) => ({
    items: found.slice(0, limit),
    next: found.length > limit ? { parameter, value: valueOf(found[limit - 1]!) } : undefined
  }))
