/**
 * Takes tokens of a bucket that all processes share in small batches: a rare caller costs one query a request, a frequent
 * one a fraction of a query. Tokens of a batch that are not used within `keepsMillis` are lost; a batch is never larger than
 * twice the one before, or than the first batch.
 */
import { Clock, Effect } from "effect"
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
interface Stock {
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
  readonly turn: Effect.Semaphore
}

/** How large a first batch is, and how long a batch keeps. */
export interface BatchOptions {
  /** Size of a batch when none was used recently. Default 1, so that a rare caller wastes no token. */
  readonly atFirst?: number
  /** Milliseconds after which unused tokens are lost; default 1000. */
  readonly keepsMillis?: number
}

/** Largest batch. */
const largest = 256
/** With this many batches in memory, those not used for `forgetMillis` are removed. */
const maxStocks = 10_000
const forgetMillis = 60_000

/** Makes the function that takes tokens by bucket name. A bucket holds at most `limit` tokens and gains `limit` a minute. */
export const makeRateLimitBatch = (store: Pick<BucketStore["Type"], "take">, options: BatchOptions = {}) => {
  const { atFirst = 1, keepsMillis = 1000 } = options
  const stocks = new Map<string, Stock>()

  const stockOf = (name: string, now: number): Stock => {
    if (stocks.size >= maxStocks) {
      for (const [key, { seen }] of stocks) if (now - seen >= forgetMillis) stocks.delete(key)
    }
    const known = stocks.get(name)
    if (known !== undefined) {
      known.seen = now
      return known
    }
    const turn = Effect.unsafeMakeSemaphore(1)
    const fresh = { left: 0, taken: 0, until: 0, level: 0, emptyUntil: 0, lacks: 1, seen: now, turn }
    stocks.set(name, fresh)
    return fresh
  }

  /** The answer without a query: from the batch, or a refusal while the bucket must still be empty. */
  const known = (stock: Stock, limit: number, amount: number, now: number): Taken | undefined => {
    if (stock.left >= amount && now < stock.until) {
      stock.left -= amount
      return { allowed: true, standing: filling(limit, stock.level + stock.left) }
    }
    return now < stock.emptyUntil && amount >= stock.lacks
      ? { allowed: false, standing: emptyFor(limit, stock.emptyUntil - now) }
      : undefined
  }

  const ask = (name: string, stock: Stock, limit: number, amount: number, now: number) =>
    Effect.map(
      store.take(name, limit, Math.max(amount, wanted(stock, amount, now)), amount),
      ({ granted, level }): Taken => {
        // When a larger take is refused, the tokens left in the batch stay for smaller ones.
        if (granted > 0) {
          stock.left = (now < stock.until ? stock.left : 0) + Math.max(0, granted - amount)
          stock.taken = granted
          stock.until = now + keepsMillis
        }
        stock.level = level
        if (granted > 0) return { allowed: true, standing: filling(limit, level + stock.left) }
        const missingMillis = limit <= 0 ? 60_000 : (Math.max(0, amount - level) / limit) * 60_000
        stock.emptyUntil = now + missingMillis
        stock.lacks = amount
        return { allowed: false, standing: emptyFor(limit, missingMillis) }
      }
    )

  /** Twice the last batch if that was used up before it expired; otherwise `atFirst`. */
  const wanted = ({ left, taken, until }: Stock, amount: number, now: number): number =>
    left < amount && now < until ? Math.min(largest, Math.max(atFirst, taken * 2)) : atFirst

  /** Takes `amount` tokens or none; an amount above `limit` takes `limit`. */
  return (name: string, limit: number, amount = 1): Effect.Effect<Taken> => {
    const due = Math.max(1, Math.min(amount, limit))
    return Effect.flatMap(monotonicMillis, (now) => {
      const stock = stockOf(name, now)
      const at = known(stock, limit, due, now)
      if (at !== undefined) return Effect.succeed(at)
      // One fiber queries; those that waited for it look at the batch again.
      return stock.turn.withPermits(1)(
        Effect.flatMap(monotonicMillis, (later) => {
          const since = known(stock, limit, due, later)
          return since === undefined ? ask(name, stock, limit, due, later) : Effect.succeed(since)
        })
      )
    })
  }
}

function filling(limit: number, level: number): BucketState {
  const missing = Math.max(0, limit - level)
  return { limit, remaining: Math.floor(level), resetSeconds: Math.max(1, Math.ceil((missing / limit) * 60)) }
}

function emptyFor(limit: number, millis: number): BucketState {
  return { limit, remaining: 0, resetSeconds: Math.max(1, Math.ceil(millis / 1000)) }
}

const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000n) / 1000)
