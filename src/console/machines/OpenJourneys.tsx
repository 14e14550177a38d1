import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { oldestListed, openJourneysQuery, openStatuses } from "../data/openRuns.ts"
import { type Lease, leasesQuery } from "../data/processQueries.ts"
import type { Journey } from "../data/queries.ts"
import { useNames } from "../data/useNames.ts"
import { Empty, Shown } from "../elements/States.tsx"
import { statePath } from "../format/statePath.ts"
import { count } from "../format/words.ts"
import { useView, type View } from "../hooks/useView.ts"
import { JourneyRow } from "../runs/OpenRow.tsx"
import { mostRuns, offersText } from "./decideRuns.ts"
import { Worker } from "./Processes.tsx"

/** Journeys that have not ended, the one that is in its state for longest first. */
export function OpenJourneys({ state }: { readonly state: string | undefined }) {
  const runs = useQuery(openJourneysQuery())
  const leases = useQuery(leasesQuery())
  return (
    <section className="card">
      <h2>Open journeys{state === undefined ? "" : ` in ${state.replaceAll(".", ": ")}`}</h2>
      <Shown of={runs}>
        {(all) => {
          const shown = all
            .filter(({ machine }) => state === undefined || statePath(machine.value) === state)
            .toSorted((a, b) => a.stateSince.localeCompare(b.stateSince))
          const decidable = shown.filter(({ status }) => status === "interrupted").slice(0, mostRuns)
          const isCut = openStatuses.some(
            (status) => all.filter((run) => run.status === status).length >= oldestListed
          )
          return shown.length === 0 ? (
            <Empty>
              <p>{state === undefined ? "No journey is open." : "No journey is in this state."}</p>
            </Empty>
          ) : (
            <div className="stack open-runs">
              {decidable.length === 0 ? null : <Selection runs={decidable} />}
              <ul className="run-list">
                {shown.map((run) => (
                  <OpenJourney key={run.runId} run={run} lease={leases.data?.get(run.runId)} />
                ))}
              </ul>
              {isCut ? (
                <p className="quiet small">
                  Of each status the {oldestListed} that were started first are listed.
                </p>
              ) : null}
            </div>
          )
        }}
      </Shown>
    </section>
  )
}

const pickedIn = (view: View) => new Set((view["pick"] ?? "").split(",").filter((id) => id !== ""))

/** How many of the interrupted runs are chosen, and the way to decide upon them together. */
function Selection({ runs }: { readonly runs: ReadonlyArray<Journey> }) {
  const [view, change] = useView()
  const picked = pickedIn(view)
  const chosen = runs.filter(({ runId }) => picked.has(runId))
  const isAll = chosen.length === runs.length
  const offers = chosen.map(({ recoveryVersion, runId }) => ({ runId, version: recoveryVersion }))
  return (
    <div className="row apart">
      <button
        type="button"
        className="button small"
        onClick={() => change({ pick: isAll ? undefined : runs.map(({ runId }) => runId).join(",") })}
      >
        {isAll ? "Choose none" : `Choose all ${runs.length} interrupted`}
      </button>
      {chosen.length === 0 ? (
        <span className="quiet small">Interrupted runs can be decided upon together.</span>
      ) : (
        <Link to="/machines/decide" search={{ runs: offersText(offers) }} className="button first">
          Decide for {count(chosen.length, "run")}
        </Link>
      )}
    </div>
  )
}

function OpenJourney({ lease, run }: { readonly run: Journey; readonly lease: Lease | undefined }) {
  const [view, change] = useView()
  const names = useNames()
  const { runId, status, templateId, workerHealthy } = run
  const picked = pickedIn(view)
  const toggle = () => {
    if (!picked.delete(runId)) picked.add(runId)
    change({ pick: [...picked].join(",") })
  }
  return (
    <JourneyRow
      run={run}
      mark={
        status === "interrupted" ? (
          <input
            type="checkbox"
            aria-label={`Choose ${names.journey(templateId)} ${runId}`}
            checked={picked.has(runId)}
            onChange={toggle}
          />
        ) : undefined
      }
      worker={<Worker lease={lease} healthy={workerHealthy} />}
    />
  )
}
