/**
 * Time in which this process could attend to its sockets. While its event loop stands still, or the whole process is stopped,
 * what partners send waits unread, and timers are the first to be heard of afterwards: nobody is late then but us.
 */
import { Clock, Effect } from "effect"

/** A timer that is late by more says that we stood still; less is load. */
const pauseMillis = 500
/** After so many pauses time counts again, or a process that hardly gets a processor would wait for ever. */
const mostPauses = 40
const stepMillis = 250

/** Runs a wait of at most `millis`; answers for how many milliseconds more we stood still in it, in real time. */
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

/** Ends when so many milliseconds of attention have passed; the last of them after whatever pause there was. */
export const attendedSleep = (millis: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    let pauses = 0
    for (let left = millis; left > 0; ) {
      const step = Math.min(left, stepMillis)
      const { pausedMillis } = yield* stoodStill(Effect.sleep(step), step)
      if (pausedMillis > 0 && pauses < mostPauses) pauses += 1
      else left -= step
    }
  }).pipe(Effect.withClock(real))

const real = Clock.make()
