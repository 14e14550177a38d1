/** Clocks for worlds in one process, in which nobody waits. */
import { Clock, Duration, Effect } from "effect"

/** A clock for fibers, and the same time for what is none. */
export interface JumpingTime {
  readonly clock: Clock.Clock
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back when so many milliseconds are over. */
  readonly after: (millis: number, wake: () => void) => void
  /** Nobody is woken any more. */
  readonly stop: () => void
}

/**
 * Begins at `start`, in milliseconds since 1970. As soon as all rest, it is the moment that the first of them sleeps for; while
 * `isBusy`, nobody does, and the time stands still.
 */
export const jumpingTime = (start: number, isBusy: () => boolean = () => false): JumpingTime => {
  let now = start
  let asleep: Array<{ readonly due: number; readonly wake: () => void }> = []
  let armed = false
  let stopped = false
  const jump = () => {
    armed = false
    if (asleep.length === 0 || stopped) return
    if (isBusy()) return arm()
    now = Math.max(now, Math.min(...asleep.map(({ due }) => due)))
    const due = asleep.filter((one) => one.due <= now)
    asleep = asleep.filter((one) => one.due > now)
    for (const { wake } of due) wake()
    arm()
  }
  // Fibers go on in microtasks and now and then in a timer of 0 ms, sockets in the poll phase: what comes after both is rest.
  const arm = () => {
    if (armed) return
    armed = true
    setTimeout(() => setImmediate(jump), 0)
  }
  const sleepFor = (millis: number, wake: () => void) => {
    // Whole milliseconds: nanoseconds are counted in whole numbers.
    const one = { due: now + Math.ceil(millis), wake }
    asleep.push(one)
    arm()
    return one
  }
  return {
    clock: {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => now,
      unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
      sleep: (duration) =>
        Effect.async<void>((resume) => {
          const one = sleepFor(Duration.toMillis(duration), () => resume(Effect.void))
          return Effect.sync(() => {
            asleep = asleep.filter((other) => other !== one)
          })
        })
    },
    now: () => now,
    after: (millis, wake) => void sleepFor(millis, wake),
    stop: () => {
      stopped = true
    }
  }
}

/** The same for fibers alone, of a world in memory. */
export const jumpingClock = (start: number): Clock.Clock => jumpingTime(start).clock
