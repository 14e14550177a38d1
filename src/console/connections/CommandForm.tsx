import { useMutation, useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, commandDraftQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Chip, Chips } from "../elements/Chips.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Failure, Shown } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"
import { CommandOutcome } from "./CommandOutcome.tsx"
import { type Field, fieldsOf, filledIn, textAt } from "./commandFields.ts"

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
  const mayRun = useAllowed("run")
  const draft = useQuery({ ...commandDraftQuery(connectionId, command), enabled: mayRun })
  return (
    <>
      <section className="card stack">
        <h2>Send a command</h2>
        <p className="quiet">
          Exactly one request, without repetition. The fields are filled in with the partner's own objects.
        </p>
        <label className="field">
          <span>Command</span>
          <select
            value={command}
            onChange={(event) => change({ command: event.target.value, sent: undefined })}
          >
            {commands.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {mayRun ? (
          <Shown of={draft}>
            {(filled) => <Fields key={command} connectionId={connectionId} draft={filled} />}
          </Shown>
        ) : (
          <NotAllowed scope="run" to="send commands" />
        )}
      </section>
      {view["sent"] === undefined ? null : <CommandOutcome key={view["sent"]} commandId={view["sent"]} />}
    </>
  )
}

type Draft = Answer<"testing.draftCommand">

function Fields({ connectionId, draft }: { readonly connectionId: string; readonly draft: Draft }) {
  const [view, change] = useView()
  const isJson = view["as"] === "json"
  // What the command is about stands before the parts of its token.
  const fields = fieldsOf(draft.schema).toSorted((a, b) => a.path.length - b.path.length)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [json, setJson] = useState<string>()
  const [isRaw, setRaw] = useState(false)
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const payload = isJson ? parsed(json ?? pretty(draft.payload)) : filledIn(draft.payload, fields, typed)
      return await client.testing.command({
        body: { connectionId, command: draft.command, payload, ...(isRaw ? { validate: false } : {}) }
      })
    },
    onSuccess: ({ commandId }) => change({ sent: commandId })
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <Chips label="Form">
        {(["fields", "json"] as const).map((form) => (
          <Chip
            key={form}
            isOn={isJson === (form === "json")}
            press={() => change({ as: form === "json" ? form : undefined })}
          >
            {form === "json" ? "As JSON" : "Fields"}
          </Chip>
        ))}
      </Chips>
      {isJson ? (
        <label className="field">
          <span>Fields, as a JSON object</span>
          <textarea
            spellCheck={false}
            value={json ?? pretty(draft.payload)}
            onChange={(event) => setJson(event.target.value)}
          />
        </label>
      ) : (
        <div className="columns">
          {fields.map((field) => (
            <Input
              key={field.key}
              field={field}
              value={typed[field.key] ?? textAt(draft.payload, field.path)}
              onChange={(text) => setTyped({ ...typed, [field.key]: text })}
            />
          ))}
        </div>
      )}
      <label className="choice">
        <input type="checkbox" checked={isRaw} onChange={(event) => setRaw(event.target.checked)} />
        <span>Send it as it is, also where it breaks the version's schema</span>
      </label>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="submit" className="button first" disabled={isPending}>
          {isPending ? "Sending…" : `Send ${draft.command}`}
        </button>
      </div>
    </form>
  )
}

function Input({
  field: { description, isRequired, key, kind, words },
  onChange,
  value
}: {
  readonly field: Field
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const id = useId()
  // A value that the schema does not know is shown all the same, and can be sent on purpose.
  const choices = words.includes(value) || value === "" ? words : [value, ...words]
  return (
    <div className="field">
      <label htmlFor={id}>
        {key} {isRequired ? null : <span className="quiet">(optional)</span>}
      </label>
      {kind === "choice" ? (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {isRequired && value !== "" ? null : <option value="">–</option>}
          {choices.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          inputMode={kind === "number" ? "numeric" : undefined}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {description === undefined ? null : <small>{description}</small>}
    </div>
  )
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch (failure) {
    throw new Error(`The fields are not JSON: ${failure instanceof Error ? failure.message : failure}`)
  }
}
