/** Placement in memory: the same contract, for one process or for several layers over one store. */
import { Effect, Fiber, Layer, Option, Queue, type Scope } from "effect"
import type { OwnerId, RunId } from "../../schema/Ids.ts"
import { isTerminal, type RunKind, type RunStatus } from "../../schema/RunReport.ts"
import { makeCarryOn } from "./carryOn.ts"
import { Placement } from "./Placement.ts"
import { restartOnFailure } from "./shards/restartOnFailure.ts"
import { makeUnheldRuns } from "./UnheldRuns.ts"

/** A run as placement stores it: its owner, the epoch of its claim and the end of its lease. */
interface StoredPlace {
  readonly runId: RunId
  readonly ownerId: OwnerId
  readonly kind: RunKind
  status: RunStatus
  epoch: number
  by: string | null
  /** Milliseconds of the store's clock; `Infinity`: for as long as its process is alive. */
  until: number
}

interface StoredProcess {
  readonly startedAt: number
  /** Milliseconds of the store's clock. */
  until: number
}

/** The data that several layers share, each of which stands for a process. */
export class PlacementStore {
  readonly runs = new Map<RunId, StoredPlace>()
  readonly processes = new Map<string, StoredProcess>()
  readonly listeners = new Map<Queue.Queue<RunId | null>, string>()
  readonly lock = Effect.unsafeMakeSemaphore(1)
  /** One semaphore for each singleton, by its name. The process that runs the singleton has the permit. */
  readonly singletons = new Map<string, Effect.Semaphore>()

  /** Does a process work on the run? */
  isHeld({ by, until }: StoredPlace, now: number): boolean {
    if (by === null || until <= now) return false
    return until < Number.POSITIVE_INFINITY || (this.processes.get(by)?.until ?? 0) > now
  }

  /** Renews the term of a process that takes a run: it is alive, even if its heartbeat is late. */
  nowAlive(processId: string, until: number): void {
    const known = this.processes.get(processId)
    if (known !== undefined) known.until = Math.max(known.until, until)
  }
}

/** Defaults: a lease of 15 s, the process `memory`, an empty store. */
interface PlacementMemoryOptions {
  readonly leaseSeconds?: number
  readonly processId?: string
  readonly store?: PlacementStore
}

/** The placement of one process, which is known to the others until the scope closes. */
export const makePlacementMemory = Effect.fnUntraced(function* ({
  leaseSeconds = 15,
  processId = "memory",
  store = new PlacementStore()
}: PlacementMemoryOptions = {}): Effect.fn.Return<Placement["Type"], never, Scope.Scope> {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  const nowMillis = () => clock.unsafeCurrentTimeMillis()
  const isoOf = (millis: number) => new Date(millis).toISOString()
  const term = leaseSeconds * 1000
  const { listeners, processes, runs } = store
  yield* Effect.acquireRelease(
    Effect.sync(() => processes.set(processId, { startedAt: nowMillis(), until: nowMillis() + term })),
    () => Effect.sync(() => processes.delete(processId))
  )

  const isAlive = (id: string) => id === processId || (processes.get(id)?.until ?? 0) > nowMillis()
  const isFree = (run: StoredPlace) => !store.isHeld(run, nowMillis())
  const unheld = makeUnheldRuns(leaseSeconds, clock)
  let lastKept = clock.unsafeCurrentTimeNanos()
  /** Since when nobody works on a free run. */
  const freeSince = ({ by, until }: StoredPlace) => Math.min(until, processes.get(by ?? "")?.until ?? until)
  const isOpen = ({ status }: StoredPlace) => !isTerminal(status)
  const newestFirst = () => [...runs.values()].sort((a, b) => (a.runId < b.runId ? 1 : -1))
  const living = Effect.sync(() => new Set([processId, ...processes.keys()].filter(isAlive)))

  return Placement.of({
    processId,
    living,
    known: Effect.sync(() =>
      [...processes]
        .map(([id, { startedAt, until }]) => ({
          id,
          startedAt: isoOf(startedAt),
          alive: isAlive(id),
          aliveUntil: isoOf(until)
        }))
        .sort((a, b) => Number(b.alive) - Number(a.alive) || (a.startedAt < b.startedAt ? 1 : -1))
    ),
    claimable: (limit, kind, except = []) =>
      Effect.sync(() =>
        newestFirst()
          .filter((run) => isOpen(run) && run.status !== "interrupted" && isFree(run))
          .filter((run) => kind === undefined || run.kind === kind)
          .filter(({ runId }) => !except.includes(runId))
          .sort((a, b) => freeSince(a) - freeSince(b))
          .slice(0, limit)
          .map(({ runId }) => runId)
      ),
    claim: (runId, { fromInterrupted = false, kind } = {}) =>
      Effect.sync(() => {
        const run = runs.get(runId)
        if (run === undefined || !isOpen(run) || !isFree(run)) return Option.none()
        if (run.status === "interrupted" && !fromInterrupted) return Option.none()
        if (kind !== undefined && run.kind !== kind) return Option.none()
        const released = run.by === null
        store.nowAlive(processId, nowMillis() + term)
        Object.assign(run, { epoch: run.epoch + 1, by: processId, until: Number.POSITIVE_INFINITY })
        return Option.some({ runId, epoch: run.epoch, released })
      }),
    keep: (held) =>
      Effect.sync(() => {
        // Its only heartbeat.
        lastKept = clock.unsafeCurrentTimeNanos()
        store.nowAlive(processId, nowMillis() + term)
        const heldIds = new Set(held.map(({ runId }) => runId))
        const left = [...runs.values()].filter(
          (run) =>
            run.by === processId &&
            run.until === Number.POSITIVE_INFINITY &&
            isOpen(run) &&
            !heldIds.has(run.runId)
        )
        for (const { runId } of unheld.due(left)) runs.get(runId)!.until = nowMillis()
        return held
          .filter(({ epoch, runId }) => {
            const run = runs.get(runId)
            return run?.epoch !== epoch || run.by !== processId
          })
          .map(({ runId }) => runId)
      }),
    dropped: unheld.dropped,
    join: Effect.void,
    leave: Effect.void,
    onHandOver: () => Effect.void,
    age: () => clock.unsafeCurrentTimeNanos() - lastKept,
    release: (runId, epoch) =>
      Effect.sync(() => {
        const run = runs.get(runId)
        if (run?.epoch === epoch && run.by === processId) Object.assign(run, { by: null, until: nowMillis() })
      }),
    giveUp: (runId, epoch) =>
      Effect.sync(() => {
        const run = runs.get(runId)
        if (run?.epoch === epoch && run.by === processId) run.until = Math.min(run.until, nowMillis())
      }),
    leases: ({ cursor, kind, limit, ownerId }) =>
      Effect.sync(() =>
        newestFirst()
          .filter((run) => run.ownerId === ownerId && isOpen(run))
          .filter((run) => kind === undefined || run.kind === kind)
          .filter(({ runId }) => cursor === undefined || runId < cursor)
          .slice(0, limit)
          .map((run) => ({
            runId: run.runId,
            kind: run.kind,
            epoch: run.epoch,
            processId: run.by,
            valid: !isFree(run),
            until: isoOf(
              run.until === Number.POSITIVE_INFINITY
                ? (processes.get(run.by ?? "")?.until ?? nowMillis())
                : run.until
            )
          }))
      ),
    stop: {
      publish: (runId) =>
        Effect.forEach(
          [...listeners].filter(([, id]) => id !== processId),
          ([queue]) => Queue.offer(queue, runId),
          { discard: true }
        ),
      subscribe: Effect.acquireRelease(
        Effect.tap(Queue.unbounded<RunId | null>(), (queue) =>
          Effect.sync(() => listeners.set(queue, processId))
        ),
        (queue) => Effect.sync(() => listeners.delete(queue))
      )
    },
    singleton: (name, work) =>
      Effect.suspend(() => {
        const { singletons } = store
        if (!singletons.has(name)) singletons.set(name, Effect.unsafeMakeSemaphore(1))
        const atWork = Effect.scoped(Effect.zipRight(restartOnFailure(name, work), Effect.never))
        const inTurn = singletons.get(name)!.withPermits(1)(atWork)
        return Effect.acquireRelease(Effect.forkIn(Effect.interruptible(inTurn), scope), Fiber.interrupt)
      }),
    // One lock for all names: two works are rarely taken at the same time.
    carryOn: makeCarryOn({ processId, living, withLock: (_, body) => store.lock.withPermits(1)(body) })
  })
})

/** The in-memory adapter of the `Placement` port. */
export const PlacementMemory = {
  layer: (options?: PlacementMemoryOptions): Layer.Layer<Placement> =>
    Layer.scoped(Placement, makePlacementMemory(options))
}
