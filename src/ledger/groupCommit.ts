/**
 * The writer: whatever all runs have pending goes out in one statement, which is one transaction and one flush.
 * While it is under way the next group gathers; nobody waits for a timer.
 */
import { Chunk, Deferred, Effect, Queue, type Scope } from "effect"
import type pg from "pg"
import type { RunId } from "../../schema/Ids.ts"
import { terminalStatuses } from "../../schema/RunReport.ts"
import { statementFor } from "./appendStatement.ts"
import { type Append, type Commit, LedgerDown, StaleRun } from "./Ledger.ts"
import { isAway, isDuplicate, ledgerDown, type PgFailure } from "./pgFailure.ts"
import type { Starts } from "./storedSnapshot.ts"
import { makeWriterConnection } from "./writerConnection.ts"

/** Appends that may wait for the writer; then their callers wait to hand over. */
const waiting = 4096
/** Runs in one statement. */
const together = 256

interface Job {
  readonly append: Append
  readonly done: Deferred.Deferred<void, StaleRun | LedgerDown>
}

/** Test hook of the wiring: what happens at the two edges of a commit. */
export type OnAppend = (point: "before" | "committed", append: Append) => Effect.Effect<void>

export interface GroupCommitOptions {
  readonly pool: pg.Pool
  /** Heard in commit order, before those who wait for the commit go on. */
  readonly committed: (commits: ReadonlyArray<Commit>) => Effect.Effect<void>
  readonly onAppend: OnAppend | undefined
  readonly starts: Starts
}

/** Takes an append and answers when its own lines are committed. */
export type GroupCommit = (append: Append) => Effect.Effect<void, StaleRun | LedgerDown>

/** One writer: its fiber and its connection live in the scope. What it still owes at the end fails as LedgerDown. */
export const makeGroupCommit = (
  options: GroupCommitOptions
): Effect.Effect<GroupCommit, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.bounded<Job>(waiting)
    const owed = new Set<Job>()
    yield* Effect.addFinalizer(() =>
      Effect.forEach([...owed], ({ done }) => Deferred.fail(done, closing), { discard: true })
    )
    const connection = yield* makeWriterConnection(options.pool)
    const { committed, onAppend, starts } = options
    const at = (point: "before" | "committed", jobs: ReadonlyArray<Job>) =>
      onAppend === undefined
        ? Effect.void
        : Effect.forEach(jobs, ({ append }) => onAppend(point, append), { discard: true })

    const write = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
      yield* at("before", jobs)
      const { rows } = yield* connection((client) =>
        client.query<{ readonly run_id: string }>(
          statementFor(
            jobs.map(({ append }) => append),
            starts
          )
        )
      )
      const moved = new Set(rows.map(({ run_id }) => run_id))
      const done = jobs.filter(({ append }) => moved.has(append.runId))
      yield* at("committed", done)
      yield* committed(done.map(({ append }) => commitOf(append)))
      for (const job of done) yield* Deferred.succeed(job.done, undefined)
      for (const job of jobs) if (!moved.has(job.append.runId)) yield* settleRefused(job)
    })

    // No row moved: either the answer to this very append was lost, or somebody else has written.
    const settleRefused = ({ append, done }: Job) =>
      connection((client) => client.query<Standing>(standing(append.runId, append.lines))).pipe(
        Effect.map(({ rows }) => rows.length > 0),
        Effect.tap((same) => (same ? committed([commitOf(append)]) : Effect.void)),
        Effect.matchEffect({
          onFailure: (error) => failed(done, error),
          onSuccess: (same) => (same ? Deferred.succeed(done, undefined) : Deferred.fail(done, stale(append)))
        }),
        Effect.asVoid
      )

    const settle = (jobs: ReadonlyArray<Job>): Effect.Effect<void> =>
      Effect.catchAll(write(jobs), (error) => {
        // One bad row must not fail its neighbours: each alone then.
        if (jobs.length > 1 && !isAway(error))
          return Effect.forEach(jobs, (job) => settle([job]), { discard: true })
        return Effect.forEach(
          jobs,
          ({ append, done }) =>
            isDuplicate(error) ? Deferred.fail(done, stale(append)) : failed(done, error),
          { discard: true }
        )
      })

    // A statement moves each run once: a second append of the same run waits for the next group.
    let held: ReadonlyArray<Job> = []
    const nextGroup = Effect.gen(function* () {
      const fresh = yield* held.length > 0
        ? Queue.takeUpTo(queue, together)
        : Queue.takeBetween(queue, 1, together)
      const group = new Map<string, Job>()
      const later: Array<Job> = []
      for (const job of [...held, ...Chunk.toReadonlyArray(fresh)]) {
        if (group.has(job.append.runId) || group.size >= together) later.push(job)
        else group.set(job.append.runId, job)
      }
      held = later
      // One lock order for all processes.
      return [...group.values()].sort((a, b) => (a.append.runId < b.append.runId ? -1 : 1))
    })

    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(nextGroup, settle)))

    return Effect.fnUntraced(function* (append: Append) {
      const job: Job = { append, done: yield* Deferred.make<void, StaleRun | LedgerDown>() }
      owed.add(job)
      return yield* Queue.offer(queue, job).pipe(
        Effect.zipRight(Deferred.await(job.done)),
        Effect.ensuring(Effect.sync(() => owed.delete(job)))
      )
    })
  })

/** What followers hear of an append. */
export const commitOf = ({
  lines,
  runId,
  snapshot
}: Pick<Append, "lines" | "runId" | "snapshot">): Commit => ({
  runId,
  lines: lines.map(({ event, eventId, hash, line }) => ({ sequence: event.sequence, line, eventId, hash })),
  terminal: terminalStatuses.includes(snapshot.view.status)
})

export interface Standing {
  readonly yes: true
}

/** Do exactly these events stand at exactly these sequences? Then one row. */
export const standing = (runId: RunId, lines: Append["lines"]) => ({
  name: "ledger-standing",
  text: `
    select true as yes
    from unnest($2::int[], $3::text[]) as l(sequence, event_id)
    join ledger_event e on e.run_id = $1 and e.sequence = l.sequence and e.event_id = l.event_id collate "C"
    having count(*) = cardinality($2::int[])`,
  values: [runId, lines.map(({ event }) => event.sequence), lines.map(({ eventId }) => eventId)]
})

const closing = new LedgerDown({ message: "the ledger is being closed" })

const stale = ({ epoch, expectedSequence, runId }: Append) =>
  new StaleRun({
    runId,
    message: `run ${runId} is over, was taken over from epoch ${epoch}, or has moved on from line ${expectedSequence}`
  })

/** Away: may be tried again. Anything else is our own bug. */
const failed = (done: Job["done"], error: PgFailure) =>
  isAway(error) ? Deferred.fail(done, ledgerDown(error)) : Deferred.die(done, error.cause)
