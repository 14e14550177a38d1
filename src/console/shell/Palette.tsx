import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { connectionsQuery, runsQuery } from "../data/queries.ts"
import { useNames } from "../data/useNames.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { places } from "./places.ts"

interface Goal {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly go: () => void
}

/** Goes to a page, a connection or a run by some letters of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const connections = useQuery(connectionsQuery())
  const runs = useQuery(runsQuery())
  const names = useNames()
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const listId = useId()
  const goals: ReadonlyArray<Goal> = [
    ...places.map(({ label, to }) => ({ id: to, label, kind: "page", go: () => void navigate({ to }) })),
    {
      id: "new",
      label: "New connection",
      kind: "action",
      go: () => void navigate({ to: "/connections/new" })
    },
    ...(connections.data ?? []).map(({ _id, label }) => ({
      id: _id,
      label: label ?? _id,
      kind: "connection",
      go: () => void navigate({ to: "/connections/$id", params: { id: _id } })
    })),
    ...(runs.data ?? []).map((run) => ({
      id: run._id,
      label: `${run.kind === "journey" ? names.journey(run.templateId) : names.suite(run.suiteId)}, ${run.connectionLabel}`,
      kind: run.verdict ?? run.status,
      go: () =>
        void (run.kind === "journey"
          ? navigate({ to: "/journeys/$id", params: { id: run.runId } })
          : navigate({ to: "/runs/$id", params: { id: run._id } }))
    }))
  ]
  const wanted = text.toLowerCase().split(/\s+/)
  const found = goals
    .filter(({ id, kind, label }) =>
      wanted.every((word) => `${label} ${kind} ${id}`.toLowerCase().includes(word))
    )
    .slice(0, 12)
  const active = Math.min(at, found.length - 1)
  const take = (goal: Goal | undefined) => {
    if (goal === undefined) return
    onClose()
    goal.go()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Page, connection or run"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length === 0 ? undefined : `${listId}-${active}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(active + 1, found.length - 1))
          else if (event.key === "ArrowUp") setAt(Math.max(active - 1, 0))
          else if (event.key === "Enter") take(found[active])
          else return
          event.preventDefault()
        }}
      />
      <div id={listId} role="listbox" aria-label="Found" className="palette">
        {found.map((goal, index) => (
          <div
            key={goal.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => take(goal)}
            onKeyDown={(event) => {
              if (event.key === "Enter") take(goal)
            }}
          >
            <span>{goal.label}</span>
            <span className="quiet small">{goal.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="quiet">Nothing has these letters.</p> : null}
    </Dialog>
  )
}
