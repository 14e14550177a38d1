import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query"

/** Reads the next page of a list; nothing where there is none. `what`: the items of the list, as in `older runs`. */
export const ShowOlder = <Page,>({
  of,
  what
}: {
  readonly of: UseInfiniteQueryResult<InfiniteData<Page>>
  readonly what: string
}) =>
  of.hasNextPage ? (
    <div>
      <button
        type="button"
        className="button"
        disabled={of.isFetchingNextPage}
        onClick={() => void of.fetchNextPage()}
      >
        Show older {what}
      </button>
    </div>
  ) : null
