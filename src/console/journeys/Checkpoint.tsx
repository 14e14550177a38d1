import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { inWords } from "../format/words.ts"

/** The answers to the question of a checkpoint, a button each, in one line: what stands below stays where it is. */
export function Checkpoint({
  answers,
  onAnswered,
  runId
}: {
  readonly runId: string
  readonly answers: ReadonlyArray<string>
  /** `refused`: why the answer was not taken; null: it was. */
  readonly onAnswered: (refused: unknown) => void
}) {
  const [note, setNote] = useState("")
  const mayRun = useAllowed("run")
  const { isPending, mutate } = useMutation({
    mutationFn: (answer: string) =>
      client.journeyRuns.checkpoint({
        path: { id: runId },
        body: { answer, ...(note === "" ? {} : { note }) }
      }),
    onSettled: (_, refused) => onAnswered(refused)
  })
  if (!mayRun) return <NotAllowed scope="run" to="answer" />
  return (
    <form className="row" onSubmit={(event) => event.preventDefault()}>
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
      <details>
        <summary>Add a note</summary>
        <label className="field">
          <span>Note for the ledger</span>
          <input
            type="text"
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
      </details>
    </form>
  )
}
