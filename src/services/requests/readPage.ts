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

/** Reads a page of at most `limit` items. `cursorOf`: what the next page begins after, of this page's last item. */
export const readPage = <A, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  cursorOf: (last: A) => string
): Effect.Effect<ReadPage<A>, E, R> =>
  Effect.map(read(limit + 1), (found) =>
    pageOf(found, limit, found.length > limit, (last) => ({ parameter: "cursor", value: cursorOf(last) }))
  )

/**
 * After so many bytes a page ends, however many items were asked for: an item may have half a megabyte, and a page is in memory as
 * a whole, once for each client that asks for it.
 */
export const mostPageBytes = 512 * 1024

/**
 * The same, but a page also ends with the item that brings it to `mostPageBytes`; what `read` returns may end there already. The page
 * after it may then be empty.
 */
export const readBoundedPage = <A, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  { bytesOf, nextAfter }: { readonly bytesOf: (item: A) => number; readonly nextAfter: (last: A) => NextPage }
): Effect.Effect<ReadPage<A>, E, R> =>
  Effect.map(read(limit + 1), (found) => {
    const within = withinBytes(found, bytesOf)
    return pageOf(found, Math.min(limit, within.count), found.length > limit || within.isFull, nextAfter)
  })

/** The same of a ledger: the next page begins after the last line's sequence. */
export const readPageOfLines = <A extends { readonly sequence: number; readonly line: string }, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadPage<A>, E, R> =>
  readBoundedPage(limit, read, {
    bytesOf: ({ line }) => Buffer.byteLength(line),
    nextAfter: ({ sequence }) => ({ parameter: "after", value: sequence })
  })

/** How many of the items make a page, and whether it ends because of their bytes. */
export const withinBytes = <A>(
  items: ReadonlyArray<A>,
  bytesOf: (item: A) => number
): { readonly count: number; readonly isFull: boolean } => {
  let bytes = 0
  for (const [index, item] of items.entries()) {
    bytes += bytesOf(item)
    if (bytes >= mostPageBytes) return { count: index + 1, isFull: true }
  }
  return { count: items.length, isFull: false }
}

function pageOf<A>(
  found: ReadonlyArray<A>,
  count: number,
  goesOn: boolean,
  nextAfter: (last: A) => NextPage
): ReadPage<A> {
  const items = found.slice(0, count)
  const last = items.at(-1)
  return { items, next: goesOn && last !== undefined ? nextAfter(last) : undefined }
}
