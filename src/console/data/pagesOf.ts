/** Lists newest first, a page at a time. One item more than a page has is asked for: only that one tells whether older ones are there. */
import type { InfiniteData } from "@tanstack/react-query"

export interface ListPage<A> {
  readonly items: ReadonlyArray<A>
  /** With which the next page begins; absent on the last one. */
  readonly next?: string
}

/** What an infinite query reads pages of `size` items with. */
export const pagesOf = <A>(
  size: number,
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ReadonlyArray<A>>,
  idOf: (item: A) => string
) => ({
  queryFn: async ({ pageParam }: { readonly pageParam: string }): Promise<ListPage<A>> => {
    const found = await read({ limit: size + 1, ...(pageParam === "" ? {} : { cursor: pageParam }) })
    return {
      items: found.slice(0, size),
      ...(found.length > size ? { next: idOf(found[size - 1]!) } : {})
    }
  },
  initialPageParam: "",
  getNextPageParam: ({ next }: ListPage<A>) => next
})

/** The items of all pages that were read. */
export const itemsOf = <A>(data: InfiniteData<ListPage<A>> | undefined): ReadonlyArray<A> =>
  data?.pages.flatMap(({ items }) => items) ?? []
