import { useQuery } from "@tanstack/react-query"
import { connectionsQuery } from "../data/queries.ts"
import { ConnectionRow } from "../elements/ConnectionRow.tsx"
import { Empty, Shown } from "../elements/States.tsx"

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
              {shown.map((connection) => (
                <ConnectionRow key={connection._id} connection={connection} />
              ))}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}
