/** Processes of the service as the tests of ledger and placement see them: in memory, and on a real Postgres. */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import { Database } from "../../../src/database/Database.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { Notifications } from "../../../src/database/Notifications.ts"
import { SharedTime } from "../../../src/database/SharedTime.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { LedgerPostgres } from "../../../src/ledger/postgres/LedgerPostgres.ts"
import { Placement } from "../../../src/placement/Placement.ts"
import { PlacementCluster } from "../../../src/placement/PlacementCluster.ts"
import { Heartbeats } from "../../../src/placement/presence/Heartbeats.ts"
import { Presence } from "../../../src/placement/presence/Presence.ts"
import { ProcessMessages } from "../../../src/placement/shards/messages.ts"
import { TestDatabase } from "../TestDatabase.ts"

/** The ledger of a process, and its placement. */
export type Process = Ledger["Type"] & Placement["Type"]

/** A process, and its two ends. */
export interface MortalProcess extends Process {
  /** It says no more that it is alive, and tidies nothing. */
  readonly die: Effect.Effect<void>
  /** It ends in order. */
  readonly end: Effect.Effect<void>
}

/** Makes processes on one store, with leases of so many seconds. */
export type Processes = (
  leaseSeconds: number
) => Effect.Effect<
  (processId: string) => Effect.Effect<MortalProcess, never, Scope.Scope>,
  never,
  Scope.Scope
>

/** The ports of a process that is built. */
export const processOf = (context: Context.Context<Ledger | Placement>): Process => ({
  ...Context.get(context, Ledger),
  ...Context.get(context, Placement)
})

/** The ports of a process as a layer. */
export const layerOf = (process: Process): Layer.Layer<Ledger | Placement> =>
  Layer.succeedContext(Context.make(Ledger, process).pipe(Context.add(Placement, process)))

/** The row of a run that the process claims, as it takes it up; none if it could not claim it. */
export const claimedBy = (process: Process, runId: RunId, options?: Parameters<Process["claim"]>[1]) =>
  Effect.gen(function* () {
    const claim = yield* process.claim(runId, options)
    const row = yield* process.claimed(runId)
    return Option.zipWith(claim, row, ({ epoch, released }, found) => ({
      ...found,
      leaseEpoch: epoch,
      released
    }))
  })

/** A scope that closes with the present one, or before. */
const ownScope = Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))

/** Processes on a store in memory. */
export const inMemory: Processes = (leaseSeconds) =>
  Effect.sync(() => {
    const store = memoryStore()
    return (processId) =>
      Effect.gen(function* () {
        const scope = yield* ownScope
        const built = yield* Layer.buildWithScope(
          LedgerMemory.layer({ owner: processId, store, leaseSeconds }),
          scope
        )
        return { ...processOf(built), die: Effect.void, end: Scope.close(scope, Exit.void) }
      })
  })

/** Processes on a Postgres database of their own. */
export const inPostgres: Processes = (leaseSeconds) =>
  Effect.map(Layer.build(TestDatabase), (context) =>
    processesOn(Context.get(context, Database), leaseSeconds)
  )

/** The encryption key of these processes. */
export const messagesKey = Buffer.alloc(32, 7)

/** Processes on this database, which serve the calls of each other at ports of their own. */
export const processesOn =
  (database: Database["Type"], leaseSeconds: number) =>
  (processId: string): Effect.Effect<MortalProcess & { readonly url: string }, never, Scope.Scope> =>
    Effect.gen(function* () {
      const scope = yield* ownScope
      const heart = yield* ownScope
      const ground = Layer.succeed(Database, database)
      const heartbeats = yield* Heartbeats.layer({ everySeconds: leaseSeconds / 3 }).pipe(
        Layer.provide(ground),
        Layer.buildWithScope(heart)
      )
      const server = yield* NodeHttpServer.make(() => createServer(), { host: "127.0.0.1", port: 0 }).pipe(
        Effect.orDie,
        Effect.provideService(Scope.Scope, scope)
      )
      const url = `http://127.0.0.1:${server.address._tag === "TcpAddress" ? server.address.port : 0}`
      const built = yield* LedgerPostgres.layer({
        pool: Effect.succeed(database.pool),
        owner: processId,
        leaseSeconds
      }).pipe(
        Layer.provideMerge(PlacementCluster.layer({ leaseSeconds, keys: [messagesKey], url })),
        Layer.provide(Layer.merge(Locks.layer, Notifications.layer({ self: processId }))),
        Layer.provide(Presence.layer({ processId, ttlSeconds: leaseSeconds })),
        Layer.provide(Layer.succeedContext(heartbeats)),
        Layer.provide(Layer.merge(ground, SharedTime.layer)),
        Layer.buildWithScope(scope)
      )
      const { answer } = Context.get(built, ProcessMessages)
      yield* Effect.provideService(server.serve(answer), Scope.Scope, scope)
      yield* Context.get(built, Placement).join
      const die = Scope.close(heart, Exit.void)
      return { ...processOf(built), url, die, end: Effect.zipRight(Scope.close(scope, Exit.void), die) }
    })
