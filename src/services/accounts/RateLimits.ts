/** How much a caller may ask for, over all processes: token buckets for rates, counts of what is there for quotas. */
import { Context, Effect, Layer, Schedule } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { TooMany } from "../../../schema/Errors.ts"
import type { ConnectionId, OwnerId } from "../../../schema/Ids.ts"
import { Locks } from "../../database/Locks.ts"
import { outlast } from "../../database/retry.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"
import { makeRateLimitBatch, type Taken } from "./rateLimitBatch.ts"

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
  /** Connections an account, and as many sandbox partners. */
  readonly connections: number
  /** Calls of its partner a minute a connection, and KiB of their bodies. */
  readonly partnerCalls: number
  readonly partnerKilobytes: number
  /** The same of all partners of an account. */
  readonly accountCalls: number
  readonly accountKilobytes: number
  /** OCPI requests a minute an address that bring no token of ours. */
  readonly unauthenticatedCalls: number
}

export const defaultLimits: Limits = {
  requests: 120,
  commands: 30,
  connectionCommands: 6,
  runs: 5,
  streams: 20,
  connections: 100,
  partnerCalls: 6000,
  partnerKilobytes: 8192,
  accountCalls: 30_000,
  accountKilobytes: 32_768,
  unauthenticatedCalls: 600
}

/** API keys of an account that are good, so that its rate is not as large as it likes. */
export const maxKeys = 50

/** What an account has so many of at once. */
export type Quota = "runs" | "streams" | "connections" | "sandboxPartners" | "keys"

export class RateLimits extends Context.Tag("services/RateLimits")<
  RateLimits,
  {
    readonly limits: Limits
    /** One request of the key. `standing` is also known where the take fails. */
    readonly request: (caller: Caller) => Effect.Effect<Taken>
    /** One command, by key and by connection. */
    readonly command: (caller: Caller, connection: ConnectionId) => Effect.Effect<void, TooMany>
    /** Of the key's requests and commands in this minute, how many are used. */
    readonly used: (caller: Caller) => Effect.Effect<{ readonly requests: number; readonly commands: number }>
    /**
     * Makes one more unless `count` says that the account has as many as it may. One at a time an account, over all
     * processes: what is made under the lock is counted by the next.
     */
    readonly oneMore: <A, E, R, E2, R2>(
      quota: Quota,
      owner: OwnerId,
      count: Effect.Effect<number, E2, R2>,
      make: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | E2 | TooMany, R | R2>
    /** The body, while `oneMore` of that account and quota waits. */
    readonly noneMore: <A, E, R>(
      quota: Quota,
      owner: OwnerId,
      body: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layer = (limits: Limits = defaultLimits) =>
    Layer.scoped(
      RateLimits,
      Effect.gen(function* () {
        const store = yield* BucketStore
        const locks = yield* Locks
        const take = makeRateLimitBatch(store)
        yield* outlast(store.prune).pipe(
          Effect.catchAllCause((cause) => Effect.logError("Old buckets could not be removed", cause)),
          Effect.repeat(Schedule.spaced("1 hour")),
          Effect.forkScoped
        )

        const command = Effect.fn("RateLimits.command")(function* (caller: Caller, connection: ConnectionId) {
          for (const [name, limit, whose] of [
            [`connection:${connection}`, limits.connectionCommands, "connection"],
            [commandsOf(caller), limits.commands, "key"]
          ] as const) {
            const { allowed, standing } = yield* take(name, limit)
            if (!allowed) {
              return yield* new TooMany({
                message: `At most ${limit} commands a minute a ${whose}; try again in ${standing.resetSeconds} s`,
                retryAfterSeconds: standing.resetSeconds,
                rate: { policy: `commands-a-${whose}`, ...standing }
              })
            }
          }
        })

        const used = Effect.fn("RateLimits.used")(function* (caller: Caller) {
          const requests = limits.requests - (yield* store.level(requestsOf(caller), limits.requests))
          const commands = limits.commands - (yield* store.level(commandsOf(caller), limits.commands))
          return { requests: Math.ceil(requests), commands: Math.ceil(commands) }
        })

        const noneMore = <A, E, R>(quota: Quota, owner: OwnerId, body: Effect.Effect<A, E, R>) =>
          locks.withLock(`${quota}:${owner}`, body)

        const oneMore = <A, E, R, E2, R2>(
          quota: Quota,
          owner: OwnerId,
          count: Effect.Effect<number, E2, R2>,
          make: Effect.Effect<A, E, R>
        ) =>
          noneMore(
            quota,
            owner,
            Effect.flatMap(
              count,
              (have): Effect.Effect<A, E | TooMany, R> =>
                have < mostOf(limits, quota) ? make : full(limits, quota)
            )
          )

        const request = (caller: Caller) => take(requestsOf(caller), limits.requests)
        return RateLimits.of({ limits, request, command, used, oneMore, noneMore })
      })
    )
}

/** How many an account may have. */
export const mostOf = (limits: Limits, quota: Quota): number =>
  quota === "keys" ? maxKeys : limits[quota === "sandboxPartners" ? "connections" : quota]

const requestsOf = ({ keyId }: Caller) => `key:${keyId}`
const commandsOf = ({ keyId }: Caller) => `commands:${keyId}`

/** What may be done about it, and when it makes sense to look again. */
const ways: Readonly<Record<Quota, readonly [what: string, way: string, seconds: number]>> = {
  runs: ["runs at once", "wait for one to end, or cancel it", 10],
  streams: ["event streams at once", "close one and try again", 5],
  connections: ["connections", "delete one first", 60],
  sandboxPartners: ["sandbox partners", "delete one first", 60],
  keys: ["API keys that are good", "revoke one first", 60]
}

function full(limits: Limits, quota: Quota): TooMany {
  const [what, way, retryAfterSeconds] = ways[quota]
  return new TooMany({
    message: `At most ${mostOf(limits, quota)} ${what} an account; ${way}`,
    retryAfterSeconds
  })
}
