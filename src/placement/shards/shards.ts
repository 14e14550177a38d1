/** Shards of runs, by `@effect/cluster`: a run's id says of which shard it is, and one process at a time holds the shard. */
import {
  Entity,
  HttpRunner,
  MessageStorage,
  RunnerHealth,
  RunnerStorage,
  type ShardId,
  Sharding,
  ShardingConfig
} from "@effect/cluster"
import { Rpc } from "@effect/rpc"
import { Clock, Context, Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import { Presence } from "../presence/Presence.ts"
import { callsTo, guarded, type ProcessMessages, tokensOf } from "./messages.ts"
import { restartOnFailure } from "./restartOnFailure.ts"
import { makeShardStorage, runnerAddress } from "./shardStorage.ts"

/** How this process takes part. */
export interface ShardsOptions {
  /** Where the other processes reach this one. */
  readonly url: string
  /** The encryption keys, of which the token of messages between processes is made. */
  readonly keys: ReadonlyArray<Buffer>
  /** How long a process that says nothing counts as alive. */
  readonly leaseSeconds: number
  /** Gives back, resumable, what this process works on and for which `isMoving` holds: called before a shard is given back. */
  readonly handOver: (isMoving: (runId: RunId) => boolean) => Effect.Effect<void>
  /** Called for a run that is to stop, as another process says. */
  readonly onStop: (runId: RunId) => Effect.Effect<void>
}

/** The shards of this process. */
interface Shards {
  readonly isHere: (runId: RunId) => boolean
  /** Is there no other process, so that all runs are for this one? Also before it has joined; not after it has left. */
  readonly isAlone: Effect.Effect<boolean>
  /** Tells the process that holds the run's shard to stop the run; fails where it cannot be reached. */
  readonly sendStop: (runId: RunId) => Effect.Effect<void, unknown>
  /** As the port has it. */
  readonly singleton: <E, R>(
    name: string,
    work: Effect.Effect<unknown, E, R>
  ) => Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope>
  readonly messages: ProcessMessages["Type"]
  /** From now on shards fall to this process. */
  readonly join: Effect.Effect<void>
  /** Gives all shards to the others, at once; what this process works on it gives back by itself. */
  readonly leave: Effect.Effect<void>
}

/** Messages to the process that works on a run. Nothing of them is stored: the run's row is the truth. */
const RunEntity = Entity.make("plugfest/run", [Rpc.make("Stop")])

const shardCount = 120
/** How long runs may take to be given back before others take them as lost. */
const handOverLimit = "14 seconds"
/** A message that has not reached its process by then does not count as sent. */
const messageLimit = "1 second"

/** Takes shards until the scope closes; then they are given back. */
export const makeShards = Effect.fnUntraced(function* (options: ShardsOptions) {
  const { living, processId } = yield* Presence
  let hasLeft = false
  const joined = yield* Effect.makeLatch(false)
  const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
  let built: Sharding.Sharding["Type"] | undefined
  const { isAlone, storage, urlOf } = yield* makeShardStorage({
    ...options,
    joined: joined.await,
    onRelease: (shardId) => {
      const sharding = built
      if (sharding === undefined) return Effect.void
      return Effect.asVoid(
        Effect.timeoutOption(
          options.handOver((runId) => shardIdOf(sharding, runId) === shardId),
          handOverLimit
        )
      )
    }
  })
  const tokens = tokensOf(options.keys)
  const context = yield* Layer.build(
    HttpRunner.layerClient.pipe(
      Layer.provideMerge(MessageStorage.layerNoop),
      Layer.provide(callsTo(urlOf, tokens)),
      Layer.provide(RunnerHealth.layerNoop),
      Layer.provide(Layer.succeed(RunnerStorage.RunnerStorage, storage)),
      Layer.provide(configuration(processId, options.leaseSeconds))
    )
  ).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.withClock(Clock.make()) // between processes time is real, under a test's clock too
  )
  const sharding = Context.get(context, Sharding.Sharding)
  built = sharding

  yield* sharding
    .registerEntity(
      RunEntity,
      Effect.map(Entity.CurrentAddress, ({ entityId }) =>
        RunEntity.of({ Stop: () => options.onStop(entityId as string as RunId) })
      )
    )
    .pipe(Effect.provideService(Scope.Scope, scope))
  const runs = yield* sharding.makeClient(RunEntity)
  const answer = yield* Effect.provide(guarded(tokens), context)
  return {
    isHere: (runId) => sharding.hasShardId(shardIdOf(sharding, runId)),
    isAlone: Effect.suspend(() => {
      const alone = hasLeft ? false : isAlone()
      return alone === undefined ? Effect.map(living, ({ size }) => size === 1) : Effect.succeed(alone)
    }),
    sendStop: (runId) => Effect.timeout(runs(runId).Stop(), messageLimit),
    // The library gives the work a scope, which its type does not say.
    singleton: (name, work) =>
      sharding.registerSingleton(name, restartOnFailure(name, work)) as Effect.Effect<void, never, never>,
    messages: { answer },
    join: Effect.asVoid(joined.open),
    leave: Effect.suspend(() => {
      hasLeft = true
      return Scope.close(scope, Exit.void)
    })
  } satisfies Shards
})

const shardIdOf = (sharding: Sharding.Sharding["Type"], runId: RunId): ShardId.ShardId =>
  sharding.getShardId(runId as string as Parameters<Sharding.Sharding["Type"]["getShardId"]>[0], "default")

/** The library, tuned: a process that is dead is noticed as soon as its heartbeat is. */
const configuration = (processId: string, leaseSeconds: number) =>
  ShardingConfig.layer({
    runnerAddress: Option.some(runnerAddress(processId)),
    shardsPerGroup: shardCount,
    shardLockExpiration: Duration.seconds(leaseSeconds),
    shardLockRefreshInterval: Duration.seconds(leaseSeconds / 3),
    refreshAssignmentsInterval: Duration.millis(Math.min(500, leaseSeconds * 250)),
    entityMessagePollInterval: Duration.seconds(1),
    entityMaxIdleTime: Duration.seconds(10),
    entityTerminationTimeout: Duration.seconds(15),
    simulateRemoteSerialization: false
  })
