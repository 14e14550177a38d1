/**
 * The runners and shard locks of `@effect/cluster` in Postgres. Their rows are renewed by the thread of heartbeats, in place of the
 * event loop: the library takes all shards for lost if one renewal lasts longer than a third of a lock's term, as it does when
 * the event loop stands still meanwhile.
 */
import { ClusterError, RunnerStorage, type ShardId, ShardingConfig, SqlRunnerStorage } from "@effect/cluster"
import { Clock, Duration, Effect, Layer, Option, Schedule } from "effect"
import { Database } from "../../database/Database.ts"
import { Heartbeats } from "../presence/Heartbeats.ts"
import { runnerSchema } from "./runnerSql.ts"

const runners = `${runnerSchema}.cluster_runners`
const locks = `${runnerSchema}.cluster_locks`

/** Called before the lock of a shard is given back. */
export type OnRelease = (shardId: ShardId.ShardId) => Effect.Effect<void>

/** The storage of a runner whose address the configuration names. */
export const shardLocks = (onRelease: OnRelease) =>
  Layer.scoped(
    RunnerStorage.RunnerStorage,
    Effect.gen(function* () {
      const { runnerAddress, shardLockExpiration } = yield* ShardingConfig.ShardingConfig
      const { host, port } = Option.getOrThrow(runnerAddress)
      const address = `${host}:${port}`
      const { attempt } = yield* Database
      const storage = yield* Effect.orDie(SqlRunnerStorage.make({}))
      const term = BigInt(Duration.toMillis(shardLockExpiration)) * 1_000_000n
      const { age } = yield* (yield* Heartbeats).start("runner", {
        // The last parameter, how late the event loop was, is of no use here.
        text: `with beat as (
            update ${runners} set last_heartbeat = now() where address = $1 and $2::int is not null
          ) update ${locks} set acquired_at = now() where address = $1`,
        values: [address]
      })

      /** The shards that this runner holds, and the number of the look since which it does. */
      const held = new Map<string, number>()
      let looks = 0
      const look = Effect.gen(function* () {
        const began = ++looks
        const rows = yield* attempt<{ readonly shard_id: string }>({
          name: "runner-locks",
          text: `select shard_id from ${locks} where address = $1`,
          values: [address]
        })
        const found = new Set(rows.map(({ shard_id }) => shard_id))
        for (const [shard, since] of held) if (since < began && !found.has(shard)) held.delete(shard)
      })
      yield* Effect.ignore(look).pipe(
        Effect.repeat(Schedule.spaced(Duration.unsafeDivide(shardLockExpiration, 3))),
        Effect.withClock(Clock.make()),
        Effect.forkScoped
      )

      /** A process without a heartbeat takes no part: the others would leave shards to it. */
      const whileAlive = <A>(work: Effect.Effect<A, ClusterError.PersistenceError>) =>
        Effect.suspend(() =>
          age() > term
            ? Effect.fail(
                new ClusterError.PersistenceError({ cause: "no heartbeat for as long as a lock lasts" })
              )
            : work
        )

      return RunnerStorage.RunnerStorage.of({
        ...storage,
        register: (runner, isHealthy) => whileAlive(storage.register(runner, isHealthy)),
        acquire: (by, shardIds) => {
          // What was not asked for is not told: the library counts it as asked for.
          const asked = new Set([...shardIds].map(String))
          return Effect.map(whileAlive(storage.acquire(by, shardIds)), (acquired) => {
            const ours = acquired.filter((shardId) => asked.has(String(shardId)))
            for (const shardId of ours) held.set(String(shardId), looks)
            return ours
          })
        },
        refresh: (_, shardIds) =>
          whileAlive(Effect.sync(() => [...shardIds].filter((shardId) => held.has(String(shardId))))),
        release: (by, shardId) =>
          Effect.zipRight(
            onRelease(shardId),
            Effect.tap(storage.release(by, shardId), () => Effect.sync(() => held.delete(String(shardId))))
          )
      })
    })
  )
