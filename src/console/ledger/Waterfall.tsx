import { useVirtualizer } from "@tanstack/react-virtual"
import { useDeferredValue, useMemo, useRef, useState } from "react"
import { Empty } from "../elements/States.tsx"
import { duration } from "../format/time.ts"
import { useView } from "../hooks/useView.ts"
import { partsInWords, spanInWords } from "./spanInWords.ts"
import type { RunPoint } from "./useRunPoint.ts"
import { type SpanKind, type Totals, totalsOf, type WaterfallSpan, waterfallOf } from "./waterfallOf.ts"
import { axisOf, axisTimes, scaleOf } from "./waterfallScale.ts"

/** The entries of the legend, and the spans that have the colour. */
const legend: ReadonlyArray<readonly [string, string, (span: WaterfallSpan) => boolean]> = [
  ["stage", "Stage", isKind("stage")],
  [
    "network",
    "Network: until a connection is there, and while the answer is received",
    ({ parts }) => parts.some(({ kind }) => kind === "network")
  ],
  [
    "request",
    "Partner: from our request until its answer begins, one way there and back included",
    ({ parts }) => parts.some(({ kind }) => kind === "partner")
  ],
  [
    "unmeasured",
    "Network and partner, not measured apart",
    ({ kind, parts, to }) => kind === "request" && parts.length === 0 && to !== undefined
  ],
  ["unmeasured", "A request without an answer yet", ({ kind, to }) => kind === "request" && to === undefined],
  ["call", "A request of the partner until our answer", isKind("call")],
  ["wait", "Waiting", isKind("wait")],
  ["interrupted", "Interrupted", isKind("interrupted")],
  ["late", "Of it, plugfest itself was late", ({ lateMillis }) => lateMillis > 0]
]

function isKind(kind: SpanKind) {
  return (span: WaterfallSpan) => span.kind === kind
}

/** The stages, requests and waits of a run over time; of them only those in sight are drawn. */
export function Waterfall({ run: { events, select, selected } }: { readonly run: RunPoint }) {
  const settled = useDeferredValue(events)
  const [view, change] = useView()
  const isCut = view["waits"] !== "whole"
  const fall = useMemo(() => waterfallOf(settled), [settled])
  const scale = useMemo(() => scaleOf(fall, isCut), [fall, isCut])
  const totals = useMemo(() => totalsOf(fall), [fall])
  const axis = useMemo(() => axisOf(fall, scale), [fall, scale])
  const times = useMemo(() => axisTimes(axis), [axis])
  const late = useMemo(() => fall.spans.reduce((sum, { lateMillis }) => sum + lateMillis, 0), [fall])
  const [pointed, setPointed] = useState<WaterfallSpan>()
  const shown = pointed ?? fall.spans.find(({ sequence }) => sequence === selected)
  const between = (from: number, to: number) => ({
    left: `${100 * scale(from)}%`,
    width: `${100 * (scale(to) - scale(from))}%`
  })
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
        {duration(fall.to - fall.from)}: {totalsInWords(totals)}.
        {late === 0 ? "" : ` In its requests plugfest itself was late by ${duration(late)}.`}
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
        <span>{new Date(fall.from).toISOString().slice(0, 10)}, UTC</span>
        <span className="marks">
          {axis.map(({ at }, index) => (
            <span key={at} style={{ left: `${100 * at}%` }}>
              {times[index]}
            </span>
          ))}
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
                className={`waterfall-row span-${colourOf(span)} ${span.isBad ? "bad" : ""}`}
                style={{ transform: `translateY(${start}px)` }}
                aria-pressed={span.sequence === selected}
                onClick={() => select(span.sequence)}
                onFocus={() => setPointed(span)}
                onBlur={() => setPointed(undefined)}
                onPointerEnter={() => setPointed(span)}
                onPointerLeave={() => setPointed(undefined)}
              >
                <span className="span-label">{span.label}</span>
                <span className="span-track">
                  <i style={between(span.from, span.to ?? fall.to)} />
                  {span.parts.map(({ from, kind, to }) =>
                    kind === "network" ? <i key={from} className="network" style={between(from, to)} /> : null
                  )}
                  {span.lateMillis === 0 || span.to === undefined ? null : (
                    <i className="late" style={between(span.to - span.lateMillis, span.to)} />
                  )}
                </span>
                <span className="unseen">{partsInWords(span)}</span>
                <span className="span-time">
                  {span.to === undefined ? "open" : duration(span.to - span.from)}
                </span>
              </button>
            )
          })}
        </div>
      </div>
      <p className="waterfall-words small">
        {shown === undefined ? "Point at a bar, or choose it, to read its times." : spanInWords(shown)}
      </p>
      <ul className="legend small quiet">
        {legend
          .filter(([, , isDrawn]) => fall.spans.some(isDrawn))
          .map(([colour, words]) => (
            <li key={words} className={`span-${colour}`}>
              <i /> {words}
            </li>
          ))}
      </ul>
    </div>
  )
}

const colourOf = ({ kind, parts }: WaterfallSpan) =>
  kind === "request" && parts.length === 0 ? "unmeasured" : kind

/** `120 ms network, 3.1 s partner, 10 s waiting, 40 ms plugfest`. */
function totalsInWords({ interrupted, network, partner, plugfest, request, wait }: Totals): string {
  const named: ReadonlyArray<readonly [number, string]> = [
    [network, "network"],
    [partner, "partner"],
    [request, "network and partner"],
    [wait, "waiting"],
    [interrupted, "interrupted"],
    [plugfest, "plugfest"]
  ]
  return named.flatMap(([millis, name]) => (millis === 0 ? [] : [`${duration(millis)} ${name}`])).join(", ")
}
