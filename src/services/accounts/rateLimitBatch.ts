/**
 * Takes tokens of a bucket that all processes share in small batches: a rare caller costs one query a request, a frequent
 * one a fraction of a query. Tokens of a batch that are not used within `keepsMillis` are lost; a batch is never larger than
 * twice the one before, or than the first batch.
 */
import { type Clock, Effect } from "effect"
import { minuteMillis } from "../../../schema/fields/durations.ts"
import type { BucketStore } from "../../store/accounts/BucketStore.ts"

/** State of a bucket after a take, for the RateLimit headers. */
export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** Seconds until it is full again (after a take), or until the next one is free (when empty). */
  readonly resetSeconds: number
}

/** Whether the tokens were taken, and the state of the bucket after it. */
export interface Taken {
  readonly allowed: boolean
  readonly standing: BucketState
}

/** This process's batch of one bucket. Times are monotonic milliseconds. */
interface Batch {
  readonly name: string
  left: number
  /** Size of the last batch. */
  taken: number
  /** When the batch expires. */
  until: number
  /** Level of the bucket after the batch was taken. */
  level: number
  /** Before this time the bucket cannot hold `lacks` tokens. */
  emptyUntil: number
  lacks: number
  /** When it was last used. */
  seen: number
  /** Does somebody ask for the next batch? */
  isAsking: boolean
  readonly turn: Effect.Semaphore
}

/** Takes tokens of the bucket with that name; it holds at most `limit` and gains `limit` a minute. */
interface RateLimitBatch {
  /** Takes `amount` tokens (default 1) or none; an amount above `limit` takes `limit`. */
  (name: string, limit: number, amount?: number): Effect.Effect<Taken>
  /** The same from memory; undefined: it takes a query. */
  readonly atOnce: (name: string, limit: number, clock: Clock.Clock, amount?: number) => Taken | undefined
}

/** How large a first batch is, and how long a batch keeps. */
interface RateLimitBatchOptions {
  /** Size of a batch when none was used recently. Default 1, so that a rare caller wastes no token. */
  readonly atFirst?: number
  /** Milliseconds after which unused tokens are lost; default 1000. */
  readonly keepsMillis?: number
}

/** Largest batch. */
const largest = 256
/** A batch of this size is renewed once half of it is used: one caller asks, and the others go on with the rest meanwhile. */
const renewedEarly = 64
/** With this many batches in memory, those not used for `forgetMillis` are removed. */
const maxBatches = 10_000
const forgetMillis = 60_000

/** Makes the function that takes tokens by bucket name. */
export const makeRateLimitBatch = (
  store: Pick<BucketStore["Type"], "take">,
  options: RateLimitBatchOptions = {}
): RateLimitBatch => {
  const { atFirst = 1, keepsMillis = 1000 } = options
  const batches = new Map<string, Batch>()

  const batchOf = (name: string, now: number): Batch => {
    if (batches.size >= maxBatches) {
      for (const [key, { seen }] of batches) if (now - seen >= forgetMillis) batches.delete(key)
    }
    const known = batches.get(name)
    if (known !== undefined) {
      known.seen = now
      return known
    }
    const turn = Effect.unsafeMakeSemaphore(1)
    const fresh = {
      name,
      left: 0,
      taken: 0,
      until: 0,
      level: 0,
      emptyUntil: 0,
      lacks: 1,
      seen: now,
      isAsking: false,
      turn
    }
    batches.set(name, fresh)
    return fresh
  }

  /** The answer without a query: from the batch, or a refusal while the bucket must still be empty. */
  const known = (batch: Batch, limit: number, amount: number, now: number): Taken | undefined =>
    isToRenew(batch, now) ? undefined : held(batch, limit, amount, now)

  const held = (batch: Batch, limit: number, amount: number, now: number): Taken | undefined => {
    if (batch.left >= amount && now < batch.until) {
      batch.left -= amount
      return { allowed: true, standing: filling(limit, batch.level + batch.left) }
    }
    return now < batch.emptyUntil && amount >= batch.lacks
      ? { allowed: false, standing: emptyFor(limit, batch.emptyUntil - now) }
      : undefined
  }

  /** Takes a new batch of the store, and the amount of it. */
  const ask = (batch: Batch, limit: number, amount: number, now: number) => {
    batch.isAsking = true
    return store.take(batch.name, limit, Math.max(amount, wanted(batch, now)), amount).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          batch.isAsking = false
        })
      ),
      Effect.map(({ granted, level }): Taken => {
        // When a larger take is refused, the tokens left in the batch stay for smaller ones.
        if (granted > 0) {
          batch.left = (now < batch.until ? batch.left : 0) + Math.max(0, granted - amount)
          batch.taken = granted
          batch.until = now + keepsMillis
        }
        batch.level = level
        if (granted > 0) return { allowed: true, standing: filling(limit, level + batch.left) }
        const missingMillis = limit <= 0 ? minuteMillis : (Math.max(0, amount - level) / limit) * minuteMillis
        batch.emptyUntil = now + missingMillis
        batch.lacks = amount
        return (
          held(batch, limit, amount, now) ?? {
            allowed: false,
            standing: emptyFor(limit, missingMillis)
          }
        )
      })
    )
  }

  /** Twice the last batch if that was used before it expired; otherwise `atFirst`. */
  const wanted = ({ taken, until }: Batch, now: number): number =>
    now < until ? Math.min(largest, Math.max(atFirst, taken * 2)) : atFirst

  const take = (name: string, limit: number, amount = 1): Effect.Effect<Taken> => {
    const due = dueOf(amount, limit)
    return Effect.clockWith((clock) => {
      const now = monotonicMillis(clock)
      const batch = batchOf(name, now)
      const at = known(batch, limit, due, now)
      if (at !== undefined) return Effect.succeed(at)
      // One fiber queries; those that waited for it look at the batch again.
      return batch.turn.withPermits(1)(
        Effect.suspend(() => {
          const later = monotonicMillis(clock)
          const since = known(batch, limit, due, later)
          return since === undefined ? ask(batch, limit, due, later) : Effect.succeed(since)
        })
      )
    })
  }
  const atOnce: RateLimitBatch["atOnce"] = (name, limit, clock, amount = 1) => {
    const now = monotonicMillis(clock)
    return known(batchOf(name, now), limit, dueOf(amount, limit), now)
  }
  return Object.assign(take, { atOnce })
}

const isToRenew = ({ emptyUntil, isAsking, left, taken, until }: Batch, now: number) =>
  taken >= renewedEarly && left <= taken / 2 && now < until && now >= emptyUntil && !isAsking

const dueOf = (amount: number, limit: number) => Math.max(1, Math.min(amount, limit))

function filling(limit: number, level: number): BucketState {
  const missing = Math.max(0, limit - level)
  return { limit, remaining: Math.floor(level), resetSeconds: Math.max(1, Math.ceil((missing / limit) * 60)) }
}

function emptyFor(limit: number, millis: number): BucketState {
  return { limit, remaining: 0, resetSeconds: Math.max(1, Math.ceil(millis / 1000)) }
}

const monotonicMillis = (clock: Clock.Clock) => Number(clock.unsafeCurrentTimeNanos() / 1_000n) / 1000
