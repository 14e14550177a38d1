/**
 * The runs of one kind that this process works on. Each has a worker in a fiber of its own, from its launch until it is
 * over, given back, or held by another process. What differs between kinds of run is the worker.
 */
import { Cause, Data, Deferred, type Duration, Effect, Fiber, Option, type Scope } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { isTerminal } from "../../schema/RunReport.ts"
import { isDatabaseDown } from "../database/DatabaseDown.ts"
import { retryStatementsFor } from "../database/retry.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import type { RequestedAction, RunLog } from "../ledger/run/RunLog.ts"
import { ofRun } from "../telemetry/ofRun.ts"
import { failRun } from "./failRun.ts"
import { heedStopWishes } from "./stopWishes.ts"

/** How a run came to this process: made by it, given back by another one, or left behind by one that was lost. */
export type RunOrigin = "new" | "released" | "lost"

/** A run that this process holds, as its worker sees it. */
export interface HeldRun<Ask extends { readonly type: string }> {
  readonly log: RunLog
  readonly found: RunOrigin
  /** Appends events, one call after the other, and keeps what the machine asks for then. A run that is over takes none. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** What the machine has asked for last, once. Undefined: nothing new, or the run is over. */
  readonly takeAsk: () => Ask | undefined
}

export interface Worker {
  /** Plays the run until it is over, or nothing is asked for any more: then it is given back. */
  readonly work: Effect.Effect<void, StaleRun, Scope.Scope>
  /** Asks for a stop at the next safe point. Ends once that stands in the ledger, or is moot. */
  readonly stop: Effect.Effect<void>
  /** Asks `work` to end at the next safe point, because the process ends. */
  readonly drain: Effect.Effect<void>
}

/** Nobody can go on with the run: it is closed as failed, which is never held against the partner. */
export class CannotGoOn extends Data.TaggedError("CannotGoOn")<{ readonly reason: string }> {}

export interface RunHostOptions<Ask extends { readonly type: string }, W extends Worker, R> {
  /** The ledger's term: for so long a run stands still while the database is away. */
  readonly leaseSeconds: number
  /** How long a worker may take to end when the process does; then it is interrupted. */
  readonly drainLimit: Duration.DurationInput
  /** Asks of another kind than `Ask` do not come: runs of a kind are folded by its machine only. */
  readonly employ: (run: HeldRun<Ask>) => Effect.Effect<W, CannotGoOn | StaleRun, R | Scope.Scope>
  /** After a run of this process was over. */
  readonly over?: (log: RunLog) => Effect.Effect<void, never, R>
}

export interface RunHost<W extends Worker> {
  /** A worker for a run that this process holds. One that worked on it under an earlier lease finds that out by itself. */
  readonly launch: (
    log: RunLog,
    asks: ReadonlyArray<RequestedAction>,
    found: RunOrigin
  ) => Effect.Effect<void>
  readonly has: (runId: RunId) => boolean
  readonly logOf: (runId: RunId) => RunLog | undefined
  /** Asks the run's worker to stop; false when it has none in this process. */
  readonly cancel: (runId: RunId) => Effect.Effect<boolean>
  /** A question to the run's worker. Undefined: it has none here. None: it ended, or did not answer in time. */
  readonly ask: <A>(
    runId: RunId,
    question: (worker: W) => Effect.Effect<A>
  ) => Effect.Effect<Option.Option<A> | undefined>
  /** Those that are at work now. */
  readonly workers: () => ReadonlyArray<W>
}

/** How long a worker may take to answer, before its caller is answered anyway. */
const answerLimit = "5 seconds"

interface Member<W> {
  readonly log: RunLog
  readonly employed: Deferred.Deferred<W>
  worker: W | undefined
  readonly fiber: Fiber.Fiber<void>
}

/** Lives as long as the scope: at its end runs are drained and given back. Wishes to stop that other processes pass on are heeded. */
export const makeRunHost = <Ask extends { readonly type: string }, W extends Worker, R>({
  drainLimit,
  employ,
  leaseSeconds,
  over = () => Effect.void
}: RunHostOptions<Ask, W, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const members = new Map<RunId, Member<W>>()

    const launch: RunHost<W>["launch"] = Effect.fn("RunHost.launch")(function* (log, asks, found) {
      const { runId } = log.facts
      const employed = yield* Deferred.make<W>()
      const started = yield* Deferred.make<Member<W>>()
      const run = yield* holdRun<Ask>(log, asks, found)
      const work = Effect.gen(function* () {
        const worker = yield* employ(run)
        const member = yield* Deferred.await(started)
        member.worker = worker
        yield* Deferred.succeed(employed, worker)
        yield* worker.work
      }).pipe(
        Effect.scoped,
        Effect.zipRight(log.close("released")),
        Effect.catchTags({
          // Another process owns the run: forget it.
          StaleRun: ({ message }) => Effect.zipRight(Effect.logWarning(message), log.close("kept")),
          CannotGoOn: ({ reason }) => failRun(log, reason)
        }),
        Effect.catchAllDefect((defect) => letGo(log, defect)),
        Effect.zipRight(
          Effect.suspend(() => (isTerminal(log.row().snapshot.view.status) ? over(log) : Effect.void))
        ),
        // The process ends and would not wait: what is open stays open, and the process that takes the run over sees it.
        Effect.onInterrupt(() => log.close("released")),
        retryStatementsFor(leaseSeconds),
        Effect.provide(context),
        ofRun(runId)
      )
      // A worker under a later lease may have taken the place.
      const leave = Effect.sync(() => members.get(runId)?.log === log && members.delete(runId))
      const fiber = yield* Effect.forkDaemon(
        Deferred.await(started).pipe(Effect.zipRight(Effect.interruptible(work)), Effect.ensuring(leave))
      )
      const member: Member<W> = { log, employed, worker: undefined, fiber }
      members.set(runId, member)
      yield* Deferred.succeed(started, member)
    })

    const ask: RunHost<W>["ask"] = (runId, question) => {
      const member = members.get(runId)
      if (member === undefined) return Effect.succeed(undefined)
      const answer = Effect.asSome(Effect.flatMap(Deferred.await(member.employed), question))
      return Effect.map(
        Effect.timeoutOption(
          Effect.raceFirst(answer, Effect.as(Fiber.await(member.fiber), Option.none())),
          answerLimit
        ),
        Option.flatten
      )
    }

    const workers = () => [...members.values()].flatMap(({ worker }) => worker ?? [])

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const fibers = [...members.values()].map(({ fiber }) => fiber)
        yield* Effect.forEach(workers(), ({ drain }) => drain, { discard: true })
        // A finalizer cannot be interrupted, and so its waiting would not end in time.
        yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber), { discard: true }).pipe(
          Effect.interruptible,
          Effect.timeoutOption(drainLimit)
        )
        yield* Fiber.interruptAll(fibers)
      })
    )

    const host: RunHost<W> = {
      launch,
      has: (runId) => members.has(runId),
      logOf: (runId) => members.get(runId)?.log,
      cancel: (runId) =>
        Effect.map(
          ask(runId, ({ stop }) => stop),
          (asked) => asked !== undefined
        ),
      ask,
      workers
    }
    yield* heedStopWishes(host.cancel)
    return host
  })

/** `asks`: what the machine asked for when the run was made or taken up. */
export const holdRun = <Ask extends { readonly type: string }>(
  log: RunLog,
  asks: ReadonlyArray<RequestedAction>,
  found: RunOrigin
): Effect.Effect<HeldRun<Ask>> =>
  Effect.map(Effect.makeSemaphore(1), (turn) => {
    let ask = asks.at(-1) as Ask | undefined
    const isOver = () => isTerminal(log.row().snapshot.view.status)
    return {
      log,
      found,
      record: (drafts) =>
        turn.withPermits(1)(
          Effect.suspend(() => (isOver() ? Effect.succeed([]) : log.record(drafts))).pipe(
            Effect.map((asked) => {
              ask = (asked.at(-1) as Ask | undefined) ?? ask
            })
          )
        ),
      takeAsk: () => {
        const taken = isOver() ? undefined : ask
        ask = undefined
        return taken
      }
    }
  })

/** After a defect of ours. While the database is away nothing can be written down: whoever finds the run goes on with it, or asks. */
function letGo(log: RunLog, defect: unknown): Effect.Effect<void> {
  const { kind, runId } = log.facts
  return isDatabaseDown(Cause.die(defect))
    ? Effect.zipRight(
        Effect.logWarning(`The ${kind} run ${runId} is given back: the database is away`),
        log.close("released")
      )
    : Effect.zipRight(
        Effect.logError(`The ${kind} run ${runId} cannot go on`, Cause.die(defect)),
        failRun(log, "A fault of ours; the log of the service says which")
      )
}
