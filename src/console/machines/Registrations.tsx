import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { connectionsQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { causeOfError } from "../format/lastError.ts"

/** The connections, each with the state of its registration, the one that was entered first above. `status`: only these. */
export function Registrations({ status }: { readonly status: string | undefined }) {
  const connections = useQuery(connectionsQuery())
  return (
    <section className="card" aria-label="Connections">
      <h2>Connections{status === undefined ? "" : `: ${status.replaceAll("_", " ")}`}</h2>
      <Shown of={connections}>
        {(all) => {
          const shown = all
            .filter((one) => status === undefined || one.status === status)
            .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
          return shown.length === 0 ? (
            <Empty>
              <p>{status === undefined ? "There is no connection." : "No connection is in this state."}</p>
            </Empty>
          ) : (
            <ul className="run-list">
              {shown.map(({ _id, createdAt, label, lastError, partnerBaseUrl, status: now }) => (
                <li key={_id}>
                  <span className="run-verdict">
                    <Badge word={now} />
                  </span>
                  <span className="run-name">
                    <Link to="/connections/$id" params={{ id: _id }}>
                      {label ?? _id}
                    </Link>
                    <span className="quiet">
                      {lastError === undefined ? partnerBaseUrl : causeOfError(lastError)}
                    </span>
                  </span>
                  <span className="run-count" />
                  <span className="quiet small">
                    entered <Time at={createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}
