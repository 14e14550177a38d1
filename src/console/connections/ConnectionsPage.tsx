import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import { itemsOf } from "../data/pagesOf.ts"
import { type Connection, connectionPagesQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { useLastRuns } from "../data/useLastRuns.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { ListRow } from "../elements/ListRow.tsx"
import { NoPartner } from "../elements/NoPartner.tsx"
import { Page } from "../elements/Page.tsx"
import { SearchField } from "../elements/SearchField.tsx"
import { ShowOlder } from "../elements/ShowOlder.tsx"
import { Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useTip } from "../elements/Tip.tsx"
import { dialectInWords } from "../format/dialectInWords.ts"
import { causeOfError } from "../format/lastError.ts"
import { useView } from "../hooks/useView.ts"

/** All connections with their state, their dialect, and the verdicts of their last suite and journey. */
export function ConnectionsPage() {
  const connections = useInfiniteQuery(connectionPagesQuery())
  const [view] = useView()
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
        {(read) => {
          const all = itemsOf(read)
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
              <SearchField of="connections" by="label, URL, version" />
              <List connections={shown} />
              {shown.length === 0 ? <p className="quiet">No connection is like this.</p> : null}
            </section>
          )
        }}
      </Shown>
      {connections.hasNextPage ? (
        <div className="row">
          <ShowOlder of={connections} what="connections" />
          {words === "" ? null : (
            <span className="quiet small">The search is over those that are shown.</span>
          )}
        </div>
      ) : null}
    </Page>
  )
}

function List({ connections }: { readonly connections: ReadonlyArray<Connection> }) {
  const lastRunsOf = useLastRuns(connections)
  return (
    <ul className="run-list">
      {connections.map((connection) => {
        const dialect = dialectInWords(connection.dialect)
        const { conformance, isRead, journey } = lastRunsOf(connection._id)
        return (
          <ListRow
            key={connection._id}
            state={<Badge word={connection.status} />}
            figure={
              <span className="last-runs">
                {conformance === undefined ? null : <LastRun run={conformance} />}
                {journey === undefined ? null : <LastRun run={journey} />}
                {conformance === undefined && journey === undefined && isRead ? "no run yet" : ""}
              </span>
            }
            time={<Time at={connection.createdAt} />}
          >
            <Link to="/connections/$id" params={{ id: connection._id }}>
              {connection.label}
            </Link>
            <span className="quiet">
              {connection.theirRole} {connection.ocpiVersion}
            </span>
            {dialect === undefined ? null : <span className="quiet">{dialect}</span>}
            <span className="quiet mono">{connection.partnerBaseUrl}</span>
            {connection.lastError === undefined ? null : (
              <span className="outcome-bad">{causeOfError(connection.lastError)}</span>
            )}
          </ListRow>
        )
      })}
    </ul>
  )
}

/** The verdict of the newest run of a kind, which leads to it; its tip says what was run. */
function LastRun({ run }: { readonly run: RunReport }) {
  const names = useNames()
  const isJourney = run.kind === "journey"
  const { anchor, bubble } = useTip(
    `Last run: ${isJourney ? names.journey(run.templateId) : names.suite(run.suiteId)}`
  )
  return (
    <span>
      {isJourney ? "Journey" : "Suite"}
      <Link
        to={isJourney ? "/journeys/$id" : "/runs/$id"}
        params={{ id: isJourney ? run.runId : run._id }}
        {...anchor}
      >
        <Badge word={run.verdict ?? run.status} />
      </Link>
      {bubble}
    </span>
  )
}
