import { relativeTime, utcTime, wholeSeconds } from "../format/time.ts"
import { useNow } from "./useNow.ts"

/** A time relative to now; the absolute one on hover. `at`: ISO 8601, or null where there is none yet. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const now = useNow()
  if (at === null || at === undefined) return <span className="quiet">–</span>
  return (
    <time dateTime={at} title={utcTime(at)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  )
}

/** How long something has lasted: `for 41 s`; since when on hover. */
export function Since({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={`since ${utcTime(at)}`}>
      for {wholeSeconds(Math.max(0, now - Date.parse(at)))}
    </time>
  )
}
