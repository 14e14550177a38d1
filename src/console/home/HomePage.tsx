import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { needsPerson, waitingRunsQuery } from "../data/openRuns.ts"
import {
  type Connection,
  failedConnectionsQuery,
  invitedConnectionsQuery,
  runsQuery
} from "../data/queries.ts"
import { trySandbox } from "../data/trySandbox.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { ConnectionRow } from "../elements/ConnectionRow.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Loading, Shown } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"
import { JourneyRow, SuiteRow } from "../runs/OpenRow.tsx"
import { RunTable } from "../runs/RunTable.tsx"
import { suiteSince } from "../runs/suiteSince.ts"
import { Health } from "./Health.tsx"
import { ValidateObject } from "./ValidateObject.tsx"

/** What needs a person now, how to begin, and what happened last. Where nothing needs anybody, how to begin is first. */
export function HomePage() {
  const runs = useQuery(runsQuery())
  const needs = useNeeds()
  return (
    <Page title="Home">
      {needs.isPending ? (
        // Where the first two stand depends on what there is: neither is shown in a place that it leaves.
        <Loading />
      ) : isEmpty(needs.ours) ? (
        <>
          <Beginnings />
          <NeedsYou {...needs} />
          <WaitsForOthers {...needs} />
        </>
      ) : (
        <>
          <NeedsYou {...needs} />
          <WaitsForOthers {...needs} />
          <Beginnings />
        </>
      )}
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
      <Health />
    </Page>
  )
}

function Beginnings() {
  const navigate = useNavigate()
  const [view, change] = useView()
  const isPasting = view["validate"] !== undefined
  const mayConnect = useAllowed("connections:write")
  const mayRun = useAllowed("run")
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
            {mayConnect && mayRun ? (
              <button
                type="button"
                className="button"
                disabled={attempt.isPending}
                onClick={() => attempt.mutate()}
              >
                {attempt.isPending ? "Registering…" : "Try with the sandbox partner"}
              </button>
            ) : (
              <NotAllowed scope={mayConnect ? "run" : "connections:write"} to="do that" />
            )}
          </div>
        </div>
        <div className="card stack tight">
          <h2>Validate an object</h2>
          <p className="quiet">Paste a location, a session or a CDR, and see each violation.</p>
          <div>
            <button
              type="button"
              className="button"
              aria-expanded={isPasting}
              onClick={() =>
                change({
                  validate: isPasting ? undefined : "1",
                  object: undefined,
                  version: undefined,
                  place: undefined
                })
              }
            >
              Paste an object
            </button>
          </div>
        </div>
      </div>
      {attempt.isError ? <Failure error={attempt.error} /> : null}
      {isPasting ? <ValidateObject /> : null}
    </section>
  )
}

/** What needs a person now, and what waits for the partner or the clock. */
function useNeeds() {
  const runs = useQuery(waitingRunsQuery())
  const failed = useQuery(failedConnectionsQuery())
  const invited = useQuery(invitedConnectionsQuery())
  const { journeys, suites } = runs.data ?? { journeys: [], suites: [] }
  const isOpen = ({ invitation }: Connection) => invitation?.state === "open"
  return {
    runs,
    isPending: runs.isPending || failed.isPending || invited.isPending,
    ours: {
      journeys: journeys.filter(needsPerson),
      suites: suites.filter(needsPerson),
      connections: [...(failed.data ?? []), ...(invited.data ?? []).filter((one) => !isOpen(one))]
    },
    theirs: {
      journeys: journeys.filter((run) => !needsPerson(run)),
      suites: suites.filter((run) => !needsPerson(run)),
      connections: (invited.data ?? []).filter(isOpen)
    }
  }
}

type Needs = ReturnType<typeof useNeeds>

const isEmpty = ({ connections, journeys, suites }: Needs["ours"]) =>
  journeys.length + suites.length + connections.length === 0

const NeedsYou = ({ ours, runs }: Needs) => (
  <section className="card" aria-label="Needs you now">
    <h2>Needs you now</h2>
    {runs.isError ? <Failure error={runs.error} retry={() => void runs.refetch()} /> : null}
    <div className="kept-place">
      {isEmpty(ours) ? (
        <p className="quiet">No run asks you, none was interrupted, and no connection has an error.</p>
      ) : (
        <ul className="run-list">
          <Rows {...ours} />
        </ul>
      )}
    </div>
  </section>
)

const WaitsForOthers = ({ theirs }: Needs) => (
  <section className="card" aria-label="Waiting for the partner or the clock">
    <h2>Waiting for the partner or the clock</h2>
    <div className="kept-place">
      {isEmpty(theirs) ? (
        <p className="quiet">No run waits for either, and no partner is invited.</p>
      ) : (
        <ul className="run-list">
          <Rows {...theirs} />
        </ul>
      )}
    </div>
  </section>
)

/** The longest in its state first. */
const Rows = ({ connections, journeys, suites }: Needs["ours"]) => (
  <>
    {journeys
      .toSorted((a, b) => a.stateSince.localeCompare(b.stateSince))
      .map((run) => (
        <JourneyRow key={run.runId} run={run} />
      ))}
    {suites
      .toSorted((a, b) => suiteSince(a).localeCompare(suiteSince(b)))
      .map((run) => (
        <SuiteRow key={run._id} run={run} />
      ))}
    {connections.map((connection) => (
      <ConnectionRow key={connection._id} connection={connection} />
    ))}
  </>
)
