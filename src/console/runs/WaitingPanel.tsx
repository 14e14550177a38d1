import type { ReactNode } from "react"
import { CopyBlock } from "../elements/Copy.tsx"
import { asPages } from "../format/asPages.ts"
import { duration, waitTimes } from "../format/time.ts"
import { count, whoActs } from "../format/words.ts"
import { useNow } from "../hooks/useNow.ts"
import type { Wait } from "./Wait.ts"

/**
 * What a run waits for: who must act, what has to happen, since when and until when, and the request as a command. It is as high
 * whatever is awaited, so that what stands below it stays where it is.
 */
export function WaitingPanel({
  children,
  ended,
  state = "open",
  wait
}: {
  /** Undefined: nothing was awaited yet. */
  readonly wait: Wait | undefined
  /** `open`: it goes on. `over`: it was the last one. `past`: the point that is shown lies in the past. */
  readonly state?: "open" | "over" | "past"
  /** How the run ended, if it has. */
  readonly ended?: string | undefined
  /** How to answer on this page; the command stands beside it. */
  readonly children?: ReactNode
}) {
  const isOpen = wait !== undefined && state === "open"
  return (
    <section
      className={`note waiting-place stack tight ${isOpen ? "busy" : "over"}`}
      aria-label={isOpen || state === "past" ? "Waiting" : "Last wait"}
    >
      <h2>
        {wait === undefined
          ? "Nothing is awaited"
          : state === "open"
            ? whoActs(wait.party)
            : state === "past"
              ? `At that point: ${whoActs(wait.party).toLowerCase()}`
              : (ended ?? "Nothing is awaited now")}
      </h2>
      <p className="instruction">
        {wait === undefined
          ? (ended ?? "When the partner, you or the clock must act, it is said here.")
          : state === "over"
            ? `The last wait was for this: ${asPages(wait.instruction)}`
            : asPages(wait.instruction)}
      </p>
      {wait === undefined ? <Clock /> : <Clock wait={wait} ticks={isOpen} />}
      <div className="row ways">
        {children}
        {wait?.curl === undefined ? null : (
          <details>
            <summary>The request that would satisfy it</summary>
            {wait.request === undefined ? null : (
              <p>
                {wait.party === "operator" ? "You send" : "The partner must send"}{" "}
                <span className="mono">{wait.request}</span>
              </p>
            )}
            <CopyBlock text={wait.curl} />
          </details>
        )}
        {wait === undefined || wait.nearMisses.length === 0 ? null : (
          <details>
            <summary>{count(wait.nearMisses.length, "call")} came and did not fit</summary>
            <ul className="bullets">
              {wait.nearMisses.map((miss) => (
                <li key={miss}>{miss}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  )
}

/** The two ends of the wait, and how much of it is gone. */
function Clock({ ticks = false, wait }: { readonly wait?: Wait; readonly ticks?: boolean }) {
  // A line without words keeps the height.
  if (wait === undefined) return <Bar percent={0} words={"\u00a0"} />
  return ticks ? <Ticking wait={wait} /> : <Bar percent={0} words={endsOf(wait)} />
}

const endsOf = ({ deadline, since }: Wait): string =>
  since === undefined
    ? `Until ${deadline.slice(11, 19)} UTC`
    : `Since ${since.slice(11, 19)}, until ${deadline.slice(11, 19)} UTC, ${duration(Date.parse(deadline) - Date.parse(since))} in all`

function Ticking({ wait: { deadline, since } }: { readonly wait: Wait }) {
  const now = useNow()
  const [from, to] = [Date.parse(since ?? deadline), Date.parse(deadline)]
  const percent = (100 * Math.max(0, Math.min(now, to) - from)) / Math.max(1, to - from)
  return <Bar percent={percent} words={waitTimes(since, deadline, now)} />
}

const Bar = ({ percent, words }: { readonly percent: number; readonly words: string }) => (
  <>
    <p className="small ends">{words}</p>
    <div
      className="bar"
      role="progressbar"
      aria-label="Time of the wait"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <i className="done" style={{ width: `${percent}%` }} />
    </div>
  </>
)
