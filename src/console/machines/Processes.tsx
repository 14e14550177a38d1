import { useQuery } from "@tanstack/react-query"
import { type Lease, processesQuery } from "../data/processQueries.ts"
import { ListRow } from "../elements/ListRow.tsx"
import { Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { Tip } from "../elements/Tip.tsx"
import { lagOf } from "../format/lagOf.ts"
import { count } from "../format/words.ts"

/** As much of a process's id as tells it from the others. */
export const ProcessId = ({ id }: { readonly id: string }) => (
  <Tip className="mono" text={id}>
    {id.slice(0, 8)}
  </Tip>
)

/** How late a process is; nothing of one that is lost or does not say. */
export function Lag({ process }: { readonly process: Parameters<typeof lagOf>[0] }) {
  const lag = lagOf(process)
  if (lag === undefined) return null
  return (
    <>
      <span className={`badge ${lag.tone}`}>{lag.state}</span> {lag.words}
    </>
  )
}

/** The processes of the service: since when each runs, and how many runs it works on. */
export function Processes() {
  const processes = useQuery(processesQuery())
  return (
    <section className="card" aria-label="Processes">
      <h2>Processes</h2>
      <p className="quiet">
        Each open run is worked on by one process, which holds its lease. The epoch grows with each process
        that claims the run.
      </p>
      <Shown of={processes}>
        {(list) => (
          <ul className="run-list">
            {list.map(({ _id, alive, aliveUntil, runs, startedAt }) => (
              <ListRow
                key={_id}
                state={<span className={`badge ${alive ? "good" : "warn"}`}>{alive ? "Alive" : "Lost"}</span>}
                time={count(runs, "run")}
              >
                <ProcessId id={_id} />
                <span className="quiet">
                  started <Time at={startedAt} />
                  {alive ? null : (
                    <>
                      , counted as lost <Time at={aliveUntil} />
                    </>
                  )}
                </span>
              </ListRow>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}

/** Who works on a run, and at which epoch. */
export function Worker({
  healthy = true,
  lease
}: {
  readonly healthy?: boolean
  readonly lease: Lease | undefined
}) {
  if (lease === undefined) return healthy ? null : "its process does not answer"
  const { epoch, processId, valid } = lease
  return (
    <>
      {processId === null ? (
        "no process"
      ) : (
        <>
          process <ProcessId id={processId} />
          {valid ? "" : " does not answer"}
        </>
      )}
      {`, epoch ${epoch}`}
    </>
  )
}
