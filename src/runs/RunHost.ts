/**
 * The runs of one kind that this process works on. Each has a worker in a fiber of its own, from its launch until the run
 * is over, released, or held by another process. Kinds of run differ in their worker.
 */
import {
  Cause,
  Data,
  Deferred,
  type Duration,
  Effect,
  Fiber,
  Option,
  Runtime,
  type Scope,
  type Tracer
} from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { isTerminal } from "../../schema/RunReport.ts"
import { isDatabaseDown } from "../database/DatabaseDown.ts"
import { retryStatementsFor } from "../database/retry.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import type { AnyContext } from "../ledger/run/machineTable.ts"
import type { RequestedAction } from "../ledger/run/RunKind.ts"
import type { RunLog } from "../ledger/run/RunLog.ts"
import { makeTurn } from "../ledger/run/turn.ts"
import { Placement } from "../placement/Placement.ts"
import { ofRun } from "../telemetry/ofRun.ts"
import { traced } from "../telemetry/traced.ts"
import { failRun } from "./failRun.ts"
import { cancelOnStopRequest } from "./stopRequests.ts"

/** How a run came to this process: created here, released by another process, or left behind by one that was lost. */
type RunOrigin = "new" | "released" | "lost"

/** A run that this process holds, as its worker sees it. */
export interface HeldRun<Action extends RequestedAction, Context = AnyContext> {
  readonly log: RunLog<Action, Context>
  readonly origin: RunOrigin
  /** Appends events and keeps the action that the machine then requests. Calls are serialised. A run that is over appends nothing. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** The same for events that may wait for the next `record`, as `RunLog.buffer` says. */
  readonly buffer: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** Takes the latest action that the machine requested. Undefined if there is no new one, or the run is over. */
  readonly takeAction: () => Action | undefined
}

/** What works on one run. */
export interface Worker {
  /** Works on the run until it is over, or the machine requests nothing more: then the host releases the run. */
  readonly work: Effect.Effect<void, StaleRun, Scope.Scope>
  /** Requests a stop at the next safe point. Completes when the request is in the ledger or no longer matters. */
  readonly stop: Effect.Effect<void>
  /** Requests that `work` end at the next safe point, because the process shuts down. */
  readonly drain: Effect.Effect<void>
}

/** No process can continue the run: it is closed as failed, which is never held against the partner. */
export class CannotGoOn extends Data.TaggedError("CannotGoOn")<{ readonly reason: string }> {}

/** How a host makes workers for its kind of run, and how long it waits for them. */
interface RunHostOptions<Action extends RequestedAction, W extends Worker, R, Context> {
  /** Duration of a lease; a run pauses for at most so long while the database is unavailable. */
  readonly leaseSeconds: number
  /** How long a worker may take to end when the process shuts down; then it is interrupted. */
  readonly drainLimit: Duration.DurationInput
  /** Makes the worker of a run. */
  readonly makeWorker: (
    run: HeldRun<Action, Context>
  ) => Effect.Effect<W, CannotGoOn | StaleRun, R | Scope.Scope>
  /** Called after a run of this process is over. */
  readonly onOver?: (log: RunLog) => Effect.Effect<void, never, R>
}

/** The runs of one kind in this process, by id. */
export interface RunHost<Action extends RequestedAction, W extends Worker> {
  /** A worker for a run that this process holds. One that worked on it under an earlier lease finds that out by itself. */
  readonly launch: (
    log: RunLog<Action>,
    actions: ReadonlyArray<Action>,
    origin: RunOrigin
  ) => Effect.Effect<void>
  readonly has: (runId: RunId) => boolean
  /** The log of a run that has a worker in this process. */
  readonly logOf: (runId: RunId) => RunLog | undefined
  /** Asks the run's worker to stop; false if it has none in this process. */
  readonly cancel: (runId: RunId) => Effect.Effect<boolean>
  /** Calls the run's worker. Undefined if it has none in this process; None if it ended or did not answer within 5 seconds. */
  readonly callWorker: <A>(
    runId: RunId,
    question: (worker: W) => Effect.Effect<A>
  ) => Effect.Effect<Option.Option<A> | undefined>
  /** The workers in this process. */
  readonly workers: () => ReadonlyArray<W>
}

/** How long `callWorker` waits for a worker's answer. */
const answerLimit = "5 seconds"

interface Member<W> {
  readonly log: RunLog
  readonly ready: Deferred.Deferred<W>
  worker: W | undefined
  /** Other processes are to work on it: a worker that is still being made is asked to drain as soon as it is there. */
  isLeaving: boolean
  readonly fiber: Fiber.Fiber<void>
}

/**
 * A host that lives as long as the scope: when it closes, runs are drained and released. It also obeys stop requests that other
 * processes pass on.
 */
export const makeRunHost = Effect.fnUntraced(function* <
  Action extends RequestedAction,
  W extends Worker,
  R,
  Context = AnyContext
>({
  drainLimit,
  makeWorker,
  leaseSeconds,
  onOver = () => Effect.void
}: RunHostOptions<Action, W, R, Context>) {
  const runtime = yield* Effect.runtime<R>()
  const members = new Map<RunId, Member<W>>()
  let draining = false

  const launch: RunHost<Action, W>["launch"] = traced("RunHost.launch")(function* (log, actions, origin) {
    const { runId } = log.facts
    const ready = yield* Deferred.make<W>()
    const started = yield* Deferred.make<Member<W>>()
    const run = yield* holdRun(log, actions, origin)
    const work = Effect.gen(function* () {
      const worker = yield* makeWorker(run)
      const member = yield* Deferred.await(started)
      member.worker = worker
      if (draining || member.isLeaving) yield* worker.drain
      yield* Deferred.succeed(ready, worker)
      yield* worker.work
      yield* log.record([])
    }).pipe(
      Effect.scoped,
      Effect.zipRight(log.close("released")),
      Effect.catchTags({
        // Another process owns the run: forget it.
        StaleRun: ({ message }) => Effect.zipRight(Effect.logWarning(message), log.close("expiring")),
        CannotGoOn: ({ reason }) => failRun(log, reason)
      }),
      Effect.catchAllDefect((defect) => releaseOrFail(log, defect)),
      Effect.zipRight(
        Effect.suspend(() => (isTerminal(log.row().snapshot.view.status) ? onOver(log) : Effect.void))
      ),
      // The drain limit has passed: open exchanges stay open in the ledger, where the next process finds them.
      Effect.onInterrupt(() => log.close("released")),
      retryStatementsFor(leaseSeconds),
      inTraceOf(yield* Effect.option(Effect.currentParentSpan)),
      ofRun(runId)
    )
    // A worker under a later lease may have taken the place.
    const leave = Effect.sync(() => members.get(runId)?.log === log && members.delete(runId))
    // In the runtime of the host: a fiber of the caller's would keep its request in memory for as long as the run lives.
    const fiber = Runtime.runFork(runtime)(
      Deferred.await(started).pipe(Effect.zipRight(work), Effect.ensuring(leave))
    )
    const member: Member<W> = { log, ready, worker: undefined, isLeaving: false, fiber }
    members.set(runId, member)
    yield* Deferred.succeed(started, member)
  })

  const callWorker: RunHost<Action, W>["callWorker"] = (runId, question) => {
    const member = members.get(runId)
    if (member === undefined) return Effect.succeed(undefined)
    const answer = Effect.asSome(Effect.flatMap(Deferred.await(member.ready), question))
    return Effect.map(
      Effect.timeoutOption(
        Effect.raceFirst(answer, Effect.as(Fiber.await(member.fiber), Option.none())),
        answerLimit
      ),
      Option.flatten
    )
  }

  const workers = () => [...members.values()].flatMap(({ worker }) => worker ?? [])

  const giveBack = Effect.fnUntraced(function* (leaving: ReadonlyArray<Member<W>>) {
    const fibers = leaving.map(({ fiber }) => fiber)
    for (const member of leaving) member.isLeaving = true
    yield* Effect.forEach(
      leaving.flatMap(({ worker }) => worker ?? []),
      ({ drain }) => drain,
      { discard: true }
    )
    // A finalizer is uninterruptible, so the time-out needs an interruptible wait.
    yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber), { discard: true }).pipe(
      Effect.interruptible,
      Effect.timeoutOption(drainLimit)
    )
    yield* Fiber.interruptAll(fibers)
  })

  const { leave, onHandOver } = yield* Placement
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      // Also what is launched from now on.
      draining = true
      return Effect.zipRight(leave, giveBack([...members.values()]))
    })
  )

  const host: RunHost<Action, W> = {
    launch,
    has: (runId) => members.has(runId),
    logOf: (runId) => members.get(runId)?.log,
    cancel: (runId) =>
      Effect.map(
        callWorker(runId, ({ stop }) => stop),
        (asked) => asked !== undefined
      ),
    callWorker,
    workers
  }
  yield* cancelOnStopRequest(host.cancel)
  yield* onHandOver((isMoving) => giveBack([...members].filter(([id]) => isMoving(id)).map(([, of]) => of)))
  return host
})

/** The work belongs to the trace of the request that ordered it. */
const inTraceOf =
  (parent: Option.Option<Tracer.AnySpan>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Option.isSome(parent) ? Effect.withParentSpan(work, parent.value) : work

/** The run as its worker sees it. `actions`: the actions that the machine requested when the run was created or claimed. */
export const holdRun = <Action extends RequestedAction>(
  log: RunLog<Action>,
  actions: ReadonlyArray<Action>,
  origin: RunOrigin
): Effect.Effect<HeldRun<Action>> =>
  Effect.sync(() => {
    const turn = makeTurn()
    let requested = actions.at(-1)
    const isOver = () => isTerminal(log.row().snapshot.view.status)
    const keepingAction = (write: RunLog<Action>["record"]) => (drafts: ReadonlyArray<EventDraft>) =>
      turn.inTurn(
        Effect.suspend(() => (isOver() ? Effect.succeed([]) : write(drafts))).pipe(
          Effect.map((recorded) => {
            requested = recorded.at(-1) ?? requested
          })
        )
      )
    return {
      log,
      origin,
      record: keepingAction(log.record),
      buffer: keepingAction(log.buffer),
      takeAction: () => {
        const taken = isOver() ? undefined : requested
        requested = undefined
        return taken
      }
    }
  })

/**
 * Handles a defect of the worker: fails the run. While the database is unavailable it only releases the run, so that another
 * claim can resume it.
 */
function releaseOrFail(log: RunLog, defect: unknown): Effect.Effect<void> {
  const { kind, runId } = log.facts
  return isDatabaseDown(Cause.die(defect))
    ? Effect.zipRight(
        Effect.logWarning(`The ${kind} run ${runId} is given back: the database is away`),
        log.close("released")
      )
    : Effect.zipRight(
        Effect.logError(`The ${kind} run ${runId} cannot go on`, Cause.die(defect)),
        failRun(log, "An internal error of the service; its log names the cause")
      )
}
