/** Limits of callers, shared by all processes: token buckets for rates, counts of existing objects for quotas. */
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { TooMany } from "../../../schema/Errors.ts"
import type { ConnectionId, OwnerId } from "../../../schema/Ids.ts"
import { everyHour } from "../../database/everyHour.ts"
import { Locks } from "../../database/Locks.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { makeRateLimitBatch, type Taken } from "./rateLimitBatch.ts"

/** The limits of RATE_LIMITS, as numbers. */
export interface Limits {
  /** Requests per minute and API key. */
  readonly requests: number
  /** Commands per minute and API key. */
  readonly commands: number
  /** Commands per minute and connection. */
  readonly connectionCommands: number
  /** Open runs per account. */
  readonly runs: number
  /** Open event streams per account. */
  readonly streams: number
  /** Connections per account; the same number of sandbox partners is allowed too. */
  readonly connections: number
  /** Calls of the partner per minute and connection, and KiB of their bodies. */
  readonly partnerCalls: number
  readonly partnerKilobytes: number
  /** The same for all partners of an account together. */
  readonly accountCalls: number
  readonly accountKilobytes: number
  /** OCPI requests without a token of ours, per minute and address. */
  readonly unauthenticatedCalls: number
}

/** The limits without RATE_LIMITS; the same as the defaults of `Settings.ts`. */
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

/** Valid API keys per account; bounded because each key has a rate of its own. */
export const maxKeys = 50

/** Saved scenarios per account. */
export const maxScenarios = 500

/** Failed sign-ins to the console per minute and address. */
const maxFailedSignIns = 20

/**
 * Sign-ins at work at once, in one process. Each holds one of the failures of its address until it is known to be right, so
 * more at once would refuse right ones as failed: for those of eight processes there are enough.
 */
const signInsAtOnce = 2

/** Objects of which an account may have a limited number at the same time. */
type Quota = "runs" | "streams" | "connections" | "sandboxPartners" | "keys" | "scenarios"

/** Checks and counts what callers do against their rates and quotas. */
export class RateLimits extends Context.Tag("services/RateLimits")<
  RateLimits,
  {
    readonly limits: Limits
    /** Counts one request of the key; the result has the state of its bucket, whether it is allowed or not. */
    readonly request: (caller: Caller) => Effect.Effect<Taken>
    /** The same from memory; undefined: `request` counts it, with a query. */
    readonly requestAtOnce: (caller: Caller) => Taken | undefined
    /** Counts one command against the rates of the connection and of the key. */
    readonly command: (caller: Caller, connection: ConnectionId) => Effect.Effect<void, TooMany>
    /**
     * Runs a sign-in that comes from that address. A failed one counts; while the address has no failure left, none is
     * tried, a right one neither.
     */
    readonly signIn: <A, E, R>(
      address: string,
      attempt: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | TooMany, R>
    /** How much of the key's request and command rates is used at present. */
    readonly used: (caller: Caller) => Effect.Effect<{ readonly requests: number; readonly commands: number }>
    /**
     * Runs `make` unless `count` has reached the quota. One at a time per account and quota, over all processes, so that
     * each count includes what was made before.
     */
    readonly withinQuota: <A, E, R, E2, R2>(
      quota: Quota,
      owner: OwnerId,
      count: Effect.Effect<number, E2, R2>,
      make: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | E2 | TooMany, R | R2>
    /** Runs the body while every `withinQuota` of that account and quota waits: nothing of that kind is made meanwhile. */
    readonly holdQuota: <A, E, R>(
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
        const clock = yield* Effect.clock
        const take = makeRateLimitBatch(store)
        yield* everyHour(store.prune, "Old buckets could not be removed")

        const command = traced("RateLimits.command")(function* (caller: Caller, connection: ConnectionId) {
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

        const signInTurns = (yield* Effect.makeSemaphore(signInsAtOnce)).withPermits(1)
        const signIn = <A, E, R>(address: string, attempt: Effect.Effect<A, E, R>) =>
          signInTurns(countedSignIn(address, attempt))

        // Taken first and given back, so that any number at once are no more than the limit.
        const countedSignIn = Effect.fnUntraced(function* <A, E, R>(
          address: string,
          attempt: Effect.Effect<A, E, R>
        ) {
          const name = `sign-in:${address}`
          const { granted, level } = yield* store.take(name, maxFailedSignIns, 1)
          if (granted === 0) {
            const seconds = Math.max(1, Math.ceil(((1 - level) / maxFailedSignIns) * 60))
            return yield* new TooMany({
              message: `At most ${maxFailedSignIns} failed sign-ins a minute an address; try again in ${seconds} s`,
              retryAfterSeconds: seconds
            })
          }
          return yield* Effect.tap(attempt, () => store.giveBack(name, maxFailedSignIns))
        })

        const used = traced("RateLimits.used")(function* (caller: Caller) {
          const requests = limits.requests - (yield* store.level(requestsOf(caller), limits.requests))
          const commands = limits.commands - (yield* store.level(commandsOf(caller), limits.commands))
          return { requests: Math.ceil(requests), commands: Math.ceil(commands) }
        })

        const holdQuota = <A, E, R>(quota: Quota, owner: OwnerId, body: Effect.Effect<A, E, R>) =>
          locks.withLock(`${quota}:${owner}`, body)

        const withinQuota = <A, E, R, E2, R2>(
          quota: Quota,
          owner: OwnerId,
          count: Effect.Effect<number, E2, R2>,
          make: Effect.Effect<A, E, R>
        ) =>
          holdQuota(
            quota,
            owner,
            Effect.flatMap(
              count,
              (have): Effect.Effect<A, E | TooMany, R> =>
                have < mostOf(limits, quota) ? make : full(limits, quota)
            )
          )

        const request = (caller: Caller) => take(requestsOf(caller), limits.requests)
        const requestAtOnce = (caller: Caller) => take.atOnce(requestsOf(caller), limits.requests, clock)
        return RateLimits.of({
          limits,
          request,
          requestAtOnce,
          command,
          signIn,
          used,
          withinQuota,
          holdQuota
        })
      })
    )
}

/** The limit of a quota. */
const mostOf = (limits: Limits, quota: Quota): number => {
  if (quota === "keys") return maxKeys
  if (quota === "scenarios") return maxScenarios
  return limits[quota === "sandboxPartners" ? "connections" : quota]
}

const requestsOf = ({ keyId }: Caller) => `key:${keyId}`
const commandsOf = ({ keyId }: Caller) => `commands:${keyId}`

/** The words of the error, and its Retry-After in seconds. */
const ways: Readonly<Record<Quota, readonly [what: string, way: string, seconds: number]>> = {
  runs: ["runs at once", "wait for one to end, or cancel it", 10],
  streams: ["event streams at once", "close one and try again", 5],
  connections: ["connections", "delete one first", 60],
  sandboxPartners: ["sandbox partners", "delete one first", 60],
  keys: ["API keys that are good", "revoke one first", 60],
  scenarios: ["saved scenarios", "delete one first", 60]
}

function full(limits: Limits, quota: Quota): TooMany {
  const [what, way, retryAfterSeconds] = ways[quota]
  return new TooMany({
    message: `At most ${mostOf(limits, quota)} ${what} an account; ${way}`,
    retryAfterSeconds
  })
}
