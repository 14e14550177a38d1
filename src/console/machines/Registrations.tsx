import { useQuery } from "@tanstack/react-query"
import { type Connection, connectionsQuery, mostConnections } from "../data/queries.ts"
import { ConnectionRow } from "../elements/ConnectionRow.tsx"
import { Empty, Shown } from "../elements/States.tsx"

/** The connections, each with the state of its registration, the longest in its state above. `state`: only these. */
export function Registrations({ state }: { readonly state: string | undefined }) {
  const connections = useQuery(connectionsQuery())
  return (
    <section className="card" aria-label="Connections">
      <h2>Connections{state === undefined ? "" : `: ${state}`}</h2>
      <Shown of={connections}>
        {(all) => {
          const shown = all
            .filter(({ registration }) => state === undefined || registration.state === state)
            .toSorted((a, b) => sinceOf(a).localeCompare(sinceOf(b)))
          return shown.length === 0 ? (
            <Empty>
              <p>{state === undefined ? "There is no connection." : "No connection is in this state."}</p>
            </Empty>
          ) : (
            <>
              <ul className="run-list">
                {shown.map((connection) => (
                  <ConnectionRow key={connection._id} connection={connection} />
                ))}
              </ul>
              {all.length < mostConnections ? null : (
                <p className="quiet small">Of the newest {mostConnections} connections.</p>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}

const sinceOf = ({ createdAt, registration }: Connection): string => registration.since ?? createdAt
