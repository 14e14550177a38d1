import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useCallback, useDeferredValue, useMemo } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import {
  connectionQuery,
  isOpen,
  type Journey,
  journeyQuery,
  machineQuery,
  queries
} from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Loading, Shown } from "../elements/States.tsx"
import { useKeys } from "../elements/useKeys.ts"
import { useView } from "../elements/useView.ts"
import { capital, inWords } from "../format/words.ts"
import { MachineDiagram } from "../machines/MachineDiagram.tsx"
import { EventDetail } from "./EventDetail.tsx"
import { filterEvents, foldRun, kindOf, kinds, type RunAt } from "./foldRun.ts"
import { LedgerList } from "./LedgerList.tsx"
import { RecoveryPanel } from "./RecoveryPanel.tsx"
import { useLedger } from "./useLedger.ts"
import { WaitingPanel } from "./WaitingPanel.tsx"

/** A journey run: its state machine, its stages, what it waits for, and its ledger, live or at any earlier point. */
export function JourneyPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const journey = useQuery(journeyQuery(id))
  if (journey.data === undefined)
    return (
      <Page title="Journey">
        <Shown of={journey}>{() => null}</Shown>
      </Page>
    )
  return <JourneyRun key={id} journey={journey.data} />
}

/** Events after which the status says something new. */
const changesStatus = ({ type }: LedgerEvent) => !/^(exchange|assertions|inbound)\./.test(type)

function JourneyRun({ journey }: { readonly journey: Journey }) {
  const { runId } = journey
  const refresh = useCallback(() => {
    void queries.invalidateQueries({ queryKey: journeyQuery(runId).queryKey })
  }, [runId])
  const ledger = useLedger(
    runId,
    useCallback((batch) => void (batch.some(changesStatus) && refresh()), [refresh])
  )
  const [view, change] = useView()
  const selected = view["seq"] === undefined ? undefined : Number(view["seq"])
  const last = ledger.events.at(-1)?.sequence ?? 0
  const point = useDeferredValue(selected ?? last)
  const at = useMemo(() => foldRun(ledger.events, point), [ledger.events, point])
  const shown = useMemo(
    () => filterEvents(ledger.events, { kind: view["kind"], stage: view["stage"], state: view["state"] }),
    [ledger.events, view["kind"], view["stage"], view["state"]]
  )
  const select = (sequence: number | undefined) =>
    change({ seq: sequence === undefined ? undefined : String(sequence) })
  const move = (by: 1 | -1) => {
    const index = shown.findIndex(({ sequence }) => sequence === selected)
    const goal = index < 0 ? shown.at(by === 1 ? 0 : -1) : shown[index + by]
    if (goal !== undefined) select(goal.sequence)
  }
  const moveToFailure = (by: 1 | -1) => {
    const isBad = (event: LedgerEvent) =>
      event.type === "stage.failed" || event.assertions.some(({ outcome }) => outcome === "failed")
    const bad = ledger.events.filter(isBad)
    const goal =
      by === 1
        ? (bad.find(({ sequence }) => sequence > (selected ?? 0)) ?? bad[0])
        : (bad.findLast(({ sequence }) => sequence < (selected ?? last + 1)) ?? bad.at(-1))
    if (goal !== undefined) select(goal.sequence)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    f: () => moveToFailure(1),
    F: () => moveToFailure(-1)
  })
  const isLive = selected === undefined && isOpen(journey.status)
  const interruption = ledger.events.findLast(({ type }) => type === "run.interrupted")
  const event = ledger.events.find(({ sequence }) => sequence === selected)
  const [machine, connection] = [
    useQuery(machineQuery("journeyRun")),
    useQuery(connectionQuery(journey.connectionId))
  ]
  return (
    <Page
      title={capital(journey.templateId.replaceAll("-", " "))}
      lead={
        <span className="row" aria-live="polite">
          <Badge word={journey.status} />
          {journey.verdict === null ? null : <Badge word={journey.verdict} />}
          <Link to="/connections/$id" params={{ id: journey.connectionId }}>
            {connection.data?.label ?? "Connection"}
          </Link>
          {journey.workerHealthy ? null : <span className="badge warn">Its process does not answer</span>}
          <Links journey={journey} />
        </span>
      }
      actions={<Actions journey={journey} onDone={refresh} />}
    >
      <StreamState state={ledger.state} error={ledger.error} />
      {journey.status === "interrupted" ? (
        <RecoveryPanel
          journey={journey}
          onDecided={refresh}
          reason={interruption?.type === "run.interrupted" ? interruption.data.reason : undefined}
        />
      ) : null}
      {at.waiting === undefined ? null : (
        <WaitingPanel runId={runId} wait={at.waiting} live={isLive} onAnswered={refresh} />
      )}
      <div className="journey-panes">
        <section className="card stack" aria-label="State">
          <div className="row apart">
            <h2>
              {selected === undefined ? "Now" : `After event ${point}`}:{" "}
              {inWords(at.state.replaceAll(".", " for "))}
            </h2>
            <span className="quiet small">
              {at.passed} passed, {at.failed} failed, {at.warned} warned
            </span>
          </div>
          <Shown of={machine}>
            {(data) => (
              <MachineDiagram
                machine={data}
                active={at.state}
                taken={at.taken}
                chosen={view["state"]}
                choose={(state) => change({ state })}
              />
            )}
          </Shown>
          <Scrubber last={last} at={selected ?? last} select={select} />
          <Stages stages={at.stages} chosen={view["stage"]} choose={(stage) => change({ stage })} />
        </section>
        <div className={`stack ${event === undefined ? "" : "has-event"}`}>
          <section className="card stack tight" aria-label="Ledger">
            <div className="row apart">
              <h2>Ledger</h2>
              <span className="quiet small">{last} events</span>
            </div>
            <div className="chips" role="group" aria-label="Kinds of events">
              {kinds
                .filter((kind) => ledger.events.some((each) => kindOf(each) === kind))
                .map((kind) => (
                  <button
                    key={kind}
                    type="button"
                    className="chip"
                    aria-pressed={view["kind"] === kind}
                    onClick={() => change({ kind: view["kind"] === kind ? undefined : kind })}
                  >
                    {capital(kind)}
                  </button>
                ))}
              {["stage", "state"].map((name) =>
                view[name] === undefined ? null : (
                  <button
                    key={name}
                    type="button"
                    className="chip"
                    aria-pressed="true"
                    onClick={() => change({ [name]: undefined })}
                  >
                    {name} {view[name]} ×
                  </button>
                )
              )}
            </div>
            {ledger.state === "reading" && ledger.events.length === 0 ? (
              <Loading />
            ) : shown.length === 0 ? (
              <Empty>
                <p>No event is like this.</p>
              </Empty>
            ) : (
              <LedgerList events={shown} selected={selected} select={select} />
            )}
          </section>
          {event === undefined ? null : <EventDetail event={event} onClose={() => select(undefined)} />}
        </div>
      </div>
    </Page>
  )
}

function StreamState({ error, state }: { readonly state: string; readonly error: unknown }) {
  if (state === "failed") return <Failure error={error} />
  return (
    <div aria-live="polite">
      {state === "lost" ? (
        <p className="note warn">
          The connection to the service was lost. This page resumes after the last event.
        </p>
      ) : null}
    </div>
  )
}

/** Drags to any event: machine, stages and wait are shown as they were then. */
function Scrubber({
  at,
  last,
  select
}: {
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
          min={Math.min(1, last)}
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
  readonly stages: RunAt["stages"]
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

function Links({ journey: { predecessorRunId, successorRunId } }: { readonly journey: Journey }) {
  return (
    <>
      {predecessorRunId === null ? null : (
        <Link to="/journeys/$id" params={{ id: predecessorRunId }}>
          Run before this one
        </Link>
      )}
      {successorRunId === null ? null : (
        <Link to="/journeys/$id" params={{ id: successorRunId }}>
          Run that replaced it
        </Link>
      )}
    </>
  )
}

function Actions({ journey, onDone }: { readonly journey: Journey; readonly onDone: () => void }) {
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.journeyRuns.cancel({ path: { id: journey.runId } }),
    onSettled: onDone
  })
  return (
    <>
      <Link to="/runs/$id" params={{ id: journey.reportId }} className="button">
        Report
      </Link>
      {isOpen(journey.status) && journey.status !== "interrupted" ? (
        <button
          type="button"
          className="button grave"
          disabled={isPending || journey.status === "cancelling"}
          title="Stops at the next safe point, cleans up at the partner and grades what is there"
          onClick={() => mutate()}
        >
          Cancel the run
        </button>
      ) : null}
      {error === null ? null : <Failure error={error} />}
    </>
  )
}
