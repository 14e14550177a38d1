/** A clock for worlds in memory. */
import { Clock, Duration, Effect } from "effect"

/** Nobody waits: as soon as all fibers rest, it is the moment that the first of them sleeps for. */
export function jumpingClock(start: number): Clock.Clock {
  let now = start
  let asleep: Array<{ readonly due: number; readonly wake: () => void }> = []
  let armed = false
  const jump = () => {
    armed = false
    const [first] = asleep.toSorted((a, b) => a.due - b.due)
    if (first === undefined) return
    now = Math.max(now, first.due)
    const due = asleep.filter((one) => one.due <= now)
    asleep = asleep.filter((one) => one.due > now)
    for (const { wake } of due) wake()
    arm()
  }
  // Effect's fibers go on in microtasks, and now and then in a timer of 0 ms: what comes after both is rest.
  const arm = () => {
    if (armed) return
    armed = true
    setTimeout(() => setImmediate(jump), 1)
  }
  return {
    ...Clock.make(),
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        // Whole milliseconds: nanoseconds are counted in whole numbers.
        const one = { due: now + Math.ceil(Duration.toMillis(duration)), wake: () => resume(Effect.void) }
        asleep.push(one)
        arm()
        return Effect.sync(() => {
          asleep = asleep.filter((other) => other !== one)
        })
      })
  }
}
