import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { connectionsQuery, healthQuery, machinesQuery, needyRunsQuery, runsQuery } from "../data/queries.ts"
import { trySandbox } from "../data/trySandbox.ts"
import { Badge } from "../elements/Badge.tsx"
import { JourneyRow } from "../elements/JourneyRow.tsx"
import { Page } from "../elements/Page.tsx"
import { RunTable } from "../elements/RunTable.tsx"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { ValidateObject } from "./ValidateObject.tsx"

/** How to begin, what needs a person now, and what happened last. */
export function HomePage() {
  const runs = useQuery(runsQuery())
  return (
    <Page title="Home" lead={<ServiceLine />}>
      <Beginnings />
      <Needs />
      <section className="card">
        <div className="row apart">
          <h2>Last runs</h2>
          {(runs.data?.length ?? 0) > 8 ? <Link to="/runs">All runs</Link> : null}
        </div>
        <Shown of={runs}>
          {(list) =>
            list.length === 0 ? (
              <Empty>
                <p>No run yet. Try with the sandbox partner: one click, no partner needed.</p>
              </Empty>
            ) : (
              <RunTable runs={list.slice(0, 8)} />
            )
          }
        </Shown>
      </section>
      <ValidateObject />
    </Page>
  )
}

function Beginnings() {
  const navigate = useNavigate()
  const attempt = useMutation({
    mutationFn: trySandbox,
    onSuccess: ({ _id }) => navigate({ to: "/runs/$id", params: { id: _id } })
  })
  return (
    <section className="stack tight" aria-label="Begin">
      <div className="columns">
        <div className="card stack tight">
          <h2>Connect your partner</h2>
          <p className="quiet">Enter its versions URL and Token A. Nothing is changed before you say so.</p>
          <div>
            <Link to="/connections/new" className="button first">
              New connection
            </Link>
          </div>
        </div>
        <div className="card stack tight">
          <h2>Try with the sandbox</h2>
          <p className="quiet">plugfest makes a partner, registers with it and grades it.</p>
          <div>
            <button
              type="button"
              className="button"
              disabled={attempt.isPending}
              onClick={() => attempt.mutate()}
            >
              {attempt.isPending ? "Registering…" : "Try with the sandbox partner"}
            </button>
          </div>
        </div>
        <div className="card stack tight">
          <h2>Validate an object</h2>
          <p className="quiet">Paste a location, a session or a CDR, and see each violation.</p>
          <div>
            <button
              type="button"
              className="button"
              onClick={() => document.getElementById("validate-text")?.focus()}
            >
              Paste an object
            </button>
          </div>
        </div>
      </div>
      {attempt.isError ? <Failure error={attempt.error} /> : null}
    </section>
  )
}

/** What needs a person now. */
function Needs() {
  const runs = useQuery(needyRunsQuery())
  const connections = useQuery(connectionsQuery())
  const broken = (connections.data ?? []).filter(({ status }) => status === "failed")
  const needy = runs.data ?? []
  return (
    <section className="card" aria-live="polite">
      <h2>Needs you now</h2>
      {runs.isError ? <Failure error={runs.error} retry={() => void runs.refetch()} /> : null}
      {needy.length + broken.length === 0 ? (
        <p className="quiet">No run waits, none was interrupted, and no connection has an error.</p>
      ) : (
        <ul className="run-list">
          {needy.map((run) => (
            <JourneyRow key={run.runId} run={run} />
          ))}
          {broken.map(({ _id, label, lastError }) => (
            <li key={_id}>
              <span className="run-verdict">
                <Badge word="failed" />
              </span>
              <span className="run-name">
                <Link to="/connections/$id" params={{ id: _id }}>
                  {label}
                </Link>
                <span className="quiet">{lastError}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The service's health, and what runs on it, in one line. */
function ServiceLine() {
  const health = useQuery(healthQuery())
  const machines = useQuery({ ...machinesQuery(), refetchInterval: 20_000 })
  const needy = useQuery(needyRunsQuery())
  const openRuns = (machines.data ?? [])
    .filter(({ id }) => id !== "handshake")
    .flatMap(({ counts }) => Object.values(counts))
    .reduce((sum, many) => sum + many, 0)
  const lost = (needy.data ?? []).filter(({ workerHealthy }) => !workerHealthy).length
  if (health.data === undefined)
    return <p>{health.isError ? "The service does not answer" : "Asking the service…"}</p>
  const { isReady, message, millis } = health.data
  return (
    <p>
      {isReady
        ? `The service and its database are ready (${duration(millis)}) · ${count(openRuns, "open run")}`
        : (message ?? "The service is not ready")}
      {lost === 0 ? "" : ` · ${count(lost, "run")} of a process that does not answer`}
    </p>
  )
}
