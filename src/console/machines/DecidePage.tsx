import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useCallback, useId } from "react"
import { client } from "../data/client.ts"
import { queries } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { ListRow } from "../elements/ListRow.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Loading, sentenceOf } from "../elements/States.tsx"
import { capital, count, inWords } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { choicesOf, type Offer, offersIn, outcomeOf, type RunNow } from "./decideRuns.ts"
import { type Deciding, useDecisions } from "./useDecisions.ts"

const keyOf = ({ runId }: Offer) => ["decide", runId]

/** The run as it is, and what its ledger says was decided. */
const runNowQuery = (offer: Offer) => ({
  queryKey: keyOf(offer),
  queryFn: async (): Promise<RunNow> => {
    const path = { id: offer.runId }
    const [journey, events] = await Promise.all([
      client.journeyRuns.read({ path }),
      client.journeyRuns.events({ path, query: { type: "recovery.applied", limit: 1000 } })
    ])
    const applied = events.flatMap((event) =>
      event.type === "recovery.applied" ? [[event.data.version, event.data.decision] as const] : []
    )
    return { journey, applied: new Map(applied) }
  }
})

/**
 * One decision over a selection of interrupted runs. The URL names runs and offers; what became of them stands in their ledgers,
 * so that the page shows the same whenever one comes back to it.
 */
export function DecidePage() {
  const [view] = useView()
  const offers = offersIn(view["runs"])
  const refresh = useCallback((offer: Offer) => queries.invalidateQueries({ queryKey: keyOf(offer) }), [])
  const { decide, deciding, stop } = useDecisions(refresh)
  const answers = useQueries({ queries: offers.map(runNowQuery) })
  const problem = answers.find(({ isError }) => isError)
  const runs = offers.flatMap((offer, index) => {
    const now = answers[index]?.data
    return now === undefined ? [] : [{ offer, now, outcome: outcomeOf(offer, now) }]
  })
  const open = runs.filter(({ outcome }) => outcome.state === "open")
  const isDeciding = deciding.state === "running" || deciding.state === "stopping"
  return (
    <Page
      title={offers.length === 0 ? "Decide for several runs" : `Decide for ${count(offers.length, "run")}`}
      lead={
        <span>
          Each run is decided upon by itself, with an entry in the audit log.{" "}
          <Link to="/machines" search={{ machine: "journeyRun", state: "interrupted" }}>
            All interrupted runs
          </Link>
        </span>
      }
    >
      {problem === undefined ? null : <Failure error={problem.error} />}
      {offers.length === 0 ? (
        <section className="card">
          <Empty>
            <p>This address names no run. Choose some under Machines, in the state Interrupted.</p>
          </Empty>
        </section>
      ) : runs.length < offers.length && problem === undefined ? (
        <Loading />
      ) : (
        <>
          {isDeciding ? <Progress deciding={deciding} stop={stop} /> : null}
          {deciding.state === "stopped" ? (
            <p className="note warn" role="status">
              Stopped after {deciding.done} of {count(deciding.of, "run")}. The others are as they were.
            </p>
          ) : null}
          {open.length > 0 && !isDeciding ? (
            <Choice
              runs={open}
              of={offers.length}
              decide={(decision, chosen) => void decide(decision, chosen)}
            />
          ) : null}
          <Results runs={runs} deciding={deciding} />
        </>
      )}
    </Page>
  )
}

interface Run {
  readonly offer: Offer
  readonly now: RunNow
  readonly outcome: ReturnType<typeof outcomeOf>
}

function Choice({
  decide,
  of,
  runs
}: {
  readonly runs: ReadonlyArray<Run>
  readonly of: number
  readonly decide: (
    decision: ReturnType<typeof choicesOf>[number]["decision"],
    offers: ReadonlyArray<Offer>
  ) => void
}) {
  const [view, change] = useView()
  const name = useId()
  const mayRun = useAllowed("run")
  const choices = choicesOf(runs.map(({ now }) => now.journey))
  const chosen = choices.find(({ decision }) => decision === view["decision"])
  return (
    <form
      className="note warn stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === undefined) return
        const offers = runs.map(({ offer }) => offer).filter(({ runId }) => chosen.runIds.includes(runId))
        decide(chosen.decision, offers)
      }}
    >
      <h2>
        {runs.length} of {count(of, "run")} {runs.length === 1 ? "waits" : "wait"} for a decision
      </h2>
      <fieldset className="stack tight">
        <legend className="unseen">Decision</legend>
        {choices.map(({ decision, description, label, repeats, runIds }) => (
          <label key={decision} className="choice card">
            <input
              type="radio"
              name={name}
              checked={decision === chosen?.decision}
              onChange={() => change({ decision })}
            />
            <span className="stack tight">
              <span>
                <b>{label}</b>{" "}
                <span className="badge">
                  offered for {runIds.length} of {runs.length}
                </span>
              </span>
              <span>{description}</span>
              {runIds.length === 1 ? null : (
                // The description is of one run; this is of all of them.
                <span className="small quiet">
                  {repeats.length === 0
                    ? "None of them sends a request again."
                    : "Together they send again: "}
                  <span className="mono">{repeats.join(", ")}</span>
                </span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        {mayRun ? (
          <button type="submit" className="button first" disabled={chosen === undefined}>
            {chosen === undefined
              ? "Choose a decision"
              : `${chosen.label}: ${count(chosen.runIds.length, "run")}`}
          </button>
        ) : (
          <NotAllowed scope="run" to="decide" />
        )}
      </div>
    </form>
  )
}

const Progress = ({
  deciding: { done, of, state },
  stop
}: {
  readonly deciding: Deciding
  readonly stop: () => void
}) => (
  <section className="note busy stack tight" aria-label="Progress">
    <p aria-live="polite">
      {done} of {count(of, "run")} decided
    </p>
    <div
      className="bar"
      role="progressbar"
      aria-label="Runs decided"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={done}
    >
      <i className="done" style={{ width: `${(100 * done) / Math.max(1, of)}%` }} />
    </div>
    <div>
      <button type="button" className="button" disabled={state === "stopping"} onClick={stop}>
        {state === "stopping" ? "Stopping after this run…" : "Stop after this run"}
      </button>
    </div>
  </section>
)

function Results({ deciding, runs }: { readonly runs: ReadonlyArray<Run>; readonly deciding: Deciding }) {
  const names = useNames()
  return (
    <section className="card" aria-label="Runs">
      <h2>
        {runs.filter(({ outcome }) => outcome.state === "decided").length} of {count(runs.length, "run")}{" "}
        decided
      </h2>
      <ul className="run-list">
        {runs.map(({ now: { journey }, offer, outcome }) => (
          <ListRow
            key={offer.runId}
            state={<Badge word={journey.verdict ?? journey.status} />}
            figure={
              journey.successorRunId === null ? null : (
                <Link to="/journeys/$id" params={{ id: journey.successorRunId }}>
                  Run that replaced it
                </Link>
              )
            }
            time={<>Offer {offer.version}</>}
          >
            <Link to="/journeys/$id" params={{ id: offer.runId }}>
              {names.journey(journey.templateId)}
            </Link>
            <span className="quiet">{sentenceOfRun(outcome, deciding.problems.get(offer.runId))}</span>
          </ListRow>
        ))}
      </ul>
    </section>
  )
}

function sentenceOfRun(outcome: Run["outcome"], problem: unknown): string {
  if (outcome.state === "decided") return `Decided: ${inWords(outcome.decision)}.`
  if (outcome.state === "moved") return "It has moved on since it was chosen, so nothing was done."
  return problem === undefined ? "Waits for a decision." : capital(sentenceOf(problem))
}
