/** A run in its owner's memory: one append at a time, and nobody else sees a line before the ledger has it. */
import { Cause, Effect, Fiber, Option, type Scope } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { briefly, forSeconds } from "../../database/retry.ts"
import { countEnd } from "../../telemetry/measures.ts"
import { traced } from "../../telemetry/traced.ts"
import { type EventDraft, type Ledger, type Line, type RunFacts, StaleRun } from "../Ledger.ts"
import { type Folded, foldEvent, snapshotOf } from "./foldRun.ts"
import { eventIdOf, lineOf } from "./ledgerLine.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"
import type { RunLog } from "./RunLog.ts"

/** The state of a run after its last acknowledged append. */
export interface OwnedState {
  readonly folded: Folded
  readonly headHash: string
  readonly events: ReadonlyArray<LedgerEvent>
  /** Of the lines that the ledger has acknowledged. The run's owner adds to it; it is the same set in each state. */
  readonly eventIds: Set<string>
}

/** Lines made from drafts, and the state once they are written. */
export interface Prepared<Action extends RequestedAction> {
  readonly lines: ReadonlyArray<Line>
  readonly next: OwnedState
  readonly actions: ReadonlyArray<Action>
}

/**
 * Numbers, dates and hashes the drafts that are neither in the ledger nor `pending`, by their event ids. Pure; modifies no
 * argument.
 */
export function prepare<Action extends RequestedAction>(
  kind: RunKindOf<Action>,
  facts: RunFacts,
  state: OwnedState,
  drafts: ReadonlyArray<EventDraft>,
  now: string,
  pending: ReadonlySet<string> = nothingPending
): Prepared<Action> {
  const fresh = new Set<string>()
  const events = [...state.events]
  const lines: Array<Line> = []
  const actions: Array<Action> = []
  let { folded, headHash } = state
  for (const draft of drafts) {
    const eventId = eventIdOf(facts.runId, draft.key)
    if (state.eventIds.has(eventId) || pending.has(eventId) || fresh.has(eventId)) continue
    const stamped = eventOf(
      complete(kind, draft, folded, events),
      events.length + 1,
      laterOf(now, events.at(-1))
    )
    const step = foldEvent(kind, folded, stamped)
    const line = lineOf({ ...stamped, machine: step.folded.machine.value }, eventId, headHash)
    folded = step.folded
    headHash = line.hash
    actions.push(...step.actions)
    fresh.add(eventId)
    events.push(line.event)
    lines.push(line)
  }
  return { lines, actions, next: { folded, headHash, events, eventIds: state.eventIds } }
}

const nothingPending: ReadonlySet<string> = new Set()

/** Completes an offer without options or version from the machine's state, so that nothing else is ever offered. */
function complete(
  kind: RunKindOf,
  draft: EventDraft,
  { machine, view }: Folded,
  events: ReadonlyArray<LedgerEvent>
): EventDraft {
  if (draft.type !== "recovery.offered") return draft
  const { options = kind.options(machine, events), version = view.recoveryVersion + 1 } = draft.data ?? {}
  return { ...draft, data: { ...draft.data, options, version } }
}

function eventOf(
  { key: _, assertions = [], ...draft }: EventDraft,
  sequence: number,
  occurredAt: string
): LedgerEvent {
  return { sequence, occurredAt, assertions, ...draft } as LedgerEvent // complete by now
}

/** ISO 8601 texts of the same length sort as times do. */
const laterOf = (now: string, last: LedgerEvent | undefined) =>
  last !== undefined && last.occurredAt > now ? last.occurredAt : now

/** Replaces secrets in a value of any shape. Another function as soon as there are other secrets. */
export type Clean = <A>(value: A) => A

/** The redaction for a run; fails with `DatabaseDown` while its secrets cannot be read. */
export type LineCleaner = (facts: RunFacts) => Effect.Effect<Clean, DatabaseDown>

/** The drafts without secrets. Key and type stay unchanged, so that the event can be found again. */
export const cleanDrafts = (clean: Clean, drafts: ReadonlyArray<EventDraft>): ReadonlyArray<EventDraft> =>
  drafts.map(({ exchange, ...draft }: EventDraft & { readonly exchange?: unknown }) => {
    // By itself, because it may be known to hold no secret.
    const cleaned = exchange === undefined ? {} : { exchange: clean(exchange) }
    return { ...clean(draft), ...cleaned, key: draft.key, type: draft.type } as EventDraft
  })

/** So many lines are written together at most, and none waits for longer. */
const mostBuffered = 50
const bufferedFor = "10 millis"

/** Drafts to write, and their lines once they are made. */
interface Job<Action extends RequestedAction> {
  readonly drafts: ReadonlyArray<EventDraft>
  readonly isBuffered: boolean
  prepared: (Ahead & { readonly actions: ReadonlyArray<Action>; readonly isWritten: boolean }) | undefined
}

/** Drafts of one call, as they were given, and when that was. */
interface Batch {
  readonly drafts: ReadonlyArray<EventDraft>
  readonly now: string
}

/** Lines that the ledger does not have yet, what they are made of, and the state with them. */
interface Ahead extends Pick<Prepared<never>, "lines" | "next"> {
  readonly batches: ReadonlyArray<Batch>
  readonly eventIds: ReadonlySet<string>
}

/** What a run in its owner's memory needs. */
export interface OwnedRunOptions<Action extends RequestedAction> {
  readonly ledger: Ledger["Type"]
  readonly cleaner: Effect.Effect<Clean, DatabaseDown>
  readonly kind: RunKindOf<Action>
  readonly facts: RunFacts
  readonly epoch: number
  readonly state: OwnedState
  /** The scope of the process: an append outlives an interrupted caller. */
  readonly scope: Scope.Scope
  /** Is the lease still valid, as far as this process knows? */
  readonly leaseAlive: () => boolean
  /** Called when another owner has the run. */
  readonly lost: () => void
  /** Called after each append, when `row` has it. */
  readonly moved: () => void
  /** How long an append is retried while the ledger cannot be written. */
  readonly patienceSeconds: number
  /** Called before `lost` when that time is over. */
  readonly gaveUp: () => void
  readonly stalled: boolean
  readonly forget: Effect.Effect<void>
}

/** The log of a run that this process has just created or claimed. */
export const makeOwnedRun = <Action extends RequestedAction>(
  options: OwnedRunOptions<Action>
): Effect.Effect<RunLog<Action>> =>
  Effect.gen(function* () {
    const { cleaner, epoch, facts, kind, ledger, scope } = options
    const turn = yield* Effect.makeSemaphore(1)
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
        options.lost()
        return error
      })

    const withBatch = (before: Ahead | undefined, batch: Batch, by: Clean) => {
      const {
        next: from,
        lines: earlier,
        eventIds: pending = nothingPending
      } = before ?? { next: state, lines: [] }
      const { actions, lines, next } = prepare(
        kind,
        facts,
        from,
        cleanDrafts(by, batch.drafts),
        batch.now,
        pending
      )
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
    const prepared = Effect.fnUntraced(function* ({ drafts, isBuffered }: Job<Action>) {
      const isWritten = !isBuffered || (ahead?.lines.length ?? 0) + drafts.length >= mostBuffered
      const isNothing = drafts.length === 0 && ahead === undefined
      if (clean === undefined || (isWritten && !isNothing)) {
        const latest: Clean = yield* cleaner
        if (latest !== clean)
          ahead = ahead?.batches.reduce<Ahead | undefined>(
            (made, batch) => withBatch(made, batch, latest),
            undefined
          )
        clean = latest
      }
      return { ...withBatch(ahead, { drafts, now: yield* ledger.now }, clean), isWritten }
    })

    /** What is buffered does not wait for long: its evidence is not lost if the next step takes its time. */
    const flushSoon = Effect.suspend(() => {
      if (isFlushDue) return Effect.void
      isFlushDue = true
      return Effect.sleep(bufferedFor).pipe(
        Effect.zipRight(
          Effect.suspend(() => {
            isFlushDue = false
            return ahead === undefined ? Effect.void : perform([], false)
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
      options.moved()
      return actions
    })

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
          if (!closed) options.gaveUp()
          return giveUp(stale(`run ${facts.runId} was let go while the ledger could not be written`))
        })
      )

    /**
     * An attempt that was begun ends even if the caller is interrupted: the state in memory must not fall behind the ledger.
     * The further ones do without the caller.
     */
    const perform = (
      drafts: ReadonlyArray<EventDraft>,
      isBuffered: boolean
    ): Effect.Effect<ReadonlyArray<Action>, StaleRun> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(turn.take(1)), () => {
          const job: Job<Action> = { drafts, isBuffered, prepared: undefined }
          return Effect.matchCauseEffect(write(job), {
            onSuccess: (actions) => Effect.as(turn.release(1), actions),
            onFailure: (cause) => {
              const failure = Cause.failureOption(cause)
              if (Option.isSome(failure) && failure.value._tag === "DatabaseDown")
                return writeAgain(job).pipe(
                  Effect.interruptible,
                  Effect.ensuring(turn.release(1)),
                  Effect.forkIn(scope),
                  Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
                )
              return Effect.zipRight(turn.release(1), Effect.failCause(cause as Cause.Cause<StaleRun>))
            }
          })
        })
      )

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
        released: false
      }),
      machine: () => (ahead?.next ?? state).folded.machine,
      events: () => (ahead?.next ?? state).events,
      record: (drafts) => perform(drafts, false),
      buffer: (drafts) => perform(drafts, true),
      close: traced("RunLog.close")(function* (how: "released" | "kept") {
        closed = true
        // Wait for the end of a current append.
        yield* turn.withPermits(1)(Effect.void)
        yield* options.forget
        // If the database is away the lease is not given back; it simply runs out.
        if (how === "released")
          yield* ledger.release(facts.runId, epoch).pipe(Effect.retry(briefly), Effect.ignore)
      })
    }
  })
