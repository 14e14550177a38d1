import { dayAndTime, relativeTime } from "../format/time.ts"
import { useNow } from "./useNow.ts"

/** A time relative to now; the absolute one on hover. `at`: ISO 8601, or null where there is none yet. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const now = useNow()
  if (at === null || at === undefined) return <span className="quiet">–</span>
  return (
    <time dateTime={at} title={dayAndTime(at)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  )
}
