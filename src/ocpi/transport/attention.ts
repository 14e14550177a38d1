/**
 * Time in which this process could read its sockets. While its event loop is blocked or the process is suspended, a
 * partner's bytes wait unread and timers fire first afterwards: that delay is ours, not the partner's.
 */
import { Clock, Effect } from "effect"

/** A timer that is late by more than this shows a pause of this process; less is ordinary load. */
const pauseMillis = 500
/** After so many pauses all time counts again; otherwise a process with hardly any CPU time would wait for ever. */
const mostPauses = 40
const stepMillis = 250

/**
 * Runs a wait of at most `millis`, and returns for how many more milliseconds of real time this process was blocked in
 * it.
 */
export const stoodStill = <A, E, R>(
  wait: Effect.Effect<A, E, R>,
  millis: number
): Effect.Effect<{ readonly value: A; readonly pausedMillis: number }, E, R> =>
  Effect.suspend(() => {
    const began = real.unsafeCurrentTimeNanos()
    return Effect.map(wait, (value) => {
      const late = Number(real.unsafeCurrentTimeNanos() - began) / 1e6 - millis
      return { value, pausedMillis: late > pauseMillis ? late : 0 }
    })
  })

const beatMillis = 1000
let lastBeat: number | undefined
let paused = 0

/**
 * Milliseconds of real time for which this process was blocked or suspended, since this was first asked. One timer measures for all. A
 * clock that a test moves does not go on meanwhile: by such a one there are no pauses.
 */
export const pausedMillis: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.sync(() => {
    if ("adjust" in clock) return 0
    if (lastBeat === undefined) {
      lastBeat = performance.now()
      setInterval(() => {
        paused += lateness()
        lastBeat = performance.now()
      }, beatMillis).unref()
    }
    return paused + lateness()
  })
)

/** For how many milliseconds the next beat is overdue; a short delay is none. */
function lateness(): number {
  const late = performance.now() - (lastBeat ?? 0) - beatMillis
  return late > pauseMillis ? late : 0
}

const real = Clock.make()

/** Calls `passed` when so many milliseconds without pauses have passed. The function that it returns ends the wait. */
export const attendedTimeout = (millis: number, passed: () => void): (() => void) => {
  let steps = Math.max(1, Math.ceil(millis / stepMillis))
  const step = Math.ceil(millis / steps)
  let pauses = 0
  let began = performance.now()
  const timer = setInterval(() => {
    const late = performance.now() - began - step
    began = performance.now()
    if (late > pauseMillis && pauses < mostPauses) {
      pauses += 1
      return
    }
    steps -= 1
    if (steps > 0) return
    clearInterval(timer)
    passed()
  }, step)
  return () => clearInterval(timer)
}
