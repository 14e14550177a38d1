import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { signingKeysQuery } from "../data/signingKeys.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Failure, Loading } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { nameOfId } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { waitAt } from "../ledger/foldRun.ts"
import { LedgerPane } from "../ledger/LedgerPane.tsx"
import { useRunPoint } from "../ledger/useRunPoint.ts"
import { WaitingPanel } from "../runs/WaitingPanel.tsx"
import { droppedFile, useFileDrop, useFileQueries } from "./openedFile.ts"
import {
  type ChainFinding,
  type ExportedRun,
  type FileFinding,
  readExport,
  verifyChain,
  verifySignature
} from "./readExport.ts"
import { StatePane } from "./StatePane.tsx"

/** An exported run, looked at without asking the service for it: verified, and shown at any point of its ledger. */
export function FilePage() {
  const [file, setFile] = useState(droppedFile)
  const [run, setRun] = useState<ExportedRun>()
  const [problem, setProblem] = useState<unknown>()
  useFileDrop(setFile)
  useFileQueries()
  useEffect(() => {
    if (file === undefined) return
    setRun(undefined)
    setProblem(undefined)
    file
      .text()
      .then((text) => setRun(readExport(text)))
      .catch(setProblem)
  }, [file])
  return (
    <Page
      title={run === undefined ? "Exported run" : nameOfId(run.subjectId)}
      lead={
        run === undefined ? (
          "A run that was exported as signed or ledger is read here, in your browser. Nothing is sent."
        ) : (
          <span className="row">
            {run.verdict === null ? null : <Badge word={run.verdict} />}
            <span>{run.connectionLabel}</span>
            <span>OCPI {run.ocpiVersion}</span>
            <span className="mono">{run.runId}</span>
            <span>
              exported <Time at={run.exportedAt} />
            </span>
          </span>
        )
      }
    >
      <label className="drop card">
        <span>
          {run === undefined ? "Drop the file anywhere on this page, or choose it" : "Another file"}
        </span>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => setFile(target.files?.[0])}
        />
      </label>
      {problem === undefined ? null : <Failure error={problem} />}
      {run === undefined ? null : <FileRun key={`${run.runId} ${run.exportedAt}`} run={run} />}
    </Page>
  )
}

const tones = { holds: "good", broken: "bad", unknown: "" } as const

/** The run as far as its hashes hold: what comes after a changed line may be anything. */
function FileRun({ run }: { readonly run: ExportedRun }) {
  const keys = useQuery(signingKeysQuery())
  const [chain, setChain] = useState<ChainFinding>()
  const [signature, setSignature] = useState<FileFinding>()
  const known = keys.isPending ? null : keys.data
  useEffect(() => {
    void verifyChain(run, globalThis.crypto.subtle).then(setChain)
  }, [run])
  useEffect(() => {
    if (known !== null) void verifySignature(run, known, globalThis.crypto.subtle).then(setSignature)
  }, [run, known])
  const events = useMemo(() => run.events.slice(0, chain?.lines ?? 0), [run, chain])
  return (
    <>
      <div className="columns" aria-live="polite">
        <p className={`note ${tones[chain?.state ?? "unknown"]}`}>
          {chain?.sentence ?? "Verifying the hashes…"}
        </p>
        <p className={`note ${tones[signature?.state ?? "unknown"]}`}>
          {signature?.sentence ?? "Verifying the signature…"}
        </p>
      </div>
      {chain === undefined ? <Loading /> : <Panes kind={run.kind} events={events} />}
    </>
  )
}

function Panes({ events, kind }: Pick<ExportedRun, "events" | "kind">) {
  const point = useRunPoint(kind === "journey" ? "journeyRun" : "suiteRun", events)
  const [view] = useView()
  const waiting = waitAt(point.at)
  const hasWaited = useMemo(() => events.some(({ type }) => type === "wait.started"), [events])
  return (
    <>
      {hasWaited ? (
        <WaitingPanel wait={waiting ?? point.at.lastWait} state={waiting === undefined ? "over" : "past"} />
      ) : null}
      <div className={`journey-panes ${view["tab"] === "waterfall" ? "wide" : ""}`}>
        <StatePane run={point} />
        <LedgerPane run={point} reading={false} />
      </div>
    </>
  )
}
