/**
 * The writer: the pending appends of all runs go out in one statement, which is one transaction and one flush. While it
 * runs the next group gathers; no append waits for a timer.
 */
import { Clock, Effect, type Scope } from "effect"
import type pg from "pg"
import type { RunId } from "../../../schema/Ids.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { DatabaseDown, downOrDefect, isDuplicate, isLoss } from "../../database/DatabaseDown.ts"
import { countBatch } from "../../telemetry/measures.ts"
import { type Append, type Commit, StaleRun } from "../Ledger.ts"
import { statementFor } from "./appendStatement.ts"
import type { Starts } from "./storedSnapshot.ts"
import { makeWriterConnection } from "./writerConnection.ts"

/** The most runs in one statement. */
const together = 256

/** A callback, cheaper per append than a queue of deferreds. Only the first call of `answer` counts. */
interface Job {
  readonly append: Append
  readonly answer: (done: Effect.Effect<void, StaleRun | DatabaseDown>) => void
}

/** A hook for tests: called before and after each commit. */
export type OnAppend = (point: "before" | "committed", append: Append) => Effect.Effect<void>

/** What a writer needs. */
interface GroupCommitOptions {
  readonly pool: pg.Pool
  /** Called in commit order, before the appends are acknowledged. */
  readonly committed: (commits: ReadonlyArray<Commit>) => Effect.Effect<void>
  readonly onAppend: OnAppend | undefined
  readonly starts: Starts
}

/** Writes an append; succeeds when its own lines are committed. */
type GroupCommit = (append: Append) => Effect.Effect<void, StaleRun | DatabaseDown>

/**
 * One writer: its fiber and its connection live in the scope. Appends that are pending when the scope closes fail with
 * `DatabaseDown`.
 */
export const makeGroupCommit = Effect.fnUntraced(function* (
  options: GroupCommitOptions
): Effect.fn.Return<GroupCommit, never, Scope.Scope> {
  // Never longer than the number of callers, because each waits for its append.
  let waiting: Array<Job> = []
  let underWay: ReadonlyArray<Job> = []
  let wake: (() => void) | undefined
  let closed = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      for (const { answer } of [...underWay, ...waiting]) answer(closing)
    })
  )
  const connection = yield* makeWriterConnection(options.pool)
  const { committed, onAppend, starts } = options
  const at = (point: "before" | "committed", jobs: ReadonlyArray<Job>) =>
    onAppend === undefined
      ? Effect.void
      : Effect.forEach(jobs, ({ append }) => onAppend(point, append), { discard: true })

  const write = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
    yield* at("before", jobs)
    const began = yield* Clock.currentTimeNanos
    const rows = yield* connection<{ readonly run_id: string }>(
      statementFor(
        jobs.map(({ append }) => append),
        starts
      )
    )
    const moved = new Set(rows.map(({ run_id }) => run_id))
    const done = rows.length === jobs.length ? jobs : jobs.filter(({ append }) => moved.has(append.runId))
    const written = done.reduce((sum, { append }) => sum + append.lines.length, 0)
    countBatch(written, Number((yield* Clock.currentTimeNanos) - began) / 1e9)
    yield* at("committed", done)
    yield* committed(done.map(({ append }) => commitOf(append)))
    for (const { answer } of done) answer(Effect.void)
    for (const job of jobs) if (!moved.has(job.append.runId)) yield* settleRefused(job)
  })

  // No row was updated: either this very append was committed and its answer lost, or another owner has written.
  const settleRefused = ({ answer, append }: Job) =>
    connection<StandingLines>(standing(append.runId, append.lines)).pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.tap((same) => (same ? committed([commitOf(append)]) : Effect.void)),
      Effect.match({
        onFailure: (error) => answer(downOrDefect(error.cause)),
        onSuccess: (same) => answer(same ? Effect.void : stale(append))
      })
    )

  const settle = (jobs: ReadonlyArray<Job>): Effect.Effect<void> =>
    Effect.catchAll(write(jobs), (error) => {
      // One wrong row must not fail the others: try each alone.
      if (jobs.length > 1 && !isLoss(error.cause))
        return Effect.forEach(jobs, (job) => settle([job]), { discard: true })
      return Effect.sync(() => {
        for (const { answer, append } of jobs)
          answer(isDuplicate(error.cause) ? stale(append) : downOrDefect(error.cause))
      })
    })

  /** A statement updates each run once: a second append to the same run waits for the next group. */
  const nextGroup = (): ReadonlyArray<Job> => {
    const group = new Map<string, Job>()
    const later: Array<Job> = []
    for (const job of waiting) {
      if (group.has(job.append.runId) || group.size >= together) later.push(job)
      else group.set(job.append.runId, job)
    }
    waiting = later
    // The same order of locks in all processes prevents deadlocks.
    underWay = [...group.values()].sort((a, b) => (a.append.runId < b.append.runId ? -1 : 1))
    return underWay
  }

  const someWait = Effect.async<void>((resume) => {
    if (waiting.length > 0) resume(Effect.void)
    else wake = () => resume(Effect.void)
  })
  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(someWait, () => Effect.suspend(() => settle(nextGroup()))))
  )

  return (append: Append) =>
    Effect.async((answer) => {
      if (closed) return answer(closing)
      waiting.push({ append, answer })
      wake?.()
      wake = undefined
    })
})

/** The commit that an append publishes to followers. */
export const commitOf = ({
  lines,
  runId,
  snapshot
}: Pick<Append, "lines" | "runId" | "snapshot">): Commit => ({
  runId,
  lines: lines.map(({ event, eventId, hash, line }) => ({ sequence: event.sequence, line, eventId, hash })),
  terminal: isTerminal(snapshot.view.status)
})

/** The row of `standing`. */
export interface StandingLines {
  readonly yes: true
}

/** A statement that returns one row if the ledger has exactly these events at exactly these sequences. */
export const standing = (runId: RunId, lines: Append["lines"]) => ({
  name: "ledger-standing",
  text: `
    select true as yes
    from unnest($2::int[], $3::text[]) as l(sequence, event_id)
    join ledger_event e on e.run_id = $1 and e.sequence = l.sequence and e.event_id = l.event_id collate "C"
    having count(*) = cardinality($2::int[])`,
  values: [runId, lines.map(({ event }) => event.sequence), lines.map(({ eventId }) => eventId)]
})

const closing = new DatabaseDown({ message: "The ledger is closing; nothing was written" })

const stale = ({ epoch, expectedSequence, runId }: Append) =>
  new StaleRun({
    runId,
    message: `Run ${runId} refuses the append: it is over, another owner has replaced epoch ${epoch}, or line ${expectedSequence} is no longer its last`
  })
