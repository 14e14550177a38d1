import type { ReactNode } from "react"
import { duration } from "../format/time.ts"
import type { Wait } from "../format/Wait.ts"
import { whoActs } from "../format/words.ts"
import { CopyBlock } from "./Copy.tsx"
import { Time } from "./Time.tsx"
import { useNow } from "./useNow.ts"

/** What a run waits for: who must act, what has to happen, since when and until when, and the request as a command. */
export function WaitingPanel({
  children,
  live = true,
  wait: { curl, deadline, instruction, nearMisses, party, since }
}: {
  readonly wait: Wait
  /** False: the point that is shown lies in the past. */
  readonly live?: boolean
  /** How to answer, in place of the command. */
  readonly children?: ReactNode
}) {
  return (
    <section className="note busy stack tight" aria-label="Waiting">
      <h2>
        {live ? "" : "At that point: "}
        {whoActs(party)}
      </h2>
      <p>{instruction}</p>
      {!live ? null : since === undefined ? (
        <p className="small">
          Until <Time at={deadline} />
        </p>
      ) : (
        <Clock since={since} deadline={deadline} />
      )}
      {nearMisses.length === 0 ? null : (
        <div>
          <p>This came, and did not fit:</p>
          <ul className="bullets">
            {nearMisses.map((miss) => (
              <li key={miss}>{miss}</li>
            ))}
          </ul>
        </div>
      )}
      {children ??
        (curl === undefined ? null : (
          <details>
            <summary>The request that would satisfy it</summary>
            <CopyBlock text={curl} />
          </details>
        ))}
    </section>
  )
}

function Clock({ deadline, since }: { readonly since: string; readonly deadline: string }) {
  const now = useNow()
  const [from, to] = [Date.parse(since), Date.parse(deadline)]
  const gone = Math.max(0, Math.min(now, to) - from)
  const percent = (100 * gone) / Math.max(1, to - from)
  return (
    <>
      <p className="small">
        Since <Time at={since} />, {duration(gone)} of {duration(to - from)}
      </p>
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
}
