import { useQuery } from "@tanstack/react-query"
import { useCallback, useMemo } from "react"
import { summaryOf } from "../../../machines/runCounts.ts"
import type { RunProgress } from "../../../machines/runProgress.ts"
import { machineQuery } from "../data/queries.ts"
import { Shown } from "../elements/States.tsx"
import { inWords, nameOfId } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import type { RunAt } from "../ledger/foldRun.ts"
import type { RunPoint } from "../ledger/useRunPoint.ts"
import { MachineDiagram } from "../machines/MachineDiagram.tsx"

/** The machine of a run at the point that is shown, with the edges that it took, its stages, and what it remembers. */
export function StatePane({ run }: { readonly run: RunPoint }) {
  const { at, machineId, point, selected } = run
  const machine = useQuery(machineQuery(machineId))
  // A run has one event at least: before it was read, nothing is known of its state.
  const isKnown = at.sequence > 0
  const [view, change] = useView()
  const { failed, passed, warned } = useMemo(() => summaryOf(at.counts), [at.counts])
  const chooseState = useCallback((state: string | undefined) => change({ state, edge: undefined }), [change])
  const chooseEdge = useCallback((edge: string | undefined) => change({ edge, state: undefined }), [change])
  return (
    <section className="card stack" aria-label="State">
      <div className="row apart">
        <h2>
          {selected === undefined ? "Now" : `After event ${point}`}:{" "}
          {isKnown ? inWords(at.state.replaceAll(".", " for ")) : "…"}
        </h2>
        <span className="quiet small count">
          {passed} passed, {failed} failed, {warned} warned
        </span>
      </div>
      <Shown of={machine}>
        {(data) => (
          <MachineDiagram
            machine={data}
            active={isKnown ? at.state : undefined}
            moves={at.moves}
            chosen={view["state"]}
            choose={chooseState}
            chosenEdge={view["edge"]}
            chooseEdge={chooseEdge}
          />
        )}
      </Shown>
      <Scrubber run={run} />
      <Stages stages={at.progress.stages} chosen={view["stage"]} choose={(stage) => change({ stage })} />
      <Context at={at} />
    </section>
  )
}

/** Drags to any event: machine, stages and wait are shown as they were then; the URL says so when it is let go. */
function Scrubber({ run: { drag, first, last, select, selected } }: { readonly run: RunPoint }) {
  const at = selected ?? last
  const letGo = () => {
    if (selected !== undefined) select(selected === last ? undefined : selected)
  }
  return (
    <div className="row scrubber">
      <label className="grow">
        <span className="unseen">Event</span>
        <input
          type="range"
          min={first}
          max={last}
          value={at}
          disabled={last === 0}
          aria-valuetext={`event ${at} of ${last}`}
          onChange={({ target }) => drag(Number(target.value))}
          onPointerUp={letGo}
          onKeyUp={letGo}
          onBlur={letGo}
        />
      </label>
      <span className="mono small count">
        {at} / {last}
      </span>
    </div>
  )
}

function Stages({
  choose,
  chosen,
  stages
}: {
  readonly stages: RunProgress["stages"]
  readonly chosen: string | undefined
  readonly choose: (stage: string | undefined) => void
}) {
  return (
    <ol className="stages">
      {stages.map(({ id, state }) => (
        <li key={id}>
          <button
            type="button"
            className={`stage ${state}`}
            aria-pressed={id === chosen}
            onClick={() => choose(id === chosen ? undefined : id)}
          >
            <span>{nameOfId(id)}</span>
            <span className="small">{state}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** What the run remembers at the point: it is as high whatever that is. */
function Context({ at: { context, progress } }: { readonly at: RunAt }) {
  const { attempt, calls, decisions, open, requests } = context
  const stage = progress.stages.find(({ state }) => state === "active" || state === "waiting")
  const unanswered = Object.values(open)
  const rows = [
    ["Stage", stage === undefined ? "none" : `${nameOfId(stage.id)}, attempt ${attempt}`],
    ["Without an answer", unanswered.length === 0 ? "no request" : unanswered.join(", ")],
    ["Exchanges", `${requests} requests of ours, ${calls} calls of the partner`],
    ["Decisions applied", String(decisions)],
    ["Decisions on offer", progress.recoveryOptions.map(({ label }) => label).join(", ") || "none"]
  ] as const
  return (
    <details>
      <summary>What the run remembers here</summary>
      <dl className="facts context">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
