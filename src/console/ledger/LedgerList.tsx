import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef, useState } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { clockTime } from "../format/time.ts"
import { isBad, lineOf } from "./eventText.ts"
import { kindOf } from "./ledgerFilter.ts"

const rowHeight = 34

/** The events, oldest first, of which only those in sight are drawn; follows the last one until one scrolls up. */
export function LedgerList({
  events,
  select,
  selected
}: {
  readonly events: ReadonlyArray<LedgerEvent>
  readonly selected: number | undefined
  readonly select: (sequence: number) => void
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(selected === undefined)
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    // Of sentences of two lines the rows are as high as they need.
    getItemKey: (index) => events[index]?.sequence ?? index,
    overscan: 12
  })
  useEffect(() => {
    if (isFollowing && events.length > 0) rows.scrollToIndex(events.length - 1, { align: "end" })
  }, [events.length, isFollowing, rows])
  const at = events.findIndex(({ sequence }) => sequence === selected)
  useEffect(() => {
    if (at < 0) return
    setFollowing(false)
    rows.scrollToIndex(at, { align: "auto" })
  }, [at, rows])
  return (
    <div>
      <div className="ledger-head small quiet" aria-hidden="true">
        <span className="sequence">Event</span>
        <span>Time, UTC</span>
        <span>What happened</span>
        <span className="type">Type</span>
      </div>
      <div
        className="ledger"
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={`Ledger, ${events.length} events`}
        onWheel={(event) => {
          if (event.deltaY < 0) setFollowing(false)
        }}
      >
        {events.length === 0 ? <p className="empty">No event is like this.</p> : null}
        <div className="virtual" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const event = events[index]!
            return (
              <button
                key={event.sequence}
                type="button"
                className={`ledger-row kind-${kindOf(event)} ${isBad(event) ? "bad" : ""}`}
                ref={rows.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                aria-pressed={event.sequence === selected}
                onClick={() => select(event.sequence)}
              >
                <span className="sequence">{event.sequence}</span>
                <time dateTime={event.occurredAt}>{clockTime(event.occurredAt)}</time>
                <span className="line" title={lineOf(event)}>
                  {lineOf(event)}
                </span>
                <span className="type">{event.type}</span>
              </button>
            )
          })}
        </div>
      </div>
      {isFollowing || events.length < 12 ? null : (
        <button type="button" className="button small follow" onClick={() => setFollowing(true)}>
          Go to the latest event
        </button>
      )}
    </div>
  )
}
