import { useVirtualizer } from "@tanstack/react-virtual"
import { useDeferredValue, useMemo, useRef } from "react"
import { Empty } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { clockTime, duration, utcTime } from "../format/time.ts"
import type { RunPoint } from "./useRunPoint.ts"
import { type SpanKind, totalsOf, type WaterfallSpan, waterfallOf } from "./waterfallOf.ts"
import { axisOf, scaleOf } from "./waterfallScale.ts"

const kinds: ReadonlyArray<readonly [SpanKind, string]> = [
  ["stage", "Stage"],
  ["request", "Network and partner: a request of ours until its answer"],
  ["call", "A request of the partner until our answer"],
  ["wait", "Waiting"],
  ["interrupted", "Interrupted"]
]

/** The stages, requests and waits of a run over time; of them only those in sight are drawn. */
export function Waterfall({ run: { events, select, selected } }: { readonly run: RunPoint }) {
  const settled = useDeferredValue(events)
  const [view, change] = useView()
  const isCut = view["waits"] !== "whole"
  const fall = useMemo(() => waterfallOf(settled), [settled])
  const scale = useMemo(() => scaleOf(fall, isCut), [fall, isCut])
  const totals = useMemo(() => totalsOf(fall), [fall])
  const axis = useMemo(() => axisOf(fall, scale), [fall, scale])
  const late = fall.spans.some(({ lateMillis }) => lateMillis > 0)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: fall.spans.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 30,
    overscan: 12
  })
  if (fall.spans.length === 0)
    return (
      <Empty>
        <p>Nothing has happened yet.</p>
      </Empty>
    )
  return (
    <div className="stack tight">
      <p className="small">
        {duration(fall.to - fall.from)}: {duration(totals.request)} network and partner,{" "}
        {duration(totals.wait)} waiting
        {totals.interrupted === 0 ? "" : `, ${duration(totals.interrupted)} interrupted`},{" "}
        {duration(totals.plugfest)} plugfest.
      </p>
      <label className="choice small">
        <input
          type="checkbox"
          checked={isCut}
          onChange={({ target }) => change({ waits: target.checked ? undefined : "whole" })}
        />
        <span>Draw long waits short</span>
      </label>
      <div className="waterfall-axis small quiet" aria-hidden="true">
        <span>UTC</span>
        <span className="marks">
          {axis.map(({ at, millis }) => {
            const time = new Date(millis).toISOString()
            return (
              <span key={at} style={{ left: `${100 * at}%` }} title={utcTime(time, true)}>
                {clockTime(time).slice(0, fall.to - fall.from < 20_000 ? 10 : 8)}
              </span>
            )
          })}
        </span>
        <span className="span-time">Took</span>
      </div>
      <div
        className="waterfall"
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={`Waterfall, ${fall.spans.length} spans`}
      >
        <div className="virtual" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const span = fall.spans[index]!
            return (
              <button
                key={`${span.sequence} ${span.kind}`}
                type="button"
                className={`waterfall-row span-${span.kind} ${span.isBad ? "bad" : ""}`}
                style={{ transform: `translateY(${start}px)` }}
                aria-pressed={span.sequence === selected}
                title={titleOf(span)}
                onClick={() => select(span.sequence)}
              >
                <span className="span-label">{span.label}</span>
                <span className="span-track">
                  <i
                    style={{
                      left: `${100 * scale(span.from)}%`,
                      width: `${100 * (scale(span.to ?? fall.to) - scale(span.from))}%`
                    }}
                  />
                  {span.lateMillis === 0 || span.to === undefined ? null : (
                    <i
                      className="late"
                      style={{
                        left: `${100 * scale(span.to - span.lateMillis)}%`,
                        width: `${100 * (scale(span.to) - scale(span.to - span.lateMillis))}%`
                      }}
                    />
                  )}
                </span>
                <span className="span-time">
                  {span.to === undefined ? "open" : duration(span.to - span.from)}
                </span>
              </button>
            )
          })}
        </div>
      </div>
      <ul className="legend small quiet">
        {kinds
          .filter(([kind]) => fall.spans.some((span) => span.kind === kind))
          .map(([kind, words]) => (
            <li key={kind} className={`span-${kind}`}>
              <i /> {words}
            </li>
          ))}
        {late ? (
          <li className="span-late">
            <i /> Of it, plugfest itself was late
          </li>
        ) : null}
      </ul>
    </div>
  )
}

const titleOf = ({ from, kind, label, to }: WaterfallSpan) =>
  `${kinds.find(([name]) => name === kind)?.[1]}: ${label}, from ${utcTime(new Date(from).toISOString(), true)}${to === undefined ? "" : ` for ${duration(to - from)}`}`
