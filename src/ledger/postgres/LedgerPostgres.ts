/** The ledger in Postgres: tables `run` and `ledger_event` of migration 0002. */
import { Clock, Effect, Layer, Option, PubSub, type Scope } from "effect"
import type pg from "pg"
import type { ConnectionId, OwnerId, ReportId, RunId } from "../../../schema/Ids.ts"
import { sharedReadsOn } from "../../database/batches/sharedReads.ts"
import type { Channel } from "../../database/Notifications.ts"
import { SharedTime, takeSample } from "../../database/SharedTime.ts"
import { statementsOn, untimedOn, withoutNul } from "../../database/statement.ts"
import { countBatch } from "../../telemetry/measures.ts"
import { traced } from "../../telemetry/traced.ts"
import { makeCommits } from "../commits.ts"
import {
  type Commit,
  Ledger,
  type PageFilter,
  type ReadArchive,
  type RunListQuery,
  type StoredLine
} from "../Ledger.ts"
import { archivedPage, unread } from "../pageOfLines.ts"
import { commitOf, makeGroupCommit, type OnAppend, type StandingLines, standing } from "./groupCommit.ts"
import { makeListStatements } from "./listStatement.ts"
import { noteIn, orNote, type PageRow, pageStatement } from "./pageStatement.ts"
import { makePurging } from "./purging.ts"
import { insertRun } from "./runInsert.ts"
import { factColumns, factsOf, rowOf, runColumns, type StoredFacts, type StoredRun } from "./runRows.ts"
import { makeStarts } from "./storedSnapshot.ts"

/** Options of `LedgerPostgres.layer`. */
export interface LedgerPostgresOptions<E, R> {
  /** The pool of the migrated database. Each writer keeps one of its connections for itself. */
  readonly pool: Effect.Effect<pg.Pool, E, R>
  /** The connections that read pages (`plannedOnce` of `Database`). Default: those of `pool`. */
  readonly pagePool?: Effect.Effect<pg.Pool, E, R>
  /** Term of a lease, by the database's clock; may be a fraction. */
  readonly leaseSeconds: number
  /** Id of this process among those on the database, e.g. random, made at boot. */
  readonly owner: string
  /** Number of writers, each with its share of the runs and one statement at a time; default 2. */
  readonly writers?: number
  /** Notifications of new lines. Unset: followers in other processes see a line when they next poll. */
  readonly notifications?: Effect.Effect<Channel<RunId>, E, R>
  /** Reads the lines of archived runs. Unset: there is no archive. */
  readonly readArchive?: Effect.Effect<ReadArchive, E, R | Scope.Scope>
  /** For tests only: called before and after each commit. */
  readonly onAppend?: OnAppend
}

const layer = <E, R>(options: LedgerPostgresOptions<E, R>): Layer.Layer<Ledger, E, R | SharedTime> =>
  Layer.scoped(
    Ledger,
    Effect.gen(function* () {
      const pool = yield* options.pool
      const query = statementsOn(pool)
      const read = withoutNul(query)
      const readOften = withoutNul(sharedReadsOn(pool))
      const readPage = withoutNul(
        sharedReadsOn(options.pagePool === undefined ? pool : yield* options.pagePool)
      )
      const { onCommit, tell } = makeCommits()
      const { publish, subscribe } = yield* options.notifications ?? alone
      const committed = (done: ReadonlyArray<Commit>) =>
        Effect.flatMap(tell(done), () => {
          const [only, ...others] = done
          return only !== undefined && others.length === 0
            ? publish(only.runId)
            : Effect.forEach(done, ({ runId }) => publish(runId), { discard: true })
        })
      const starts = makeStarts()
      const time = yield* SharedTime
      // If the database is away now, the wall clock is used until there is a sample.
      yield* Effect.ignore(takeSample(query, time))
      const now = Effect.map(time.clock.currentTimeMillis, (millis) => new Date(millis).toISOString())
      const writers = yield* Effect.replicateEffect(
        makeGroupCommit({
          pool,
          starts,
          committed,
          onAppend: options.onAppend
        }),
        options.writers ?? 2
      )

      const one = (rows: ReadonlyArray<StoredRun>) => Option.map(Option.fromNullable(rows[0]), rowOf)

      const create: Ledger["Type"]["create"] = traced("Ledger.create")(function* (facts, first) {
        const at = (point: "before" | "committed") =>
          options.onAppend?.(point, { runId: facts.runId, expectedSequence: 0, epoch: 1, ...first }) ??
          Effect.void
        yield* at("before")
        const began = yield* Clock.currentTimeNanos
        const made = yield* query(insertRun(facts, first, options))
        if (made.length > 0) countBatch(made.length, Number((yield* Clock.currentTimeNanos) - began) / 1e9)
        // No row: an earlier attempt, whose answer was lost, created the run; its stored times may differ from these.
        if (made.length > 0) starts.keep(facts.runId, first.snapshot)
        yield* at("committed")
        const same =
          made.length > 0 || (yield* query<StandingLines>(standing(facts.runId, first.lines))).length > 0
        if (same) yield* committed([commitOf({ runId: facts.runId, ...first })])
      })

      const append: Ledger["Type"]["append"] = (request) =>
        request.lines.length === 0 ? Effect.void : writers[shareOf(request.runId, writers.length)]!(request)

      const readArchive = yield* options.readArchive ?? Effect.succeed(unread)
      const page = traced("Ledger.page")(
        (runId: RunId, after: number, limit: number, filter: PageFilter = {}) =>
          Effect.suspend(() => {
            const statement = pageStatement(runId, after, limit, filter)
            return Effect.flatMap(readPage<StoredLine>(statement), (lines) =>
              lines.length > 0 || filter.isOpen === true
                ? Effect.succeed(lines)
                : Effect.flatMap(readPage<PageRow>(orNote(statement)), (rows) => {
                    const note = noteIn(rows)
                    return note === undefined
                      ? Effect.succeed(rows as ReadonlyArray<StoredLine>)
                      : archivedPage(readArchive, note, { ...filter, after, limit })
                  })
            )
          })
      )

      const claimed = traced("Ledger.claimed")((runId: RunId) =>
        Effect.map(
          query<StoredRun>({
            name: "ledger-claimed",
            text: `select ${runColumns} from run where run_id = $1`,
            values: [runId]
          }),
          ([stored]) => {
            // Its next appends write only what differs from it.
            if (stored !== undefined && stored.start !== null) starts.keep(runId, JSON.parse(stored.start))
            return Option.map(Option.fromNullable(stored), rowOf)
          }
        )
      )

      const run = traced("Ledger.run")((ownerId: OwnerId, runId: RunId) =>
        Effect.map(
          read<StoredRun>({
            name: "ledger-run",
            text: `select ${runColumns} from run where run_id = $1 and owner_id = $2`,
            values: [runId, ownerId]
          }),
          one
        )
      )

      const runByReport = traced("Ledger.runByReport")((ownerId: OwnerId, reportId: ReportId) =>
        Effect.map(
          read<StoredRun>({
            name: "ledger-run-by-report",
            text: `select ${runColumns} from run where report_id = $1 and owner_id = $2`,
            values: [reportId, ownerId]
          }),
          one
        )
      )

      const listStatement = makeListStatements()
      const list = traced("Ledger.list")((wanted: RunListQuery) => {
        const { rowsOf, ...statement } = listStatement(wanted)
        return Effect.map(readOften<Parameters<typeof rowsOf>[0][number]>(statement), rowsOf)
      })

      const countOpen = traced("Ledger.countOpen")((ownerId: OwnerId) =>
        Effect.map(
          query<{ readonly open: number }>({
            name: "ledger-count-open",
            text: "select count(*)::int as open from run where owner_id = $1 and not closed",
            values: [ownerId]
          }),
          (rows) => rows[0]?.open ?? 0
        )
      )

      const openOn = traced("Ledger.openOn")((ownerId: OwnerId, connectionId: ConnectionId) =>
        Effect.map(
          query<StoredFacts>({
            name: "ledger-open-on",
            text: `select ${factColumns} from run
                   where owner_id = $1 and connection_id = $2 and not closed order by run_id desc`,
            values: [ownerId, connectionId]
          }),
          (rows) => rows.map(factsOf)
        )
      )

      return Ledger.of({
        create,
        append,
        page,
        claimed,
        run,
        runByReport,
        list,
        countOpen,
        openOn,
        ...makePurging(query, untimedOn(pool)),
        onCommit,
        wakes: subscribe,
        now
      })
    })
  )

/** The Postgres adapter of the `Ledger` port. */
export const LedgerPostgres = { layer }

/** Of a process without others: notifies nobody and is never notified. */
const alone: Effect.Effect<Channel<RunId>> = Effect.map(PubSub.sliding<RunId | null>(1), (none) => ({
  publish: () => Effect.void,
  subscribe: PubSub.subscribe(none)
}))

/** Index of the writer of a run: always the same one, so that its appends keep their order. */
function shareOf(runId: RunId, of: number): number {
  let sum = 0
  for (let index = 0; index < runId.length; index++) sum = (sum * 31 + runId.charCodeAt(index)) | 0
  return Math.abs(sum) % of
}
