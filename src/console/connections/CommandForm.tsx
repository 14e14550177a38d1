import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import type { Answer } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Body, ExchangeView } from "../elements/ExchangeView.tsx"
import { Failure } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"

const commands = [
  "START_SESSION",
  "STOP_SESSION",
  "RESERVE_NOW",
  "CANCEL_RESERVATION",
  "UNLOCK_CONNECTOR"
] as const

/** Sends one command, and shows the answer and the result that comes later. */
export function CommandForm({ connectionId }: { readonly connectionId: string }) {
  const [view, change] = useView()
  const command = commands.find((each) => each === view["command"]) ?? "START_SESSION"
  const [payload, setPayload] = useState("")
  const [isRaw, setRaw] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (fields: Record<string, unknown> | undefined) =>
      client.testing.command({
        body: {
          connectionId,
          command,
          ...(fields === undefined ? {} : { payload: fields }),
          ...(isRaw ? { validate: false } : {})
        }
      })
  })
  return (
    <section className="card stack">
      <h2>Send a command</h2>
      <p className="quiet">
        Exactly one request, without repetition. Fields that you leave out are taken from the partner's own
        objects.
      </p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          try {
            const fields = payload.trim() === "" ? undefined : JSON.parse(payload)
            setProblem(undefined)
            mutate(fields)
          } catch (failure) {
            setProblem(`The fields are not JSON: ${failure instanceof Error ? failure.message : failure}`)
          }
        }}
      >
        <label className="field">
          <span>Command</span>
          <select value={command} onChange={(event) => change({ command: event.target.value })}>
            {commands.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Fields, as a JSON object</span>
          <textarea
            spellCheck={false}
            placeholder={'{ "location_id": "LOC1" }'}
            value={payload}
            onChange={(event) => setPayload(event.target.value)}
          />
        </label>
        <label className="choice">
          <input type="checkbox" checked={isRaw} onChange={(event) => setRaw(event.target.checked)} />
          <span>Send it as it is, also where it breaks the version's schema</span>
        </label>
        <div>
          <button type="submit" className="button first" disabled={isPending}>
            {isPending ? "Sending…" : `Send ${command}`}
          </button>
        </div>
      </form>
      {problem === undefined ? null : <p className="note bad">{problem}</p>}
      {error === null ? null : <Failure error={error} />}
      {data === undefined ? null : <Outcome answer={data} />}
    </section>
  )
}

function Outcome({ answer }: { readonly answer: Answer<"testing.command"> }) {
  const { data } = useQuery({
    queryKey: ["command", answer.commandId],
    queryFn: () => client.testing.readCommand({ path: { id: answer.commandId } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === "sent" || state.data.state === "accepted"
        ? 2_000
        : false
  })
  return (
    <div className="stack" aria-live="polite">
      <p className="row">
        <b>
          HTTP {answer.httpStatus}, OCPI {answer.ocpiStatusCode}
        </b>
        {data === undefined ? null : <Badge word={data.state} />}
      </p>
      {data === undefined || data.exchange === null ? (
        <Body text={JSON.stringify(answer.response)} />
      ) : (
        <ExchangeView exchange={data.exchange} />
      )}
      <h3>Result of the charge point</h3>
      {data === undefined || data.results.length === 0 ? (
        <p className="quiet">None has come yet.</p>
      ) : (
        <Body text={JSON.stringify(data.results)} />
      )}
    </div>
  )
}
