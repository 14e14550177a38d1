import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../data/client.ts"
import { Page } from "../elements/Page.tsx"
import { RunTable } from "../elements/RunTable.tsx"
import { Empty, Failure, Loading } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"

const size = 50
const kinds = ["conformance", "journey"] as const
const verdicts = ["fail", "warn", "pass", "inconclusive"] as const

/** All runs, newest first, by kind and verdict. */
export function RunsPage() {
  const [view, change] = useView()
  const kind = kinds.find((each) => each === view["kind"])
  const verdict = verdicts.find((each) => each === view["verdict"])
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ["runs", "pages", kind, verdict],
    queryFn: ({ pageParam }) =>
      client.testing.runs({
        query: {
          limit: size,
          ...(kind === undefined ? {} : { kind }),
          ...(verdict === undefined ? {} : { verdict }),
          ...(pageParam === "" ? {} : { cursor: pageParam })
        }
      }),
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < size ? undefined : page.at(-1)?._id)
  })
  const runs = data?.pages.flat()
  return (
    <Page
      title="Runs"
      lead="Suites and journeys, newest first."
      actions={
        <Link to="/journeys/file" className="button">
          Look at an exported run
        </Link>
      }
    >
      <div className="row">
        <label className="row">
          <span>Kind</span>
          <select
            className="narrow"
            value={kind ?? ""}
            onChange={(event) => change({ kind: event.target.value })}
          >
            <option value="">All</option>
            <option value="conformance">Suites</option>
            <option value="journey">Journeys</option>
          </select>
        </label>
        <label className="row">
          <span>Verdict</span>
          <select
            className="narrow"
            value={verdict ?? ""}
            onChange={(event) => change({ verdict: event.target.value })}
          >
            <option value="">All</option>
            {verdicts.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <section className="card" aria-label="Runs">
        {error === null ? null : <Failure error={error} retry={() => void refetch()} />}
        {runs === undefined ? (
          error === null ? (
            <Loading />
          ) : null
        ) : runs.length === 0 ? (
          <Empty>
            <p>No run is like this.</p>
          </Empty>
        ) : (
          <RunTable runs={runs} />
        )}
        {hasNextPage ? (
          <button
            type="button"
            className="button"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show older runs
          </button>
        ) : null}
      </section>
    </Page>
  )
}
