/**
 * Placement by the shards of `@effect/cluster`: the id of a run says which shard it is of, and the process that holds the shard's
 * lock works on it. A run's entity would be a mailbox that is built when its shard is here and ended when it leaves; the worker
 * of a run is that already, so runs are mapped onto shards without one. Building it claims the run, and the epoch of the claim
 * is the fence: the library gives none.
 */
import {
  Entity,
  HttpRunner,
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  type ShardId,
  Sharding,
  ShardingConfig
} from "@effect/cluster"
import { Rpc } from "@effect/rpc"
import { Clock, Context, Duration, Effect, Layer, Option, PubSub, Queue } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import { prefixes } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { Locks } from "../../database/Locks.ts"
import { Notifications } from "../../database/Notifications.ts"
import { preferRuns } from "../../database/newId.ts"
import { SharedTime } from "../../database/SharedTime.ts"
import { makeCarryOn } from "../carryOn.ts"
import { makeLeases } from "../leases.ts"
import { Placement } from "../Placement.ts"
import { Presence } from "../presence/Presence.ts"
import { runnerSql } from "./runnerSql.ts"
import { listen, sent, served, tokensOf } from "./runnerTransport.ts"
import { shardLocks } from "./ShardLocks.ts"

/** How this process takes part. */
export interface ClusterOptions {
  readonly leaseSeconds: number
  /** The encryption keys. */
  readonly keys: ReadonlyArray<Buffer>
  /** Default: any port of the loopback interface. */
  readonly listen?: { readonly host: string; readonly port: number }
  /** Where the others reach it; default: where it listens. */
  readonly advertise?: { readonly host: string; readonly port: number }
}

/** Messages to the process that works on a run. Nothing of them is stored: the run's row is the truth. */
const RunEntity = Entity.make("plugfest/run", [Rpc.make("Stop")])

const shards = 120
/** How long the others may take to give runs back before they are taken as lost. */
const handOverLimit = "14 seconds"
/** Free runs that are read at most, to find those of this process's shards among them. */
const mostFree = 2000
/** A message that has not reached its process by then goes through the database. */
const messageLimit = "1 second"

const entityId = (runId: string) => runId as Parameters<Sharding.Sharding["Type"]["getShardId"]>[0]

/** The `@effect/cluster` adapter of the `Placement` port. */
export const PlacementCluster = {
  layer: (options: ClusterOptions) =>
    Layer.scoped(
      Placement,
      Effect.gen(function* () {
        const { leaseSeconds } = options
        const { attempt } = yield* Database
        const presence = yield* Presence
        const { withLock } = yield* Locks
        const owner = presence.processId
        const clock = Clock.make()
        const handlers = new Set<(isMoving: (runId: RunId) => boolean) => Effect.Effect<void>>()
        const handOver = (isMoving: (runId: RunId) => boolean) =>
          Effect.forEach([...handlers], (give) => give(isMoving), { discard: true, concurrency: "unbounded" })
        const stops = yield* PubSub.unbounded<RunId | null>()

        const notified = (yield* Notifications).stop
        const requests = yield* notified.subscribe
        yield* Queue.take(requests).pipe(
          Effect.flatMap((runId) => PubSub.publish(stops, runId)),
          Effect.forever,
          Effect.forkScoped
        )

        const sharding = yield* runner(options, (sharding, shardId) =>
          handOver((runId) => String(shardOf(sharding, runId)) === String(shardId)).pipe(
            Effect.timeoutOption(handOverLimit)
          )
        )
        yield* sharding.registerEntity(
          RunEntity,
          Effect.map(Entity.CurrentAddress, ({ entityId }) =>
            RunEntity.of({ Stop: () => Effect.asVoid(PubSub.publish(stops, entityId as string as RunId)) })
          )
        )
        const messages = yield* sharding.makeClient(RunEntity)
        const isHere = (runId: RunId) => sharding.hasShardId(shardOf(sharding, runId))
        preferRuns((body) => isHere(`${prefixes.run}_${body}` as RunId))

        const leases = makeLeases({ query: attempt, time: yield* SharedTime, leaseSeconds, owner })
        /** Since when a run has been free although another process holds its shard, or ours although we do not hold it. */
        const freeSince = makeSince(clock)
        const straySince = makeSince(clock)
        const term = BigInt(Math.round(leaseSeconds * 1e9))

        return Placement.of({
          ...presence,
          ...leases,
          claimable: (limit, kind, except = []) =>
            Effect.map(leases.claimable(mostFree, kind, except), (free) => {
              // Whoever holds the shard takes the run at once. If nobody does for three terms, the library has stalled.
              const forgotten = freeSince(
                free.filter((runId) => !isHere(runId)),
                3n * term
              )
              return free.filter((runId) => isHere(runId) || forgotten.has(runId)).slice(0, limit)
            }),
          keep: (held) =>
            Effect.tap(leases.keep(held), () => {
              const strays = straySince(
                held.map(({ runId }) => runId).filter((runId) => !isHere(runId)),
                term
              )
              return strays.size === 0 ? Effect.void : Effect.forkDaemon(giveAway(strays))
            }),
          onHandOver: (handler) =>
            Effect.acquireRelease(
              Effect.sync(() => handlers.add(handler)),
              () => Effect.sync(() => handlers.delete(handler))
            ),
          stop: {
            publish: (runId) =>
              isHere(runId)
                ? Effect.void
                : Effect.suspend(() => messages(runId).Stop()).pipe(
                    Effect.timeout(messageLimit),
                    // Who cannot be reached hears it from the database.
                    Effect.catchAllCause(() => notified.publish(runId)),
                    Effect.forkDaemon,
                    Effect.asVoid
                  ),
            subscribe: PubSub.subscribe(stops)
          },
          carryOn: makeCarryOn({ ...presence, withLock })
        })

        /** Gives runs back whose shards other living runners hold: they came here by a decision, or when shards moved. */
        function giveAway(strays: ReadonlySet<RunId>) {
          return Effect.gen(function* () {
            const rows = yield* attempt<{ readonly shard_id: string }>({
              name: "runner-foreign-locks",
              text: `select shard_id from runner.cluster_locks
                     where acquired_at > now() - $1::float8 * interval '1 second'`,
              values: [leaseSeconds]
            })
            const held = new Set(rows.map(({ shard_id }) => shard_id))
            yield* handOver(
              (runId) => strays.has(runId) && !isHere(runId) && held.has(String(shardOf(sharding, runId)))
            )
          }).pipe(Effect.ignore)
        }
      })
    )
}

const shardOf = (sharding: Sharding.Sharding["Type"], runId: RunId): ShardId.ShardId =>
  sharding.getShardId(entityId(runId), "default")

/** The library, tuned: a process that is dead is noticed as soon as its heartbeat is. */
const runner = (
  { advertise, keys, leaseSeconds, listen: where = { host: "127.0.0.1", port: 0 } }: ClusterOptions,
  onRelease: (sharding: Sharding.Sharding["Type"], shardId: ShardId.ShardId) => Effect.Effect<unknown>
) =>
  Effect.gen(function* () {
    const tokens = tokensOf(keys)
    const server = yield* listen(where.host, where.port)
    const listening = server.address
    const address =
      advertise ?? (listening._tag === "TcpAddress" ? { host: where.host, port: listening.port } : where)
    let built: Sharding.Sharding["Type"] | undefined
    const config = ShardingConfig.layer({
      runnerAddress: Option.some(RunnerAddress.make(address.host, address.port)),
      shardsPerGroup: shards,
      // By the database's clock: no session that a frozen process keeps.
      shardLockDisableAdvisory: true,
      shardLockExpiration: Duration.seconds(leaseSeconds),
      shardLockRefreshInterval: Duration.seconds(leaseSeconds / 3),
      refreshAssignmentsInterval: Duration.millis(Math.min(500, leaseSeconds * 250)),
      entityMessagePollInterval: Duration.seconds(1),
      entityMaxIdleTime: Duration.seconds(10),
      entityTerminationTimeout: Duration.seconds(15),
      simulateRemoteSerialization: false
    })
    const storage = shardLocks((shardId) =>
      built === undefined ? Effect.void : Effect.asVoid(onRelease(built, shardId))
    )
    const context = yield* Layer.build(
      served(server, tokens).pipe(
        Layer.provideMerge(HttpRunner.layerClient),
        Layer.provide(sent(tokens)),
        Layer.provideMerge(MessageStorage.layerNoop),
        // The rows of the database say who is alive; who cannot be called may still work on its runs.
        Layer.provide(RunnerHealth.layerNoop),
        Layer.provide(storage),
        Layer.provide(runnerSql),
        Layer.provide(config)
      )
    ).pipe(Effect.withClock(Clock.make()), Effect.orDie)
    built = Context.get(context, Sharding.Sharding)
    return built
  })

/** Of the runs given at each call, those that were given at every one for so many nanoseconds. */
function makeSince(clock: Clock.Clock) {
  let since = new Map<RunId, bigint>()
  return (found: ReadonlyArray<RunId>, nanos: bigint): ReadonlySet<RunId> => {
    const now = clock.unsafeCurrentTimeNanos()
    since = new Map(found.map((runId) => [runId, since.get(runId) ?? now]))
    return new Set(found.filter((runId) => now - since.get(runId)! >= nanos))
  }
}
