import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../data/client.ts"
import { leasesQuery } from "../data/processQueries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { whoActs } from "../format/words.ts"
import { Worker } from "./Processes.tsx"

const openStatuses = ["interrupted", "running", "cancelling", "queued"] as const
/** As many of each status as are listed. */
const mostListed = 100

/** Conformance runs that have not ended, the one that was started first above. `state`: its status is the state's first part. */
export function OpenSuites({ state }: { readonly state: string | undefined }) {
  const runs = useQuery({
    queryKey: ["runs", "open suites"],
    queryFn: async () =>
      (
        await Promise.all(
          openStatuses.map((status) =>
            client.testing.runs({ query: { kind: "conformance", status, limit: mostListed } })
          )
        )
      ).flat(),
    refetchInterval: 15_000
  })
  const leases = useQuery(leasesQuery())
  const wanted = state?.split(".")[0]
  return (
    <section className="card" aria-label="Open conformance runs">
      <h2>Open conformance runs{wanted === undefined ? "" : ` in ${wanted}`}</h2>
      <Shown of={runs}>
        {(all) => {
          const shown = all
            .filter(({ status }) => wanted === undefined || status === wanted)
            .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
          return shown.length === 0 ? (
            <Empty>
              <p>
                {wanted === undefined
                  ? "No conformance run is open."
                  : "No conformance run is in this state."}
              </p>
            </Empty>
          ) : (
            <ul className="run-list">
              {shown.map(({ _id, connectionLabel, createdAt, runId, status, suiteId, waitingFor }) => (
                <li key={_id}>
                  <span className="run-verdict">
                    <Badge word={status} />
                  </span>
                  <span className="run-name">
                    <Link to="/runs/$id" params={{ id: _id }}>
                      {suiteId ?? "Suite"}
                    </Link>
                    <span className="quiet">
                      {waitingFor === undefined
                        ? connectionLabel
                        : `${whoActs(waitingFor.party)}: ${waitingFor.instruction}`}
                    </span>
                  </span>
                  <span className="small run-count">
                    <Worker lease={leases.data?.get(runId)} />
                  </span>
                  <span className="quiet small">
                    began <Time at={createdAt} />
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
