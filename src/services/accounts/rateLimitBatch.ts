/**
 * Tokens of a shared bucket, taken by this process in small stocks: one query a request for who asks now and then, and a
 * fraction of one for who asks often. What is taken and not used within a second (or as long as the stock is said to
 * keep) is lost, and is never more than what was used in the time before, or what a first stock holds.
 */
import { Clock, Effect } from "effect"
import type { BucketStore } from "../../store/accounts/BucketStore.ts"

/** Where a bucket stands after a take; what the RateLimit headers are made of. */
export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** Seconds until it is full again (after a take), or until the next one is free (when empty). */
  readonly resetSeconds: number
}

export interface Taken {
  readonly allowed: boolean
  readonly standing: BucketState
}

/** What this process knows of one bucket. Times are monotonic milliseconds. */
interface Stock {
  left: number
  /** How many were taken last. */
  taken: number
  /** Until when they may be used. */
  until: number
  /** What was in the bucket after that. */
  level: number
  /** So many tokens cannot be there before. */
  emptyUntil: number
  lacks: number
  /** When it was last asked for. */
  seen: number
  readonly turn: Effect.Semaphore
}

export interface BatchOptions {
  /** Tokens that are taken when none were used lately. Default 1: who asks now and then wastes none. */
  readonly atFirst?: number
  /** How long a stock keeps. Default one second. */
  readonly keepsMillis?: number
}

/** Most tokens taken at once. */
const largest = 256
/** A stock that nobody asks for is forgotten; looked for when there are this many. */
const maxStocks = 10_000
const forgetMillis = 60_000

/** A bucket holds `limit` and gets `limit` a minute. */
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

  /** Without the database: from the stock, or when there cannot be one yet. */
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
        // What is left for smaller ones stays theirs, also where a larger one is refused.
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

  /** Twice as many as were used up before they were old; else as many as at first. */
  const wanted = ({ left, taken, until }: Stock, amount: number, now: number): number =>
    left < amount && now < until ? Math.min(largest, Math.max(atFirst, taken * 2)) : atFirst

  /** Takes so many at once, or none; more than the bucket can ever hold are all that it holds. */
  return (name: string, limit: number, amount = 1): Effect.Effect<Taken> => {
    const due = Math.max(1, Math.min(amount, limit))
    return Effect.flatMap(monotonicMillis, (now) => {
      const stock = stockOf(name, now)
      const at = known(stock, limit, due, now)
      if (at !== undefined) return Effect.succeed(at)
      // One asks, and those who came meanwhile look again.
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
