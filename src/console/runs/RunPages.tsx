import { useInfiniteQuery } from "@tanstack/react-query"
import { type RunFilter, runPagesQuery } from "../data/reportQueries.ts"
import { Empty, Shown } from "../elements/States.tsx"
import { RunTable } from "./RunTable.tsx"

/** Runs newest first, a page at a time. `none`: the sentence where there is no such run. */
export function RunPages({ filter, none }: { readonly filter: RunFilter; readonly none: string }) {
  const runs = useInfiniteQuery(runPagesQuery(filter))
  return (
    <>
      <Shown of={runs}>
        {({ pages }) =>
          pages.flat().length === 0 ? (
            <Empty>
              <p>{none}</p>
            </Empty>
          ) : (
            <RunTable runs={pages.flat()} />
          )
        }
      </Shown>
      {runs.hasNextPage ? (
        <div>
          <button
            type="button"
            className="button"
            disabled={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            Show older runs
          </button>
        </div>
      ) : null}
    </>
  )
}
