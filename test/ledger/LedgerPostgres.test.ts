import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { Database } from "../../src/database/Database.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { type Commit, Ledger } from "../../src/ledger/Ledger.ts"
import { statementFor } from "../../src/ledger/postgres/appendStatement.ts"
import { LedgerPostgres, type LedgerPostgresOptions } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { makeListStatements } from "../../src/ledger/postgres/listStatement.ts"
import { makeStarts } from "../../src/ledger/postgres/storedSnapshot.ts"
import { session } from "../../src/ledger/postgres/writerConnection.ts"
import { ledgerContract } from "../contracts/ledger.ts"
import { refused, refusedToSuperuser } from "../support/refusals.ts"
import { inPostgres } from "../support/runs/processes.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"
import { administer, TestDatabase } from "../support/TestDatabase.ts"

const ledgerOn = (options: LedgerPostgresOptions<never, never>) =>
  Layer.provide(LedgerPostgres.layer(options), SharedTime.layer)

const open = (owner: string, database: Database["Type"], leaseSeconds = 60) =>
  Effect.map(Layer.build(ledgerOn({ pool: Effect.succeed(database.pool), owner, leaseSeconds })), (context) =>
    Context.get(context, Ledger)
  )

const fresh = Effect.map(Layer.build(TestDatabase), (context) => Context.get(context, Database))

ledgerContract("LedgerPostgres", inPostgres)

describe("LedgerPostgres", () => {
  it.scopedLive("lets nobody change, remove or empty its lines", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const ledger = yield* open("a", database)
      const { facts, runId } = yield* newRun(ledger)
      for (const text of [
        "update ledger_event set line = ''",
        "delete from ledger_event",
        "truncate ledger_event"
      ]) {
        assert.include(yield* refused(database, text), "permission denied")
        assert.include(yield* refused(database, `set role none; ${text}`), "permission denied")
        assert.include(yield* refusedToSuperuser(database, text), "append-only")
      }
      assert.lengthOf(yield* ledger.page(runId, 0, 10), 1)
      assert.isTrue(Option.isSome(yield* ledger.run(facts.ownerId, runId)))
    })
  )

  it.scopedLive("lets nobody write a tombstone but the purge of a whole run, and nobody change one", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const ledger = yield* open("a", database)
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      const columns = "run_id, report_id, owner_id, kind, connection_id, ocpi_version, subject_id, created_at"
      const forged = `insert into run_tombstone (${columns}, status, lines, head_hash, reason)
        select ${columns}, status, last_sequence, head_hash, '' from run`
      assert.include(yield* refused(database, forged), "permission denied")
      assert.isTrue(yield* ledger.purge(runId, "on request"))
      for (const text of ["update run_tombstone set reason = ''", "delete from run_tombstone"]) {
        assert.include(yield* refused(database, text), "permission denied")
        assert.include(yield* refusedToSuperuser(database, text), "append-only")
      }
    })
  )

  it.scopedLive("finds the runs of an append by their keys, however few are open", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const ledger = yield* open("a", database)
      const runs = yield* Effect.forEach([1, 2], () => newRun(ledger))
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => database.pool.connect()),
        (held) => Effect.sync(() => held.release(true))
      )
      const { rows } = yield* Effect.promise(() => database.pool.query("select current_database() as name"))
      yield* administer(
        `insert into run select (jsonb_populate_record(run, jsonb_build_object(
           'run_id', run_id || n, 'report_id', report_id || n, 'closed', true))).*
         from run, generate_series(1, 2000) n`,
        rows[0].name
      )
      yield* administer("analyze run", rows[0].name)
      yield* Effect.promise(() => client.query(session))
      for (const together of [runs.slice(0, 1), runs]) {
        const { name, text, values } = statementFor(
          together.map(({ next }) => next(1, [started])),
          makeStarts()
        )
        const plan = yield* Effect.promise(async () => {
          await client.query(`prepare "${name}" as ${text}`)
          const { rows } = await client.query<{ "QUERY PLAN": string }>(
            `explain execute "${name}"(${values.map(() => "null").join(", ")})`
          )
          return rows.map((row) => row["QUERY PLAN"]).join("\n")
        })
        assert.match(plan, /Index Scan using run_pkey on run .*\n\s+Index Cond: \(run_id = /, plan)
      }
    })
  )

  it.scopedLive("lists the runs of a connection without those of the others", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const ledger = yield* open("a", database)
      const { facts } = yield* newRun(ledger)
      const { rows } = yield* Effect.promise(() => database.pool.query("select current_database() as name"))
      yield* administer(
        `insert into run select (jsonb_populate_record(run, jsonb_build_object(
           'run_id', run_id || n, 'report_id', report_id || n, 'connection_id', 'con_busy'))).*
         from run, generate_series(1, 2000) n`,
        rows[0].name
      )
      yield* administer("analyze run", rows[0].name)
      const { connectionId, ownerId } = facts
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => database.pool.connect()),
        (held) => Effect.sync(() => held.release(true))
      )
      for (const order of ["newest", "oldest"] as const) {
        const { name, text, values } = makeListStatements()({ ownerId, connectionId, order, limit: 20 })
        const given = values.map((value) => (value === null ? "null" : `'${value}'`)).join(", ")
        yield* Effect.promise(() => client.query(`prepare "${name}" as ${text}`))
        // From the sixth time on Postgres may plan it for all values.
        for (let time = 0; time < 7; time++) {
          const { rows } = yield* Effect.promise(() =>
            client.query<{ "QUERY PLAN": string }>(`explain execute "${name}"(${given})`)
          )
          const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
          assert.match(plan, /Index Scan (Backward )?using run_of_connection on run/, plan)
        }
      }
    })
  )

  it.scopedLive("comes back by itself when all its connections were cut", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const ledger = yield* open("a", database)
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started]))
      const { rows } = yield* Effect.promise(() => database.pool.query("select current_database() as name"))
      yield* administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${rows[0].name}'`
      )
      yield* Effect.retry(ledger.append(next(1, [draft("inbound.received")])), { times: 3 })
      assert.lengthOf(yield* ledger.page(runId, 0, 10), 3)
    })
  )

  it.scopedLive("absorbs an append whose answer was lost, and wakes followers then", () =>
    Effect.gen(function* () {
      const database = yield* fresh
      const [first, second] = yield* Effect.all([open("a", database), open("a", database)])
      const { next } = yield* newRun(first)
      const append = next(1, [started])
      yield* first.append(append)
      const heard: Array<Commit> = []
      yield* second.onCommit((commits) => heard.push(...commits))
      yield* second.append(append)
      assert.strictEqual(heard[0]!.lines[0]!.sequence, 2)
    })
  )

  it.scopedLive("calls the hook at both edges of every commit, the first included", () =>
    Effect.gen(function* () {
      const { pool } = yield* fresh
      const seen: Array<string> = []
      const onAppend = (point: string, { expectedSequence }: { readonly expectedSequence: number }) =>
        Effect.sync(() => seen.push(`${point} ${expectedSequence}`))
      const options = { pool: Effect.succeed(pool), owner: "a", leaseSeconds: 1, onAppend }
      const ledger = Context.get(yield* Layer.build(ledgerOn(options)), Ledger)
      const { next } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started]))
      assert.deepStrictEqual(seen, ["before 0", "committed 0", "before 1", "committed 1"])
    })
  )
})
