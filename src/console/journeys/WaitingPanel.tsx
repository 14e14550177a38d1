import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Failure } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useNow } from "../elements/useNow.ts"
import { duration } from "../format/time.ts"
import { inWords, whoActs } from "../format/words.ts"
import type { Wait } from "./foldRun.ts"

/** What a run waits for: who must act, what has to happen, since when and until when, and the request as a command. */
export function WaitingPanel({
  live,
  onAnswered,
  runId,
  wait
}: {
  readonly runId: string
  readonly wait: Wait
  /** False: the point that is shown lies in the past. */
  readonly live: boolean
  readonly onAnswered: () => void
}) {
  const now = useNow()
  const [since, deadline] = [Date.parse(wait.since), Date.parse(wait.deadline)]
  const gone = Math.max(0, Math.min(now, deadline) - since)
  return (
    <section className="note busy stack tight" aria-label="Waiting">
      <h2>
        {live ? "" : "At that point: "}
        {whoActs(wait.party)}
      </h2>
      <p>{wait.instruction}</p>
      {live ? (
        <>
          <p className="small">
            Since <Time at={wait.since} />, {duration(gone)} of {duration(deadline - since)}
          </p>
          <div
            className="bar"
            role="progressbar"
            aria-label="Time of the wait"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round((100 * gone) / Math.max(1, deadline - since))}
          >
            <i className="done" style={{ width: `${(100 * gone) / Math.max(1, deadline - since)}%` }} />
          </div>
        </>
      ) : null}
      {wait.nearMisses.length === 0 ? null : (
        <div>
          <p>This came, and did not fit:</p>
          <ul className="bullets">
            {wait.nearMisses.map((miss) => (
              <li key={miss}>{miss}</li>
            ))}
          </ul>
        </div>
      )}
      {live && wait.answers.length > 0 ? (
        <Checkpoint runId={runId} answers={wait.answers} onAnswered={onAnswered} />
      ) : wait.curl === undefined ? null : (
        <details>
          <summary>The request that would satisfy it</summary>
          <CopyBlock text={wait.curl} />
        </details>
      )}
    </section>
  )
}

/** The question of a checkpoint, with an answer a button. */
function Checkpoint({
  answers,
  onAnswered,
  runId
}: {
  readonly runId: string
  readonly answers: ReadonlyArray<string>
  readonly onAnswered: () => void
}) {
  const [note, setNote] = useState("")
  const { error, isPending, mutate } = useMutation({
    mutationFn: (answer: string) =>
      client.journeyRuns.checkpoint({
        path: { id: runId },
        body: { answer, ...(note === "" ? {} : { note }) }
      }),
    onSettled: onAnswered
  })
  return (
    <form className="stack tight" onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        <span>Note for the ledger, if you like</span>
        <input type="text" maxLength={2000} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <div className="row">
        {answers.map((answer) => (
          <button
            key={answer}
            type="button"
            className="button first"
            disabled={isPending}
            onClick={() => mutate(answer)}
          >
            {inWords(answer)}
          </button>
        ))}
      </div>
      {error === null ? null : <Failure error={error} />}
    </form>
  )
}
