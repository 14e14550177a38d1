import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../data/client.ts"
import { type Journey, machineQuery, machinesQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../elements/useView.ts"
import { statePath } from "../format/statePath.ts"
import { capital, whoActs } from "../format/words.ts"
import { MachineDiagram } from "./MachineDiagram.tsx"

/** The state machines of the service, how many runs are in each state, and which. */
export function MachinesPage() {
  const machines = useQuery(machinesQuery())
  const [view, change] = useView()
  return (
    <Page
      title="Machines"
      lead="Each run and each registration is a state machine. The numbers are those of now."
    >
      <Shown of={machines}>
        {(list) => {
          const chosen = list.find(({ id }) => id === view["machine"]) ?? list[0]
          return (
            <>
              <div className="chips" role="group" aria-label="Machine">
                {list.map(({ id, name }) => (
                  <button
                    key={id}
                    type="button"
                    className="chip"
                    aria-pressed={id === chosen?.id}
                    onClick={() => change({ machine: id, state: undefined }, true)}
                  >
                    {name}
                  </button>
                ))}
              </div>
              {chosen === undefined ? null : (
                <>
                  <MachineCard
                    key={chosen.id}
                    id={chosen.id}
                    counts={chosen.counts}
                    description={chosen.description}
                  />
                  {chosen.id === "journeyRun" ? <OpenJourneys state={view["state"]} /> : null}
                </>
              )}
            </>
          )
        }}
      </Shown>
    </Page>
  )
}

/** Counts of ended runs say nothing about now. */
const live = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).filter(([state]) => !["completed", "cancelled", "failed"].includes(state))

function MachineCard({
  counts,
  description,
  id
}: {
  readonly id: string
  readonly description: string
  readonly counts: Readonly<Record<string, number>>
}) {
  const machine = useQuery(machineQuery(id))
  const [view, change] = useView()
  const choose = (state: string | undefined) => change({ state })
  return (
    <section className="card stack">
      <p className="quiet">{description}</p>
      <Shown of={machine}>
        {(data) => <MachineDiagram machine={data} counts={counts} chosen={view["state"]} choose={choose} />}
      </Shown>
      <div className="chips" role="group" aria-label="States">
        {live(counts).map(([state, many]) => (
          <button
            key={state}
            type="button"
            className="chip"
            aria-pressed={state === view["state"]}
            onClick={() => choose(state === view["state"] ? undefined : state)}
          >
            {capital(state.replaceAll(".", ": "))} <b>{many}</b>
          </button>
        ))}
      </div>
    </section>
  )
}

const openStatuses = ["interrupted", "waiting", "running", "recovering", "cancelling", "queued"] as const

/** Journeys that have not ended, the one that has not moved for longest first. */
function OpenJourneys({ state }: { readonly state: string | undefined }) {
  const runs = useQuery({
    queryKey: ["journeys", "open"],
    queryFn: async () =>
      (
        await Promise.all(
          openStatuses.map((status) => client.journeyRuns.list({ query: { status, limit: 100 } }))
        )
      ).flat(),
    refetchInterval: 15_000
  })
  return (
    <section className="card">
      <h2>Open journeys{state === undefined ? "" : ` in ${state.replaceAll(".", ": ")}`}</h2>
      <Shown of={runs}>
        {(all) => {
          const shown = all
            .filter(({ machine }) => state === undefined || statePath(machine.value) === state)
            .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
          return shown.length === 0 ? (
            <Empty>
              <p>{state === undefined ? "No journey is open." : "No journey is in this state."}</p>
            </Empty>
          ) : (
            <ul className="run-list">
              {shown.map((run) => (
                <OpenJourney key={run.runId} run={run} />
              ))}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}

const OpenJourney = ({
  run: { runId, status, templateId, updatedAt, waitingFor, workerHealthy }
}: {
  readonly run: Journey
}) => (
  <li>
    <span className="run-verdict">
      <Badge word={status} />
    </span>
    <span className="run-name">
      <Link to="/journeys/$id" params={{ id: runId }}>
        {templateId}
      </Link>
      <span className="quiet">
        {waitingFor === null ? "" : `${whoActs(waitingFor.party)}: ${waitingFor.instruction}`}
      </span>
    </span>
    <span className="small run-count">{workerHealthy ? "" : "its process does not answer"}</span>
    <span className="quiet small">
      moved <Time at={updatedAt} />
    </span>
  </li>
)
