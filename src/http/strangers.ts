/**
 * Requests on the OCPI side that bring no token of ours, by address. Counted in this process alone, for they change nothing
 * and nobody waits for them: what they cost is a look-up.
 */
import { Clock, Effect } from "effect"
import { TurnedAway } from "../party/Door.ts"

/** Addresses that are remembered; beyond those the one that was seen longest ago is forgotten. */
const mostAddresses = 10_000

interface Level {
  left: number
  at: number
}

export interface Strangers {
  /** One more of that address. */
  readonly count: (address: string) => Effect.Effect<void, TurnedAway>
  /** Was the address refused the last time, and not long ago? */
  readonly isOver: (address: string) => boolean
}

/** Each address has `limit` and gets `limit` a minute. */
export const makeStrangers = (limit: number): Strangers => {
  const levels = new Map<string, Level>()

  const refilled = (address: string, now: number): number => {
    const known = levels.get(address)
    return known === undefined ? limit : Math.min(limit, known.left + ((now - known.at) / 60_000) * limit)
  }

  const count = (address: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = refilled(address, now)
      // Moved to the end: the first one is always the one that was seen longest ago.
      levels.delete(address)
      levels.set(address, { left: left >= 1 ? left - 1 : left, at: now })
      const oldest = levels.keys().next().value
      if (levels.size > mostAddresses && oldest !== undefined) levels.delete(oldest)
      if (left >= 1) return Effect.void
      const seconds = limit <= 0 ? 60 : Math.max(1, Math.ceil(((1 - left) / limit) * 60))
      return new TurnedAway({
        httpStatus: 429,
        message: `At most ${limit} requests a minute an address without a token that we issued; try again in ${seconds} s`,
        retryAfterSeconds: seconds
      })
    })

  const isOver = (address: string) => (levels.get(address)?.left ?? limit) < 1

  return { count, isOver }
}
