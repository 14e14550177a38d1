/** A clock for a world of real sockets in one process: it stands still while a message is under way. */
import type { Clock } from "effect"
import { jumpingTime } from "../support/jumpingClock.ts"
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
  const under = new Map<string, string | undefined>()
  const { after, clock, now, stop } = jumpingTime(start, () => under.size > 0)
  return {
    clock,
    stop,
    world: {
      now,
      sleep: (millis) => new Promise((resolve) => after(millis, resolve)),
      sent: (id, url) => void under.set(id, url),
      requestTo: (url) => [...under].find(([, to]) => to === url)?.[0],
      arrived: (id) => void under.delete(id)
    }
  }
}
