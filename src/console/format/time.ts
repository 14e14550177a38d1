/** Times and durations for people. */

const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000]
]
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })

/** `3 minutes ago`, `in 41 seconds`, `now`; both in milliseconds. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now
  const [unit, size] = units.find(([, millis]) => Math.abs(distance) >= millis) ?? ["second", 1_000]
  return relative.format(Math.trunc(distance / size), unit)
}

/** `340 ms`, `2.4 s`, `3 min 12 s`, `2 h 5 min`. */
export function duration(millis: number): string {
  if (millis < 999.5) return `${Math.round(millis)} ms`
  if (millis < 59_950) return `${(millis / 1000).toFixed(1)} s`
  const seconds = Math.round(millis / 1000)
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** `12:01:07.204` of an ISO 8601 time. */
export const clockTime = (at: string): string => at.slice(11, 23)

/** `2026-11-24 12:01`, in the browser's time zone: the one form of an absolute time in a line. */
export function dayAndTime(at: string): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, "0")
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
