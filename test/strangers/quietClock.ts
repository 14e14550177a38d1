/**
 * A clock for a world of real sockets in one process: it stands still while a message is under way, and jumps to the next
 * moment that somebody sleeps for when everybody rests.
 */
import { Clock, Duration, Effect } from "effect"
import type { StrangerWorld } from "./partner/StrangerWorld.ts"

/** A clock for fibers, and the same time for a stranger. */
export interface QuietClock {
  readonly clock: Clock.Clock
  readonly world: StrangerWorld
  /** Nobody is woken any more. */
  readonly stop: () => void
}

/** Begins at `start`, in milliseconds since 1970. */
export const quietClock = (start: number): QuietClock => {
  let now = start
  let asleep: Array<{ readonly due: number; readonly wake: () => void }> = []
  let armed = false
  let stopped = false
  const under = new Map<string, string | undefined>()
  const jump = () => {
    armed = false
    if (asleep.length === 0 || stopped) return
    if (under.size > 0) return arm()
    now = Math.max(now, Math.min(...asleep.map(({ due }) => due)))
    const due = asleep.filter((one) => one.due <= now)
    asleep = asleep.filter((one) => one.due > now)
    for (const { wake } of due) wake()
    arm()
  }
  // Fibers go on in microtasks and in timers of 0 ms, sockets in the poll phase: what comes after both is rest.
  const arm = () => {
    if (armed) return
    armed = true
    setTimeout(() => setImmediate(jump), 0)
  }
  const sleepFor = (millis: number, wake: () => void) => {
    const one = { due: now + millis, wake }
    asleep.push(one)
    arm()
    return one
  }
  return {
    clock: {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => now,
      unsafeCurrentTimeNanos: () => BigInt(Math.round(now)) * 1_000_000n,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
      sleep: (duration) =>
        Effect.async<void>((resume) => {
          const one = sleepFor(Duration.toMillis(duration), () => resume(Effect.void))
          return Effect.sync(() => {
            asleep = asleep.filter((other) => other !== one)
          })
        })
    },
    stop: () => {
      stopped = true
    },
    world: {
      now: () => now,
      sleep: (millis) => new Promise((resolve) => void sleepFor(millis, resolve)),
      sent: (id, url) => void under.set(id, url),
      requestTo: (url) => [...under].find(([, to]) => to === url)?.[0],
      arrived: (id) => void under.delete(id)
    }
  }
}
