import { dayOrTime, relativeTime, sinceOrDay, utcTime, wholeSeconds } from "../format/time.ts"
import { useNow } from "../hooks/useNow.ts"
import { Tip } from "./Tip.tsx"

/** A time relative to now, from a week on its day; the absolute one on hover and focus. `at`: ISO 8601, or null where there is none yet. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const now = useNow()
  if (at === null || at === undefined) return <span className="quiet">–</span>
  return (
    <Tip text={utcTime(at)}>
      <time dateTime={at}>{sinceOrDay(at, now)}</time>
    </Tip>
  )
}

/** Until when something is valid or due: the day, or the time where it is near; how long that is on hover and focus. */
export function Until({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <Tip text={relativeTime(Date.parse(at), now)}>
      <time dateTime={at}>{dayOrTime(at, now)}</time>
    </Tip>
  )
}

/** How long something has lasted: `for 41 s`; since when on hover and focus. */
export function Since({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <Tip text={`since ${utcTime(at)}`}>
      <time dateTime={at}>for {wholeSeconds(Math.max(0, now - Date.parse(at)))}</time>
    </Tip>
  )
}
