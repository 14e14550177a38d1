import { Effect } from "effect"

/** Rows per query. */
const pageSize = 100

/** Reads pages until one is not full. `cursor`: id of the last item before the page; absent at the first one. */
export const allPages = Effect.fnUntraced(function* <A, E, R>(
  page: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<ReadonlyArray<A>, E, R>,
  idOf: (item: A) => string
): Effect.fn.Return<ReadonlyArray<A>, E, R> {
  const all: Array<A> = []
  for (;;) {
    const last = all.at(-1)
    const found = yield* page({ limit: pageSize, ...(last === undefined ? {} : { cursor: idOf(last) }) })
    all.push(...found)
    if (found.length < pageSize) return all
  }
})
