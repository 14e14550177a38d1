import { Effect } from "effect"

/** Lines per page. */
const pageSize = 1000

/** All lines of a run, oldest first, read page by page. `page`: at most `limit` lines after the first `after` ones. */
export const readLines = Effect.fnUntraced(function* <A, E, R>(
  page: (after: number, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.fn.Return<ReadonlyArray<A>, E, R> {
  const lines: Array<A> = []
  for (;;) {
    const found = yield* page(lines.length, pageSize)
    lines.push(...found)
    if (found.length < pageSize) return lines
  }
})
