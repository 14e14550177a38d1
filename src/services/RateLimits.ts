/**
 * How much a caller may ask for: token buckets for rates, counters for what is open at once. Kept in memory by each
 * process on its own: behind two processes a caller has up to twice the rates; the quotas on rows are exact.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Caller } from "../../schema/Account.ts"
import { TooMany } from "../../schema/Errors.ts"
import type { ConnectionId, OwnerId } from "../../schema/Ids.ts"

export interface Limits {
  /** Requests a minute a key. */
  readonly requests: number
  /** Commands a minute a key. */
  readonly commands: number
  /** Commands a minute a connection. */
  readonly connectionCommands: number
  /** Runs that are not over, an account. */
  readonly runs: number
  /** Open event streams an account. */
  readonly streams: number
  /** Connections an account. */
  readonly connections: number
}

export const defaultLimits: Limits = {
  requests: 120,
  commands: 30,
  connectionCommands: 6,
  runs: 5,
  streams: 20,
  connections: 100
}

/** Where a bucket stands after a take; what the RateLimit headers are made of. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Seconds until it is full again (after a take), or until the next one is free (when empty). */
  readonly resetSeconds: number
}

interface Bucket {
  level: number
  at: number
}

const minute = 60_000
/** A full bucket is the same as none: beyond this many, those that are full again are dropped. */
const maxBuckets = 10_000

export class RateLimits extends Context.Tag("services/RateLimits")<
  RateLimits,
  {
    readonly limits: Limits
    /** One request of the key. `standing` is also known where the take fails. */
    readonly request: (
      caller: Caller
    ) => Effect.Effect<{ readonly allowed: boolean; readonly standing: Standing }>
    /** One command, by key and by connection. */
    readonly command: (caller: Caller, connection: ConnectionId) => Effect.Effect<void, TooMany>
    /** Counts a stream as open until the answered function is called (once or more often). */
    readonly openStream: (owner: OwnerId) => Effect.Effect<() => void, TooMany>
    /** Fails when `count` of them are there already. `what` is a plural noun for the message. */
    readonly quota: (what: "runs" | "connections", count: number) => Effect.Effect<void, TooMany>
  }
>() {
  static readonly layer = (limits: Limits = defaultLimits) =>
    Layer.sync(RateLimits, () => {
      const buckets = new Map<string, Bucket>()
      const streams = new Map<OwnerId, number>()

      const take = (key: string, limit: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (buckets.size >= maxBuckets) forgetFull(buckets, now)
          const perMilli = limit / minute
          const bucket = buckets.get(key) ?? { level: limit, at: now }
          const level = Math.min(limit, bucket.level + (now - bucket.at) * perMilli)
          const allowed = level >= 1
          const left = allowed ? level - 1 : level
          buckets.set(key, { level: left, at: now })
          const missing = allowed ? limit - left : 1 - left
          const standing: Standing = {
            limit,
            remaining: Math.floor(left),
            resetSeconds: limit <= 0 ? 60 : Math.max(1, Math.ceil(missing / perMilli / 1000))
          }
          return { allowed, standing }
        })

      const command = Effect.fn("RateLimits.command")(function* (caller: Caller, connection: ConnectionId) {
        for (const [key, limit, whose] of [
          [`connection:${connection}`, limits.connectionCommands, "connection"],
          [`commands:${caller.keyId}`, limits.commands, "key"]
        ] as const) {
          const { allowed, standing } = yield* take(key, limit)
          if (!allowed) {
            return yield* new TooMany({
              message: `At most ${limit} commands a minute a ${whose}; try again in ${standing.resetSeconds} s`,
              retryAfterSeconds: standing.resetSeconds
            })
          }
        }
      })

      const openStream = (owner: OwnerId) =>
        Effect.suspend(() => {
          const open = streams.get(owner) ?? 0
          if (open >= limits.streams) {
            const message = `At most ${limits.streams} event streams at once; close one and try again`
            return new TooMany({ message, retryAfterSeconds: 5 })
          }
          streams.set(owner, open + 1)
          let counted = true
          return Effect.succeed(() => {
            if (!counted) return
            counted = false
            const now = (streams.get(owner) ?? 1) - 1
            if (now === 0) streams.delete(owner)
            else streams.set(owner, now)
          })
        })

      const quota = (what: "runs" | "connections", count: number) =>
        count < limits[what]
          ? Effect.void
          : new TooMany({
              message: quotaMessage(what, limits[what]),
              retryAfterSeconds: what === "runs" ? 10 : 60
            })

      const request = (caller: Caller) => take(`key:${caller.keyId}`, limits.requests)
      return RateLimits.of({ limits, request, command, openStream, quota })
    })
}

function quotaMessage(what: "runs" | "connections", limit: number): string {
  return what === "runs"
    ? `At most ${limit} runs at once an account; wait for one to end, or cancel it`
    : `At most ${limit} connections an account; delete one first`
}

function forgetFull(buckets: Map<string, Bucket>, now: number): void {
  for (const [key, { at }] of buckets) if (now - at >= minute) buckets.delete(key)
}
