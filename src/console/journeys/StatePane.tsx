import { useQuery } from "@tanstack/react-query"
import { summaryOf } from "../../../machines/runCounts.ts"
import type { RunProgress } from "../../../machines/runProgress.ts"
import { machineQuery } from "../data/queries.ts"
import { Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { inWords } from "../format/words.ts"
import { MachineDiagram } from "../machines/MachineDiagram.tsx"
import type { RunPoint } from "./useRunPoint.ts"

/** The machine of a run at the point that is shown, with the edges that it took, and its stages. */
export function StatePane({
  machineId,
  run: { at, first, last, point, select, selected }
}: {
  readonly machineId: "journeyRun" | "suiteRun"
  readonly run: RunPoint
}) {
  const machine = useQuery(machineQuery(machineId))
  const [view, change] = useView()
  const { failed, passed, warned } = summaryOf(at.counts)
  return (
    <section className="card stack" aria-label="State">
      <div className="row apart">
        <h2>
          {selected === undefined ? "Now" : `After event ${point}`}:{" "}
          {inWords(at.state.replaceAll(".", " for "))}
        </h2>
        <span className="quiet small">
          {passed} passed, {failed} failed, {warned} warned
        </span>
      </div>
      <Shown of={machine}>
        {(data) => (
          <MachineDiagram
            machine={data}
            active={at.state}
            moves={at.moves}
            chosen={view["state"]}
            choose={(state) => change({ state })}
          />
        )}
      </Shown>
      <Scrubber first={first} last={last} at={selected ?? last} select={select} />
      <Stages stages={at.progress.stages} chosen={view["stage"]} choose={(stage) => change({ stage })} />
    </section>
  )
}

/** Drags to any event: machine, stages and wait are shown as they were then. */
function Scrubber({
  at,
  first,
  last,
  select
}: {
  readonly first: number
  readonly last: number
  readonly at: number
  readonly select: (sequence: number | undefined) => void
}) {
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
          onChange={({ target }) => {
            const sequence = Number(target.value)
            select(sequence === last ? undefined : sequence)
          }}
        />
      </label>
      <span className="mono small">
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
            <span>{id.replaceAll("-", " ")}</span>
            <span className="small">{state}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
