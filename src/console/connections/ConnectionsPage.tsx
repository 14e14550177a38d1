import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { connectionsQuery, runsQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { NoPartner } from "../elements/NoPartner.tsx"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../elements/useView.ts"

/** All connections with their state and the verdict of their last run. */
export function ConnectionsPage() {
  const connections = useQuery(connectionsQuery())
  const runs = useQuery(runsQuery())
  const [view, change] = useView()
  const words = (view["q"] ?? "").toLowerCase()
  return (
    <Page
      title="Connections"
      lead="Partners that are known to plugfest, newest first."
      actions={
        <Link to="/connections/new" className="button first">
          New connection
        </Link>
      }
    >
      <Shown of={connections}>
        {(list) =>
          list.length === 0 ? (
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
              <ul className="run-list">
                {list
                  .filter(({ label, ocpiVersion, partnerBaseUrl, theirRole }) =>
                    `${label} ${partnerBaseUrl} ${ocpiVersion} ${theirRole}`.toLowerCase().includes(words)
                  )
                  .map((connection) => {
                    const last = runs.data?.find(({ connectionId }) => connectionId === connection._id)
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
                            <span className="outcome-bad">{connection.lastError}</span>
                          )}
                        </span>
                        <span className="small quiet run-count">
                          {last === undefined ? (
                            "no run of late"
                          ) : (
                            <Badge word={last.verdict ?? last.status} />
                          )}
                        </span>
                        <span className="quiet small">
                          <Time at={connection.createdAt} />
                        </span>
                      </li>
                    )
                  })}
              </ul>
            </section>
          )
        }
      </Shown>
    </Page>
  )
}
