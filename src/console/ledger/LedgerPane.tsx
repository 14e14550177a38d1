import { useState } from "react"
import { Chip, Chips } from "../elements/Chips.tsx"
import { Loading } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { capital } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { EventDetail } from "./EventDetail.tsx"
import { LedgerList } from "./LedgerList.tsx"
import { kindOf, kinds } from "./ledgerFilter.ts"
import type { RunPoint } from "./useRunPoint.ts"
import { Waterfall } from "./Waterfall.tsx"

const tabs = [
  ["ledger", "Ledger"],
  ["waterfall", "Waterfall"]
] as const

/** The events of a run, as a list or over time, and the chosen one below. */
export function LedgerPane({ reading, run }: { readonly run: RunPoint; readonly reading: boolean }) {
  const { events, last, select, selected, shown } = run
  const [view] = useView()
  const event = events.find(({ sequence }) => sequence === selected)
  return (
    <div className={`stack ${event === undefined ? "" : "has-event"}`}>
      <section className="card stack tight" aria-label="Ledger">
        <div className="row apart">
          <Tabs label="How the events are shown" tabs={tabs} />
          <span className="quiet small count">{last} events</span>
        </div>
        {reading && events.length === 0 ? (
          <Loading />
        ) : tabOf(tabs, view) === "waterfall" ? (
          <Waterfall run={run} />
        ) : (
          <>
            <Filters run={run} />
            <LedgerList events={shown} selected={selected} select={select} />
          </>
        )}
      </section>
      {event === undefined ? null : <EventDetail event={event} onClose={() => select(undefined)} />}
    </div>
  )
}

/** Filters of the events: chips by kind, a list of types, and the state, the stage and the edge that were clicked. */
function Filters({ run }: { readonly run: RunPoint }) {
  const [view, change] = useView()
  return (
    <div className="row apart ledger-filters">
      <Chips label="Kinds of events">
        {kinds.map((kind) => (
          <Chip
            key={kind}
            isOn={view["kind"] === kind}
            press={() => change({ kind: view["kind"] === kind ? undefined : kind, type: undefined })}
          >
            {capital(kind)}
          </Chip>
        ))}
        {["stage", "state", "edge"].map((name) =>
          view[name] === undefined ? null : (
            <Chip key={name} isOn={true} press={() => change({ [name]: undefined })}>
              {name} {view[name].replace(">", " → ")} ×
            </Chip>
          )
        )}
      </Chips>
      <div className="row">
        <TypeFilter run={run} />
        <GoToEvent run={run} />
      </div>
    </div>
  )
}

/** One type of events; those of the kind that is chosen, as far as the run has them. */
function TypeFilter({ run: { events } }: { readonly run: RunPoint }) {
  const [view, change] = useView()
  const { kind, type } = view
  // The list is read when it is opened: a run that is followed has new events all the time.
  const [types, setTypes] = useState<ReadonlyArray<string>>([])
  const read = () => {
    const some = events.filter((event) => kind === undefined || kindOf(event) === kind)
    setTypes([...new Set<string>(some.map((event) => event.type))].sort())
  }
  const shown = type === undefined || types.includes(type) ? types : [type, ...types]
  return (
    <select
      className="narrow"
      aria-label="Type of events"
      value={type ?? ""}
      onPointerDown={read}
      onFocus={read}
      onChange={({ target }) => change({ type: target.value })}
    >
      <option value="">All types</option>
      {shown.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  )
}

function GoToEvent({ run: { first, last, select } }: { readonly run: RunPoint }) {
  const [text, setText] = useState("")
  return (
    <form
      className="row go-to"
      onSubmit={(event) => {
        event.preventDefault()
        select(Math.min(last, Math.max(first, Number(text))))
        setText("")
      }}
    >
      <input
        type="number"
        aria-label="Go to event"
        placeholder="Event"
        required
        min={first}
        max={last}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="button small">
        Go
      </button>
    </form>
  )
}
