import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import { type Connection, connectionPagesQuery } from "../data/queries.ts"
import { lastRunQuery, mostRecent, recentRunsQuery } from "../data/reportQueries.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { NoPartner } from "../elements/NoPartner.tsx"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useTip } from "../elements/Tip.tsx"
import { useAllowed } from "../elements/useAllowed.ts"
import { useView } from "../elements/useView.ts"
import { causeOfError } from "../format/lastError.ts"

/** All connections with their state and the verdict of their last run. */
export function ConnectionsPage() {
  const connections = useInfiniteQuery(connectionPagesQuery())
  const [view, change] = useView()
  const words = (view["q"] ?? "").toLowerCase()
  const mayWrite = useAllowed("connections:write")
  return (
    <Page
      title="Connections"
      lead="Partners that are known to plugfest, newest first."
      actions={
        mayWrite ? (
          <Link to="/connections/new" className="button first">
            New connection
          </Link>
        ) : undefined
      }
    >
      <Shown of={connections}>
        {({ pages }) => {
          const all = pages.flat()
          const shown = all.filter(({ label, ocpiVersion, partnerBaseUrl, theirRole }) =>
            `${label} ${partnerBaseUrl} ${ocpiVersion} ${theirRole}`.toLowerCase().includes(words)
          )
          return all.length === 0 ? (
            <section className="card">
              <NoPartner>
                No connection yet. Enter a partner by its versions URL, or make one in the sandbox.
              </NoPartner>
            </section>
          ) : (
            <section className="card stack" aria-label="Connections">
              <input
                type="search"
                aria-label="Search connections"
                placeholder="Search label, URL, version"
                value={view["q"] ?? ""}
                onChange={(event) => change({ q: event.target.value })}
              />
              <List connections={shown} />
              {shown.length === 0 ? <p className="quiet">No connection is like this.</p> : null}
            </section>
          )
        }}
      </Shown>
      {connections.hasNextPage ? (
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={connections.isFetchingNextPage}
            onClick={() => void connections.fetchNextPage()}
          >
            Show older connections
          </button>
          {words === "" ? null : (
            <span className="quiet small">The search is over those that are shown.</span>
          )}
        </div>
      ) : null}
    </Page>
  )
}

function List({ connections }: { readonly connections: ReadonlyArray<Connection> }) {
  const recent = useQuery(recentRunsQuery())
  const runs = recent.data ?? []
  // One answer has the last run of most connections; those whose last run is older are asked for one by one.
  const isComplete = recent.data === undefined || runs.length < mostRecent
  const older = isComplete
    ? []
    : connections.filter(({ _id }) => runs.every(({ connectionId }) => connectionId !== _id))
  const lasts = useQueries({ queries: older.map(({ _id }) => lastRunQuery(_id)) })
  const lastOf = (id: string) => {
    const at = older.findIndex(({ _id }) => _id === id)
    return at === -1 ? runs.find(({ connectionId }) => connectionId === id) : lasts[at]?.data?.[0]
  }
  /** Only a list that was read says that there is none. */
  const isRead = (id: string) => {
    const at = older.findIndex(({ _id }) => _id === id)
    return at === -1 ? recent.data !== undefined : lasts[at]?.data !== undefined
  }
  return (
    <ul className="run-list">
      {connections.map((connection) => {
        const last = lastOf(connection._id)
        return (
          <li key={connection._id}>
            <span className="run-verdict">
              <Badge word={connection.status} />
            </span>
            <span className="run-name">
              <Link to="/connections/$id" params={{ id: connection._id }}>
                {connection.label}
              </Link>
              <span className="quiet">
                {connection.theirRole} {connection.ocpiVersion}
              </span>
              <span className="quiet mono">{connection.partnerBaseUrl}</span>
              {connection.lastError === undefined ? null : (
                <span className="outcome-bad">{causeOfError(connection.lastError)}</span>
              )}
            </span>
            <span className="small quiet run-count">
              {last === undefined ? isRead(connection._id) ? "no run yet" : "" : <LastRun run={last} />}
            </span>
            <span className="quiet small">
              <Time at={connection.createdAt} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The verdict of a run, which leads to it; its tip says what was run. */
function LastRun({ run }: { readonly run: RunReport }) {
  const names = useNames()
  const isJourney = run.kind === "journey"
  const { anchor, bubble } = useTip(
    `Last run: ${isJourney ? names.journey(run.templateId) : names.suite(run.suiteId)}`
  )
  return (
    <>
      <Link
        to={isJourney ? "/journeys/$id" : "/runs/$id"}
        params={{ id: isJourney ? run.runId : run._id }}
        {...anchor}
      >
        <Badge word={run.verdict ?? run.status} />
      </Link>
      {bubble}
    </>
  )
}
