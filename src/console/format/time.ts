/** Times and durations for people. */

const dayMillis = 86_400_000
const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", dayMillis],
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

/** As `relativeTime`; from a week on, before or after now, the day: `2027-02-26`. `at`: ISO 8601 in UTC. */
export const sinceOrDay = (at: string, now: number): string =>
  Math.abs(Date.parse(at) - now) < 7 * dayMillis ? relativeTime(Date.parse(at), now) : at.slice(0, 10)

/** `2027-02-26`; where that is less than two days from now with the time, as `utcTime` has it. `at`: ISO 8601 in UTC. */
export const dayOrTime = (at: string, now: number): string =>
  Math.abs(Date.parse(at) - now) < 2 * dayMillis ? utcTime(at) : at.slice(0, 10)

/** `340 ms`, `2.4 s`, `3 min 12 s`, `2 h 5 min`. */
export function duration(millis: number): string {
  if (millis < 999.5) return `${Math.round(millis)} ms`
  if (millis < 59_950) return `${(millis / 1000).toFixed(1)} s`
  const seconds = Math.round(millis / 1000)
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** An estimate: `45 s`, `2 min`, `2 min 30 s`. */
export const estimate = (seconds: number): string =>
  seconds < 60 || seconds % 60 !== 0
    ? wholeSeconds(seconds * 1000)
    : seconds < 3600
      ? `${seconds / 60} min`
      : duration(seconds * 1000)

/** `12:01:07.204` of an ISO 8601 time, in UTC. */
export const clockTime = (at: string): string => at.slice(11, 23)

/** `2026-11-24 12:01:07 UTC` of an ISO 8601 time in UTC. */
export const utcTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** As `utcTime`, with its milliseconds. */
export const utcTimeWithMillis = (at: string): string => `${at.slice(0, 10)} ${clockTime(at)} UTC`

/** The two ends of a span of time as one reads them beside each other, and how much of it is left; `now` in milliseconds. */
export function waitTimes(since: string | undefined, until: string, now: number): string {
  // `now` may be older than the wait: of a wait that has just begun no more is left than its whole.
  const left = Date.parse(until) - (since === undefined ? now : Math.max(now, Date.parse(since)))
  const rest = left > 0 ? `${wholeSeconds(left)} left` : `over since ${wholeSeconds(-left)}`
  const begin = since === undefined ? "" : `Since ${since.slice(11, 19)}, until `
  return `${begin === "" ? "Until " : begin}${until.slice(11, 19)} UTC, ${rest}`
}

/** As `duration`, without a part of a second: it changes once a second. */
export const wholeSeconds = (millis: number): string =>
  millis < 60_000 ? `${Math.floor(millis / 1000)} s` : duration(millis)
