/** Archiving on Postgres, and who may change what of it. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { Database } from "../../../src/database/Database.ts"
import { newId } from "../../../src/database/newId.ts"
import { archivingContract } from "../../contracts/archiving.ts"
import { refused, refusedToSuperuser } from "../../support/refusals.ts"
import { endedRun, groundInPostgres, groundOn } from "../../support/runs/archives.ts"
import { administer, TestDatabase } from "../../support/TestDatabase.ts"

archivingContract("Archiving on Postgres", groundInPostgres)

describe("the tables of archived runs", () => {
  const fresh = Effect.map(Layer.build(TestDatabase), (context) => Context.get(context, Database))
  const allLines = (database: Database["Type"], runId: RunId) =>
    database.query<{ readonly line: string; readonly hash: string }>({
      text: "select * from ledger_event where run_id = $1 order by sequence",
      values: [runId]
    })

  it.scopedLive("come back to the very rows that were there", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archiving, ledger } = yield* groundOn(database).boot()
      const { runId } = yield* endedRun(ledger)
      const rows = (table: string) =>
        database.query({ text: `select * from ${table} where run_id = $1`, values: [runId] })
      const [lines, run] = [yield* allLines(database, runId), yield* rows("run")]
      yield* archiving.archive(runId)
      assert.lengthOf(yield* allLines(database, runId), 0)
      yield* archiving.restore(runId)
      assert.deepStrictEqual(yield* allLines(database, runId), lines)
      assert.deepStrictEqual(yield* rows("run"), run)
      assert.lengthOf(yield* rows("run_archive"), 0)
    })
  )

  it.scopedLive("come back when the month that they were in is gone", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archiving, ledger } = yield* groundOn(database).boot()
      const { runId } = yield* endedRun(ledger, 12, { runId: RunId.make(yield* newId("run")) })
      const lines = yield* allLines(database, runId)
      const place = (text: string) => database.query<{ readonly place: string }>({ text, values: [runId] })
      const [{ place: month }] = (yield* place(
        "select distinct tableoid::regclass::text as place from ledger_event where run_id = $1"
      )) as [{ readonly place: string }]
      assert.match(month, /^ledger_event_a_/)
      yield* archiving.archive(runId)
      // As the hourly look does with a month that has ended.
      const [{ name }] = (yield* database.query<{ readonly name: string }>({
        text: "select current_database() as name"
      })) as [{ readonly name: string }]
      yield* administer(`drop table ${month}`, name)
      assert.lengthOf(yield* ledger.page(runId, 0, 100), 12)
      yield* archiving.restore(runId)
      assert.deepStrictEqual(yield* allLines(database, runId), lines)
      assert.deepStrictEqual(
        yield* place("select distinct tableoid::regclass::text as place from ledger_event where run_id = $1"),
        [{ place: "ledger_event_default" }]
      )
    })
  )

  it.scopedLive("let nobody write, change or remove a note but the two functions", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archiving, ledger } = yield* groundOn(database).boot()
      const { runId } = yield* endedRun(ledger)
      const forged = `insert into run_archive (run_id, name, lines, head_hash, bytes, text_bytes, sha256)
        select run_id, 'x', last_sequence, head_hash, 1, 1, 'x' from run`
      assert.include(yield* refused(database, forged), "permission denied")
      assert.include(yield* refused(database, "delete from ledger_event"), "permission denied")
      yield* archiving.archive(runId)
      for (const text of [
        "update run_archive set name = 'run_other'",
        "delete from run_archive",
        "truncate run_archive"
      ]) {
        assert.include(yield* refused(database, text), "permission denied")
        assert.include(yield* refused(database, `set role none; ${text}`), "permission denied")
        assert.include(yield* refusedToSuperuser(database, text), "run_archive is changed with the lines")
      }
      // Nor with the run's row, which our role may delete: only a purge leaves a tombstone.
      assert.include(yield* refused(database, "delete from run"), "run_archive is changed with the lines")
      assert.lengthOf(yield* ledger.page(runId, 0, 100), 12)
    })
  )

  it.scopedLive("take lines out only of a run that is over, whole, and whose object was begun", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archives, archiving, ledger } = yield* groundOn(database).boot()
      const { facts, runId } = yield* endedRun(ledger)
      const { headHash } = Option.getOrThrow(yield* ledger.run(facts.ownerId, runId))
      const name = `${runId}/${headHash}-${"a".repeat(16)}.json.gz`
      const note = { runId, name, lines: 12, headHash, bytes: 1, textBytes: 1, sha256: "" }
      assert.isFalse(yield* archives.archive(note))
      yield* archives.begin({ name, runId }, { evenIfBegun: true })
      assert.isFalse(yield* archives.archive({ ...note, lines: 11 }))
      assert.isFalse(yield* archives.archive({ ...note, headHash: "a".repeat(64) }))
      assert.isFalse(yield* archives.archive({ ...note, name: `${name}x` }))
      // A run with a line too few, which only an owner without triggers can make.
      const [{ name: databaseName }] = (yield* database.query<{ readonly name: string }>({
        text: "select current_database() as name"
      })) as [{ readonly name: string }]
      yield* administer(
        `set session_replication_role = replica; delete from ledger_event where sequence = 5`,
        databaseName
      )
      const message = yield* refused(database, "select archive_run($1, $2, 12, $3, 1, 1, '')", [
        runId,
        name,
        headHash
      ])
      assert.include(message, "has 11 lines, not 12")
      assert.deepStrictEqual(yield* archiving.archive(runId), {
        kept: "its lines are not intact: line 5 is missing"
      })
      assert.lengthOf(yield* allLines(database, runId), 11)
    })
  )

  it.scopedLive("take back no other lines than those that were archived", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archiving, archives, ledger } = yield* groundOn(database).boot()
      const [one, other] = [yield* endedRun(ledger), yield* endedRun(ledger)]
      const rows = yield* database.query<Record<"line" | "event_id" | "type" | "stage_id" | "hash", string>>({
        text: "select line, event_id, type, stage_id, hash from ledger_event where run_id = $1 order by sequence",
        values: [one.runId]
      })
      yield* archiving.archive(one.runId)
      yield* archiving.archive(other.runId)
      const restored = (runId: RunId, lines: typeof rows) =>
        refused(database, "select restore_run($1, $2, $3, $4, $5, $6)", [
          runId,
          ...(["line", "event_id", "type", "stage_id", "hash"] as const).map((key) =>
            lines.map((row) => row[key])
          )
        ])
      const edited = rows.map((row, index) =>
        index === 3 ? { ...row, line: row.line.replace("inbound", "Inbound") } : row
      )
      for (const lines of [edited, rows.slice(0, -1), rows.toReversed(), [], [...rows, rows[0]!]])
        assert.include(yield* restored(one.runId, lines), `these are not the lines of run ${one.runId}`)
      assert.include(yield* restored(other.runId, rows), `these are not the lines of run ${other.runId}`)
      assert.lengthOf(yield* allLines(database, one.runId), 0)
      assert.isTrue(Option.isSome(Option.getOrThrow(yield* archives.find(one.runId)).note))
    })
  )

  it.scopedLive("name each object that may be in the archive and that no run needs", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const { archiving, archives, ledger } = yield* groundOn(database).boot()
      const { runId } = yield* endedRun(ledger)
      yield* archiving.archive(runId)
      const name = Option.getOrThrow(Option.getOrThrow(yield* archives.find(runId)).note).name
      // Whoever names an object that is needed does not have it removed.
      yield* database.query({
        text: "insert into archive_leftover (name, run_id, removing) values ($1, $2, true)",
        values: [name, runId]
      })
      assert.strictEqual(yield* archiving.removeLeftovers, 0)
      assert.lengthOf(yield* ledger.page(runId, 0, 100), 12)
    })
  )
})
