/** A run in its owner's memory: one append at a time, and nobody else sees a line before the ledger has it. */
import { Cause, Effect, Fiber, Option, type Scope } from "effect"
import { isTerminal } from "../../../schema/RunReport.ts"
import { briefly, forSeconds } from "../../database/retry.ts"
import type { Placement } from "../../placement/Placement.ts"
import { countEnd } from "../../telemetry/measures.ts"
import { traced } from "../../telemetry/traced.ts"
import { type EventDraft, type Ledger, type RunFacts, StaleRun } from "../Ledger.ts"
import { snapshotOf } from "./foldRun.ts"
import {
  type Clean,
  cleanDrafts,
  type LineCleaner,
  nothingPending,
  type OwnedState,
  type Prepared,
  prepareLines
} from "./prepareLines.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"
import type { RunLog } from "./RunLog.ts"
import { makeTurn } from "./turn.ts"

/** So many lines are written together at most, and none waits for longer. */
const mostBuffered = 50
const bufferedFor = "10 millis"

/** Drafts to write, and their lines once they are made. */
interface Job<Action extends RequestedAction> {
  readonly drafts: ReadonlyArray<EventDraft>
  /** As of `Batch`. */
  readonly heardUntil: number
  /** The lines may wait for others. */
  readonly isBuffered: boolean
  prepared: (Ahead & { readonly actions: ReadonlyArray<Action>; readonly isWritten: boolean }) | undefined
}

/** Drafts of one call, as they were given, and when that was. */
interface Batch {
  readonly drafts: ReadonlyArray<EventDraft>
  readonly now: string
  /** When the latest that others have sent, which can be in them, was received; by `performance.now()`. */
  readonly heardUntil: number
}

/**
 * Lines that bring nothing which was not searched for tokens after it was heard. An intent was built when the tokens were read last
 * (`PartnerCalls.prepare`), before the request was sent; a call of the partner was searched by the store as it came (`PartyStore.record`);
 * the others are made of the lines before them.
 */
const bringsNothingNew: ReadonlySet<EventDraft["type"]> = new Set<EventDraft["type"]>([
  "exchange.intended",
  "inbound.received",
  "stage.started",
  "stage.completed",
  "stage.failed",
  "stage.skipped",
  "wait.started",
  "wait.satisfied",
  "wait.expired",
  "assertions.recorded"
])

/** When the latest that others have sent, which can be in these drafts, was received: tokens that were learnt by then must be removed. */
const lastHeard = (drafts: ReadonlyArray<EventDraft>): number =>
  drafts.every(({ type }) => bringsNothingNew.has(type)) ? 0 : performance.now()

/** Lines that the ledger does not have yet, what they are made of, and the state with them. */
interface Ahead extends Pick<Prepared<never>, "lines" | "next"> {
  readonly batches: ReadonlyArray<Batch>
  readonly eventIds: ReadonlySet<string>
}

/** What a run in its owner's memory needs. */
interface OwnedRunOptions<Action extends RequestedAction> {
  readonly ledger: Ledger["Type"]
  readonly placement: Placement["Type"]
  readonly cleaner: ReturnType<LineCleaner>
  readonly kind: RunKindOf<Action>
  readonly facts: RunFacts
  readonly epoch: number
  readonly state: OwnedState
  /** The scope of the process: an append outlives an interrupted caller. */
  readonly scope: Scope.Scope
  /** Is the lease still valid, as far as this process knows? */
  readonly leaseAlive: () => boolean
  /** Called once the process works on the run no more: it has closed the log, given the run up, or found another owner. */
  readonly onEnd: () => void
  /** Called after each append, when `row` has it. */
  readonly onAppend: () => void
  /** How long an append is retried while the ledger cannot be written. */
  readonly patienceSeconds: number
  /** Called before `onEnd` when that time is over. */
  readonly onGiveUp: () => void
  readonly stalled: boolean
}

/** The log of a run that this process has just created or claimed. */
export const makeOwnedRun = Effect.fnUntraced(function* <Action extends RequestedAction>(
  options: OwnedRunOptions<Action>
): Effect.fn.Return<RunLog<Action>> {
  const { cleaner, epoch, facts, kind, ledger, placement, scope } = options
  const turn = makeTurn()
  /** What the ledger has acknowledged. */
  let state = options.state
  let ahead: Ahead | undefined
  /**
   * Removes the tokens from everything in `ahead`. The party may have newer ones by now: `prepared` reads them again before
   * anything is written.
   */
  let clean: Clean | undefined
  let isFlushDue = false
  let closed = false

  const stale = (message: string) => new StaleRun({ runId: facts.runId, message })

  const giveUp = (error: StaleRun) =>
    Effect.suspend(() => {
      closed = true
      options.onEnd()
      return error
    })

  const withBatch = (before: Ahead | undefined, batch: Batch, by: Clean) => {
    const {
      next: from,
      lines: earlier,
      eventIds: pending = nothingPending
    } = before ?? { next: state, lines: [] }
    const { actions, lines, next } = prepareLines({ kind, facts }, from, {
      drafts: cleanDrafts(by, batch.drafts),
      now: batch.now,
      pending
    })
    return {
      actions,
      next,
      lines: [...earlier, ...lines],
      batches: [...(before?.batches ?? []), batch],
      eventIds: new Set([...pending, ...lines.map(({ eventId }) => eventId)])
    }
  }

  /**
   * The lines to write or to buffer: the buffered ones, and those of the drafts. Secrets are read before something is
   * written; if there are others by then, what was buffered is made again from what the ledger has.
   */
  const prepared = Effect.fnUntraced(function* ({ drafts, heardUntil, isBuffered }: Job<Action>) {
    const isWritten = !isBuffered || (ahead?.lines.length ?? 0) + drafts.length >= mostBuffered
    const isNothing = drafts.length === 0 && ahead === undefined
    if (clean === undefined || (isWritten && !isNothing)) {
      const latest: Clean = yield* cleaner(
        Math.max(heardUntil, ...(ahead?.batches.map((batch) => batch.heardUntil) ?? []))
      )
      if (latest !== clean)
        ahead = ahead?.batches.reduce<Ahead | undefined>(
          (made, batch) => withBatch(made, batch, latest),
          undefined
        )
      clean = latest
    }
    return { ...withBatch(ahead, { drafts, now: yield* ledger.now, heardUntil }, clean), isWritten }
  })

  /** What is buffered does not wait for long: its evidence is not lost if the next step takes its time. */
  const flushSoon = Effect.suspend(() => {
    if (isFlushDue) return Effect.void
    isFlushDue = true
    return Effect.sleep(bufferedFor).pipe(
      Effect.zipRight(
        Effect.suspend(() => {
          isFlushDue = false
          return ahead === undefined ? Effect.void : perform({ drafts: [], isBuffered: false })
        })
      ),
      // The run's worker fails with the same at its next line.
      Effect.ignore,
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  })

  /** One attempt. All attempts write the same lines, because an earlier one may have been committed and its answer lost. */
  const write = Effect.fnUntraced(function* (job: Job<Action>) {
    if (closed) return yield* stale(`run ${facts.runId} is no longer held by this process`)
    job.prepared ??= yield* prepared(job)
    const { actions, isWritten, lines, next } = job.prepared
    if (lines.length === 0) return []
    if (isTerminal(state.folded.view.status)) {
      return yield* stale(`run ${facts.runId} is over: nothing more is written`)
    }
    if (!isWritten) {
      ahead = job.prepared
      yield* flushSoon
      return actions
    }
    yield* Effect.catchTag(
      ledger.append({
        runId: facts.runId,
        expectedSequence: state.events.length,
        epoch,
        lines,
        headHash: next.headHash,
        snapshot: snapshotOf(next.folded)
      }),
      "StaleRun",
      giveUp
    )
    for (const { eventId } of lines) next.eventIds.add(eventId)
    state = next
    ahead = undefined
    const { status, verdict } = state.folded.view
    if (isTerminal(status)) countEnd(facts.kind, status, verdict)
    options.onAppend()
    return actions
  })

  /**
   * Any process may claim the run at once. The one that does tries to write in its turn, so that the run continues as soon as the
   * ledger takes lines again. While the database cannot be reached nothing is said, and the run is free when its lease ends.
   */
  const offerToOthers = placement.giveUp(facts.runId, epoch).pipe(Effect.ignore, Effect.forkIn(scope))

  /**
   * Further attempts, for as long as the lease lasts. A process must not keep a run that it cannot write; the next owner
   * finds in the ledger which lines were committed.
   */
  const writeAgain = (job: Job<Action>) =>
    write(job).pipe(
      Effect.retry({
        schedule: forSeconds(options.patienceSeconds),
        while: ({ _tag }) => _tag === "DatabaseDown" && !closed
      }),
      Effect.catchTag("DatabaseDown", () => {
        const end = giveUp(stale(`run ${facts.runId} was let go while the ledger could not be written`))
        if (closed) return end
        options.onGiveUp()
        return Effect.zipRight(offerToOthers, end)
      })
    )

  /**
   * An attempt that was begun ends even if the caller is interrupted: the state in memory must not fall behind the ledger.
   * The further ones do without the caller.
   */
  const perform = (
    asked: Pick<Job<Action>, "drafts" | "isBuffered">
  ): Effect.Effect<ReadonlyArray<Action>, StaleRun> =>
    turn.hold((restore, pass) => {
      const job: Job<Action> = { ...asked, heardUntil: lastHeard(asked.drafts), prepared: undefined }
      return Effect.matchCauseEffect(write(job), {
        onSuccess: (actions) => {
          pass()
          return Effect.succeed(actions)
        },
        onFailure: (cause) => {
          const failure = Cause.failureOption(cause)
          if (Option.isSome(failure) && failure.value._tag === "DatabaseDown")
            return writeAgain(job).pipe(
              Effect.interruptible,
              Effect.ensuring(Effect.sync(pass)),
              Effect.forkIn(scope),
              Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
            )
          pass()
          return Effect.failCause(cause as Cause.Cause<StaleRun>)
        }
      })
    })

  return {
    facts,
    epoch,
    stalled: options.stalled,
    row: () => ({
      facts,
      snapshot: snapshotOf(state.folded),
      headHash: state.headHash,
      leaseEpoch: epoch,
      leaseAlive: options.leaseAlive(),
      released: false,
      archived: false
    }),
    machine: () => (ahead?.next ?? state).folded.machine,
    events: () => (ahead?.next ?? state).events,
    record: (drafts) => perform({ drafts, isBuffered: false }),
    buffer: (drafts) => perform({ drafts, isBuffered: true }),
    close: traced("RunLog.close")(function* (lease: "released" | "expiring") {
      closed = true
      // Wait for the end of a current append.
      yield* turn.inTurn(Effect.void)
      options.onEnd()
      // If the database is away the lease is not given back; it simply runs out.
      if (lease === "released")
        yield* placement.release(facts.runId, epoch).pipe(Effect.retry(briefly), Effect.ignore)
    })
  }
})
