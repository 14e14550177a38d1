import { useQuery } from "@tanstack/react-query"
import { openSuitesQuery } from "../data/openRuns.ts"
import { leasesQuery } from "../data/processQueries.ts"
import { Empty, Shown } from "../elements/States.tsx"
import { SuiteRow } from "../runs/OpenRow.tsx"
import { suiteSince } from "../runs/suiteSince.ts"
import { Worker } from "./Processes.tsx"

/**
 * Conformance runs that have not ended, the one that waits or is in its state for longest first. `state`: its status is the state's
 * first part.
 */
export function OpenSuites({ state }: { readonly state: string | undefined }) {
  const runs = useQuery(openSuitesQuery())
  const leases = useQuery(leasesQuery())
  const wanted = state?.split(".")[0]
  return (
    <section className="card" aria-label="Open conformance runs">
      <h2>Open conformance runs{wanted === undefined ? "" : ` in ${wanted}`}</h2>
      <Shown of={runs}>
        {(all) => {
          const shown = all
            .filter(({ status }) => wanted === undefined || status === wanted)
            .toSorted((a, b) => suiteSince(a).localeCompare(suiteSince(b)))
          return shown.length === 0 ? (
            <Empty>
              <p>
                {wanted === undefined
                  ? "No conformance run is open."
                  : "No conformance run is in this state."}
              </p>
            </Empty>
          ) : (
            <ul className="run-list open-runs">
              {shown.map((run) => (
                <SuiteRow key={run._id} run={run} worker={<Worker lease={leases.data?.get(run.runId)} />} />
              ))}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}
