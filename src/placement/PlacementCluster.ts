/**
 * Placement by the shards of `@effect/cluster`: the process that holds a run's shard takes the run up. To take it up it claims the
 * run, and the epoch of the claim is the fence: the library gives none.
 */
import { Clock, Context, Effect, Layer, PubSub, Queue } from "effect"
import { prefixes, type RunId } from "../../schema/Ids.ts"
import type { RunKind } from "../../schema/RunReport.ts"
import { Database } from "../database/Database.ts"
import { Locks } from "../database/Locks.ts"
import { Notifications } from "../database/Notifications.ts"
import { preferRuns } from "../database/newId.ts"
import { SharedTime } from "../database/SharedTime.ts"
import { makeCarryOn } from "./carryOn.ts"
import { makeClaims } from "./claims.ts"
import { Placement } from "./Placement.ts"
import { Presence } from "./presence/Presence.ts"
import { ProcessMessages } from "./shards/messages.ts"
import { makeShards, type ShardsOptions } from "./shards/shards.ts"

/** Free runs that are read at most, to find those of this process's shards among them. */
const mostFree = 2000
/** A stop that is asked for again within that time has not been heard: then the database tells all processes. */
const heardMillis = 10_000

/** Requests to stop that are kept for a host that is behind. */
const mostStops = 4096

type Options = Pick<ShardsOptions, "keys" | "leaseSeconds" | "url">

const layer = (options: Options) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { leaseSeconds } = options
      const { attempt } = yield* Database
      const presence = yield* Presence
      const { withLock } = yield* Locks
      const clock = Clock.make()

      const handlers = new Set<(isMoving: (runId: RunId) => boolean) => Effect.Effect<void>>()
      const handOver = (isMoving: (runId: RunId) => boolean) =>
        Effect.forEach([...handlers], (give) => give(isMoving), { discard: true, concurrency: "unbounded" })

      const stops = yield* PubSub.sliding<RunId | null>(mostStops)
      const notified = (yield* Notifications).stop
      const requests = yield* notified.subscribe
      yield* Queue.take(requests).pipe(
        Effect.flatMap((runId) => PubSub.publish(stops, runId)),
        Effect.forever,
        Effect.forkScoped
      )

      const shards = yield* makeShards({
        ...options,
        handOver,
        onStop: (runId) => Effect.asVoid(PubSub.publish(stops, runId))
      })
      const { isHere } = shards
      yield* preferRuns((idBody) => isHere(`${prefixes.run}_${idBody}` as RunId))

      const claims = makeClaims({
        query: attempt,
        time: yield* SharedTime,
        leaseSeconds,
        owner: presence.processId
      })
      const term = BigInt(Math.round(leaseSeconds * 1e9))
      /** By kind: which runs have long been free although another process holds their shard. */
      const freeFor = new Map<RunKind | undefined, ReturnType<typeof makeFreeFor>>()

      const asked = new Map<RunId, number>()
      const publish = (runId: RunId) =>
        Effect.suspend(() => {
          const now = clock.unsafeCurrentTimeMillis()
          for (const [id, at] of asked) if (now - at > heardMillis) asked.delete(id)
          // A run may be elsewhere than its shard is, e.g. where it was decided about.
          if (isHere(runId) || asked.has(runId)) return notified.publish(runId)
          asked.set(runId, now)
          return shards.sendStop(runId).pipe(
            Effect.catchAllCause(() => notified.publish(runId)),
            Effect.forkDaemon,
            Effect.asVoid
          )
        })

      const placement = Placement.of({
        ...presence,
        ...claims,
        claimable: Effect.fnUntraced(function* (limit, kind, except = []) {
          const free = yield* claims.claimable(mostFree, kind, except)
          const elsewhere = free.filter((runId) => !isHere(runId))
          // A process that is started again has the runs of the one before it sooner than their shards.
          if (elsewhere.length > 0 && (yield* shards.isAlone)) return free.slice(0, limit)
          // The holder of its shard claims a free run within a second. One that stays free for three leases has no working holder.
          if (!freeFor.has(kind)) freeFor.set(kind, makeFreeFor(clock))
          const forgotten = freeFor.get(kind)!(elsewhere, 3n * term)
          return free.filter((runId) => isHere(runId) || forgotten.has(runId)).slice(0, limit)
        }),
        onHandOver: (handler) =>
          Effect.acquireRelease(
            Effect.sync(() => handlers.add(handler)),
            () => Effect.sync(() => handlers.delete(handler))
          ),
        stop: { publish, subscribe: PubSub.subscribe(stops) },
        singleton: shards.singleton,
        join: shards.join,
        leave: shards.leave,
        carryOn: makeCarryOn({ ...presence, withLock })
      })
      return Context.make(Placement, placement).pipe(Context.add(ProcessMessages, shards.messages))
    })
  )

/** The `@effect/cluster` adapter of the `Placement` port, and what answers the other processes. */
export const PlacementCluster = { layer }

/** Returns a function: of the runs given at each call, those that were given at every call for so many nanoseconds. */
function makeFreeFor(clock: Clock.Clock) {
  let since = new Map<RunId, bigint>()
  return (found: ReadonlyArray<RunId>, nanos: bigint): ReadonlySet<RunId> => {
    const now = clock.unsafeCurrentTimeNanos()
    since = new Map(found.map((runId) => [runId, since.get(runId) ?? now]))
    return new Set(found.filter((runId) => now - since.get(runId)! >= nanos))
  }
}
