import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useCallback, useState } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { connectionQuery, isOpen, type Journey, journeyQuery, queries } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Failure, Shown } from "../elements/States.tsx"
import { WaitingPanel } from "../elements/WaitingPanel.tsx"
import { capital } from "../format/words.ts"
import { Checkpoint } from "./Checkpoint.tsx"
import { waitAt } from "./foldRun.ts"
import { JourneyActions, JourneyLinks } from "./JourneyHead.tsx"
import { LedgerPane } from "./LedgerPane.tsx"
import { useFileDrop } from "./openedFile.ts"
import { RecoveryPanel } from "./RecoveryPanel.tsx"
import { StatePane } from "./StatePane.tsx"
import { type FollowedLedger, useLedger } from "./useLedger.ts"
import { useRunPoint } from "./useRunPoint.ts"

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
  const run = useRunPoint(ledger.events, ledger.before)
  // It is shown here because the form is gone when somebody else was faster.
  const [refused, setRefused] = useState<unknown>(null)
  const navigate = useNavigate()
  useFileDrop(() => void navigate({ to: "/journeys/file" }))
  const waiting = waitAt(run.at)
  const isLive = run.selected === undefined && isOpen(journey.status)
  const connection = useQuery(connectionQuery(journey.connectionId))
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
          <JourneyLinks journey={journey} />
        </span>
      }
      actions={<JourneyActions journey={journey} onDone={refresh} />}
    >
      <StreamState ledger={ledger} />
      {journey.status === "interrupted" ? (
        <RecoveryPanel
          journey={journey}
          onDecided={refresh}
          reason={ledger.events.findLast((event) => event.type === "run.interrupted")?.data.reason}
        />
      ) : null}
      {waiting === undefined ? null : (
        <WaitingPanel wait={waiting} live={isLive}>
          {isLive && waiting.answers.length > 0 ? (
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
      <div className="journey-panes">
        <StatePane machineId="journeyRun" run={run} />
        <LedgerPane run={run} reading={ledger.state === "reading"} />
      </div>
    </Page>
  )
}

function StreamState({ ledger: { before, error, state } }: { readonly ledger: FollowedLedger }) {
  if (state === "failed") return <Failure error={error} />
  return (
    <div aria-live="polite">
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
