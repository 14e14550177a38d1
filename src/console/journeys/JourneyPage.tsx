import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useCallback, useMemo, useState } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import {
  connectionQuery,
  isOpen,
  type Journey,
  journeyQuery,
  machineQuery,
  queries
} from "../data/queries.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Failure, Shown } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"
import { lineOf } from "../ledger/eventText.ts"
import { waitAt } from "../ledger/foldRun.ts"
import { LedgerPane } from "../ledger/LedgerPane.tsx"
import { type FollowedLedger, useLedger } from "../ledger/useLedger.ts"
import { useRunPoint } from "../ledger/useRunPoint.ts"
import { WaitingPanel } from "../runs/WaitingPanel.tsx"
import { Checkpoint } from "./Checkpoint.tsx"
import { FailedPanel, failedIn } from "./FailedPanel.tsx"
import { JourneyActions, JourneyLinks } from "./JourneyHead.tsx"
import { useFileDrop } from "./openedFile.ts"
import { RecoveryPanel } from "./RecoveryPanel.tsx"
import { StatePane } from "./StatePane.tsx"
import { useFilePageReady } from "./useFilePageReady.ts"

/** A journey run: its state machine, its stages, what it waits for, and its ledger, live or at any earlier point. */
export function JourneyPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const journey = useQuery(journeyQuery(id))
  const names = useNames()
  const machine = useQuery(machineQuery("journeyRun"))
  const navigate = useNavigate()
  // From the start: a file may be dropped before the run is there, or where it cannot be read.
  useFileDrop(() => void navigate({ to: "/journeys/file" }))
  useFilePageReady()
  // What comes later would move what is there.
  if (journey.data === undefined || !names.areKnown || machine.isPending)
    return (
      <Page title="Journey">
        <Shown of={journey}>{() => null}</Shown>
      </Page>
    )
  return <JourneyRun key={id} journey={journey.data} name={names.journey(journey.data.templateId)} />
}

/** Events after which the status says something new. */
const changesStatus = ({ type }: LedgerEvent) => !/^(exchange|assertions|inbound)\./.test(type)

function JourneyRun({ journey, name }: { readonly journey: Journey; readonly name: string }) {
  const { runId } = journey
  const refresh = useCallback(() => {
    void queries.invalidateQueries({ queryKey: journeyQuery(runId).queryKey })
  }, [runId])
  const ledger = useLedger(
    runId,
    useCallback((batch) => void (batch.some(changesStatus) && refresh()), [refresh])
  )
  const run = useRunPoint("journeyRun", ledger.events, ledger.before)
  // It is shown here because the form is gone when somebody else was faster.
  const [refused, setRefused] = useState<unknown>(null)
  const [view] = useView()
  const waiting = waitAt(run.at)
  const isLive = run.selected === undefined && isOpen(journey.status)
  const connection = useQuery(connectionQuery(journey.connectionId))
  const isOver = run.selected === undefined && !isOpen(journey.status)
  const failed = useMemo(() => (isOver ? failedIn(ledger.events) : []), [isOver, ledger.events])
  return (
    <Page
      title={name}
      lead={
        <span className="row journey-lead" aria-live="polite">
          <Badge word={journey.status} />
          <Link to="/connections/$id" params={{ id: journey.connectionId }}>
            {connection.data?.label ?? "Connection"}
          </Link>
          {journey.verdict === null ? null : <Badge word={journey.verdict} />}
          {journey.workerHealthy || journey.status === "interrupted" ? null : (
            <span className="badge warn">Its process does not answer</span>
          )}
          <JourneyLinks journey={journey} />
        </span>
      }
      actions={<JourneyActions journey={journey} onDone={refresh} />}
    >
      <StreamState ledger={ledger} />
      {journey.status === "interrupted" && run.selected === undefined ? (
        <RecoveryPanel
          journey={journey}
          onDecided={refresh}
          reason={ledger.events.findLast((event) => event.type === "run.interrupted")?.data.reason}
        />
      ) : failed.length > 0 ? (
        <FailedPanel failed={failed} reportId={journey.reportId} />
      ) : (
        <WaitingPanel
          wait={waiting ?? run.at.lastWait}
          state={waiting === undefined ? "over" : isLive ? "open" : "past"}
          ended={run.selected === undefined ? endOf(ledger.events) : undefined}
        >
          {isLive && waiting !== undefined && waiting.answers.length > 0 ? (
            <Checkpoint
              runId={runId}
              answers={waiting.answers}
              onAnswered={(problem) => {
                setRefused(problem)
                refresh()
              }}
            />
          ) : undefined}
        </WaitingPanel>
      )}
      {refused === null ? null : <Failure error={refused} />}
      <div className={`journey-panes ${view["tab"] === "waterfall" ? "wide" : ""}`}>
        <StatePane run={run} />
        <LedgerPane run={run} reading={ledger.state === "reading"} />
      </div>
    </Page>
  )
}

/** The end of the run and the reason for it; undefined while it goes on. */
function endOf(events: ReadonlyArray<LedgerEvent>): string | undefined {
  const end = events.findLast(({ type }) => type.startsWith("run."))
  return end !== undefined && /^run\.(completed|cancelled|failed)$/.test(end.type) ? lineOf(end) : undefined
}

function StreamState({ ledger: { before, error, state } }: { readonly ledger: FollowedLedger }) {
  if (state === "failed") return <Failure error={error} />
  return (
    <div aria-live="polite" className="stream-state">
      {state === "lost" ? (
        <p className="note warn">
          The connection to the service was lost. This page resumes after the last event.
        </p>
      ) : null}
      {before.sequence > 0 ? (
        <p className="note">
          This page keeps the latest events. Those up to {before.sequence} are in the signed export of the
          report.
        </p>
      ) : null}
    </div>
  )
}
