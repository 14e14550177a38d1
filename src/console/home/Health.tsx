import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { leasesQuery, processesQuery } from "../data/processQueries.ts"
import { healthQuery } from "../data/queries.ts"
import { lagOf } from "../format/lagOf.ts"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { Lag, ProcessId } from "../machines/Processes.tsx"

/** The service's health: its database, its processes, the leases by which they work on open runs, and how late each process is. */
export function Health() {
  const health = useQuery(healthQuery())
  const processes = useQuery(processesQuery())
  const leases = useQuery(leasesQuery())
  const lost = (processes.data ?? []).filter(({ alive }) => !alive).length
  const held = [...(leases.data?.values() ?? [])].filter(({ processId }) => processId !== null)
  const unanswered = held.filter(({ valid }) => !valid).length
  const { data } = health
  const facts = [
    [
      "Database",
      data === undefined
        ? health.isError
          ? "the service does not answer"
          : "…"
        : data.isReady
          ? `takes writes; the service answered in ${duration(data.millis)}`
          : (data.message ?? "not ready")
    ],
    [
      "Processes",
      processes.data === undefined
        ? unread(processes)
        : `${processes.data.length - lost} alive${lost === 0 ? "" : `, ${lost} lost`}`
    ],
    [
      "Leases",
      leases.data === undefined
        ? unread(leases)
        : `${count(held.length, "open run")} worked on${unanswered === 0 ? "" : `, ${unanswered} by a process that does not answer`}`
    ]
  ] as const
  const telling = (processes.data ?? []).filter((process) => lagOf(process) !== undefined)
  return (
    <section className="card" aria-label="Health">
      <div className="row apart">
        <h2>Health of the service</h2>
        <Link to="/machines">Machines</Link>
      </div>
      <dl className="facts">
        {facts.map(([name, words]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div className="contents">
          <dt>Lag</dt>
          <dd>
            {processes.data === undefined || telling.length === 0 ? (
              unread({ isError: processes.isError || processes.data !== undefined })
            ) : (
              <ul>
                {telling.map((process) => (
                  <li key={process._id}>
                    {telling.length === 1 ? null : (
                      <>
                        process <ProcessId id={process._id} />:{" "}
                      </>
                    )}
                    <Lag process={process} />
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** In place of what was not read, or not yet. */
const unread = ({ isError }: { readonly isError: boolean }) => (isError ? "not known" : "…")
