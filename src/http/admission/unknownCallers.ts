/**
 * Rate limit, by address, for inbound OCPI requests without an accepted token. Kept in this process alone: such a request
 * changes nothing and costs one look-up.
 */
import { Clock, Effect } from "effect"
import { minuteMillis } from "../../../schema/fields/durations.ts"
import { NotAdmitted } from "../../party/wire/Admission.ts"

/** Addresses that are kept; the least recently seen one is dropped first. */
const mostAddresses = 10_000

interface Level {
  left: number
  at: number
}

/** The rate limit of requests without an accepted token; a request beyond it fails with `NotAdmitted` (429). */
interface UnknownCallers {
  /** Counts a request of the address. */
  readonly count: (address: string) => Effect.Effect<void, NotAdmitted>
  /** Whether the bucket of the address was empty after its last request. */
  readonly isExhausted: (address: string) => boolean
}

/** A token bucket for each address: it holds `limit` and is refilled by `limit` a minute. */
export const makeUnknownCallers = (limit: number): UnknownCallers => {
  const levels = new Map<string, Level>()

  const refilled = (address: string, now: number): number => {
    const known = levels.get(address)
    return known === undefined
      ? limit
      : Math.min(limit, known.left + ((now - known.at) / minuteMillis) * limit)
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
      return new NotAdmitted({
        httpStatus: 429,
        message: `At most ${limit} requests a minute an address without a token that we accept; try again in ${seconds} s`,
        retryAfterSeconds: seconds
      })
    })

  const isExhausted = (address: string) => (levels.get(address)?.left ?? limit) < 1

  return { count, isExhausted }
}
