import { Empty, Loading } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { useView } from "../elements/useView.ts"
import { capital } from "../format/words.ts"
import { EventDetail } from "./EventDetail.tsx"
import { kindOf, kinds } from "./foldRun.ts"
import { LedgerList } from "./LedgerList.tsx"
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
          <span className="quiet small">{last} events</span>
        </div>
        {reading && events.length === 0 ? (
          <Loading />
        ) : tabOf(tabs, view) === "waterfall" ? (
          <Waterfall run={run} />
        ) : (
          <>
            <Filters run={run} />
            {shown.length === 0 ? (
              <Empty>
                <p>No event is like this.</p>
              </Empty>
            ) : (
              <LedgerList events={shown} selected={selected} select={select} />
            )}
          </>
        )}
      </section>
      {event === undefined ? null : <EventDetail event={event} onClose={() => select(undefined)} />}
    </div>
  )
}

/** Chips that filter the events: by kind, and those of the state and stage that were clicked. */
function Filters({ run: { events } }: { readonly run: RunPoint }) {
  const [view, change] = useView()
  return (
    <div className="chips" role="group" aria-label="Kinds of events">
      {kinds
        .filter((kind) => events.some((each) => kindOf(each) === kind))
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
  )
}
