/** The monthly partitions of lines and audit entries: how they are made, filled, guarded and dropped (decision 35). */
import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { type IdKind, prefixes, RunId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { migrate } from "../../src/database/migrate.ts"
import {
  type MonthlyTable,
  monthlyPartitions
} from "../../src/database/migrations/0023_monthly_partitions.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { dropOldPartitions } from "../../src/database/partitions/dropOldPartitions.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { statementFor } from "../../src/ledger/postgres/appendStatement.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { pageStatement } from "../../src/ledger/postgres/pageStatement.ts"
import { makeStarts } from "../../src/ledger/postgres/storedSnapshot.ts"
import { session } from "../../src/ledger/postgres/writerConnection.ts"
import { verifyEveryRun } from "../../src/ledger/run/verifyEveryRun.ts"
import { Retention } from "../../src/services/runs/Retention.ts"
import { AuditStore } from "../../src/store/accounts/AuditStore.ts"
import { OldExchanges } from "../../src/store/parties/exchanges/OldExchanges.ts"
import { noArchiving } from "../support/runs/archives.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"
import { administer, databaseUrl, servingUrlOf } from "../support/TestDatabase.ts"

/** An id of that instant; `cell`: empty for one of a release before cells. */
const idAt = (kind: IdKind, instant: Date | string, cell = "a") =>
  `${prefixes[kind]}_${cell}${new Date(instant).getTime().toString(16).padStart(12, "0")}7${randomBytes(10).toString("hex").slice(1)}`

const runAt = (instant: Date | string, cell?: string) => RunId.make(idAt("run", instant, cell))

const prefixOf = { ledger_event: "run", audit_entry: "aud", party_exchange: "exc" } as const

/** The instant of the middle of a month, so many months from now. */
const monthsFromNow = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15))
}

const partitionOf = (months: number, table = "ledger_event", cell = "a") =>
  `${table}_${cell}_${monthsFromNow(months).toISOString().slice(0, 7).replace("-", "_")}`

/** A database, its ledger as a process has it, and statements of its owner. */
const opened = (url: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const name = new URL(Redacted.value(url)).pathname.slice(1)
    const adminUrl = Redacted.make(inject("pgUrl").replace(/postgres$/, name))
    const layer = AuditStore.layer.pipe(
      Layer.provideMerge(Retention.layer.pipe(Layer.provide(noArchiving))),
      Layer.provideMerge(OldExchanges.layer),
      Layer.provideMerge(
        ledgerOf(
          Effect.map(Database, ({ pool }) => pool),
          Effect.map(Database, ({ plannedOnce }) => plannedOnce)
        )
      ),
      Layer.provideMerge(
        Database.layer({ url: servingUrlOf(url), adminUrl, dataDir: "/nowhere", poolSize: 4 })
      )
    )
    const context = yield* Layer.build(layer)
    const admin = (text: string) => Effect.orDie(administer(text, name))
    /** The partition of each line of a run. */
    const placesOf = (runId: RunId) =>
      Effect.map(
        admin(
          `select distinct tableoid::regclass::text as place from ledger_event where run_id = '${runId}'`
        ),
        (rows) => rows.map(({ place }) => place)
      )
    const partitions = (table = "ledger_event") =>
      Effect.map(
        admin(
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`
        ),
        (rows) => rows.map(({ name }) => String(name))
      )
    /** Makes the partition of a month that is over. */
    const addMonth = (months: number, table: MonthlyTable = "ledger_event") => {
      const start = `date_trunc('month', now() at time zone 'utc') + interval '${months} months'`
      const id = (at: string) => `id_from('${prefixOf[table]}_a', (${at}) at time zone 'utc')`
      return admin(
        `select add_partition('${table}', '${partitionOf(months, table)}', ${id(start)}, ${id(`${start} + interval '1 month'`)})`
      )
    }
    return {
      ...Context.get(context, Database),
      audit: Context.get(context, AuditStore),
      ledger: Context.get(context, Ledger),
      retention: Context.get(context, Retention),
      addMonth,
      admin,
      name,
      partitions,
      placesOf
    }
  })

const ledgerOf = <E, R>(pool: Effect.Effect<pg.Pool, E, R>, pagePool: Effect.Effect<pg.Pool, E, R> = pool) =>
  LedgerPostgres.layer({ pool, pagePool, owner: "a", leaseSeconds: 60 }).pipe(Layer.provide(SharedTime.layer))

const migratedDatabase = Effect.flatMap(databaseUrl("migrated"), opened)

/** A database of the release before the months, and a ledger on it as that release has it. */
const databaseBefore = Effect.gen(function* () {
  const url = yield* databaseUrl("empty")
  yield* Effect.orDie(
    migrate(
      { connectionString: Redacted.value(url) },
      migrations.filter(({ id }) => id < monthlyPartitions.id)
    )
  )
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        connectionString: Redacted.value(servingUrlOf(url)),
        options: "-c role=plugfest_app"
      })
      pool.on("error", () => {})
      return pool
    }),
    (open) => Effect.promise(() => open.end())
  )
  const ledger = Context.get(yield* Layer.build(ledgerOf(Effect.succeed(pool))), Ledger)
  return { url, ledger }
})

const owned = (url: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** A run that is over, and ended so many days ago. */
const endedRun = (
  { admin, ledger }: Pick<Effect.Effect.Success<typeof migratedDatabase>, "admin" | "ledger">,
  runId: RunId,
  daysAgo: number
) =>
  Effect.gen(function* () {
    const run = yield* newRun(ledger, { runId })
    yield* ledger.append(run.next(1, [started, draft("run.completed")]))
    yield* admin(`update run set lease_until = now() - interval '${daysAgo} days' where run_id = '${runId}'`)
    return run
  })

describe("the migration", () => {
  it.scopedLive("keeps lines of both forms of ids, and lets the release before go on", () =>
    Effect.gen(function* () {
      const { ledger: before, url } = yield* databaseBefore
      const old = yield* newRun(before, { runId: runAt("2025-03-03", "") })
      const present = yield* newRun(before, { runId: runAt(new Date()) })
      yield* before.append(present.next(1, [started]))
      // It appends without a pause while the database is migrated.
      const others = yield* Effect.forEach([1, 2, 3, 4], () => newRun(before, { runId: runAt(new Date()) }))
      let isOver = false
      const appending = yield* Effect.fork(
        Effect.forEach(
          others,
          ({ next, runId }) =>
            Effect.gen(function* () {
              yield* before.append(next(1, [started]))
              let written = 2
              for (; !isOver || written < 5; written++)
                yield* before.append(next(1, [draft("inbound.received", { key: `call ${written}` })]))
              return { runId, written }
            }),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("50 millis")
      const { admin, ledger, partitions, placesOf } = yield* opened(url)
      isOver = true
      for (const { runId, written } of yield* Fiber.join(appending))
        assert.lengthOf(yield* ledger.page(runId, 0, 10_000), written)
      assert.deepStrictEqual(yield* placesOf(old.runId), ["ledger_event_first"])
      assert.deepStrictEqual(yield* placesOf(present.runId), ["ledger_event_first"])
      assert.deepStrictEqual(yield* partitions(), [
        partitionOf(2),
        "ledger_event_default",
        "ledger_event_first"
      ])
      assert.isEmpty(yield* admin("select from pg_constraint where conname = 'ledger_event_first'"))
      // Both releases at once: the statements of that before were prepared on the table that is now a partition.
      yield* before.append(old.next(1, [started]))
      yield* ledger.append(present.next(1, [draft("run.completed")]))
      assert.lengthOf(yield* before.page(present.runId, 0, 10), 3)
      assert.lengthOf(yield* ledger.page(old.runId, 0, 10), 2)
      const later = yield* newRun(before, { runId: runAt(monthsFromNow(2)) })
      assert.deepStrictEqual(yield* placesOf(later.runId), [partitionOf(2)])
      assert.isTrue(yield* before.purge(present.runId, "on request"))
      assert.isEmpty(yield* ledger.page(present.runId, 0, 10))
    })
  )

  it.scopedLive("reads no row while others wait", () =>
    Effect.gen(function* () {
      const { ledger, url } = yield* databaseBefore
      yield* newRun(ledger, { runId: runAt(new Date()) })
      const client = yield* owned(url)
      const said: Array<string> = []
      client.on("notice", ({ message }) => said.push(message ?? ""))
      yield* Effect.promise(async () => {
        await client.query("SET client_min_messages = debug1")
        for (const step of monthlyPartitions.before?.steps ?? []) await client.query(step)
        await client.query("BEGIN")
        await client.query(monthlyPartitions.sql("plugfest_app"))
        await client.query("COMMIT")
      })
      assert.include(
        said,
        'partition constraint for table "ledger_event_first" is implied by existing constraints'
      )
    })
  )

  it.scopedLive("that fails for good leaves the table as it was, and can be made again", () =>
    Effect.gen(function* () {
      const { ledger, url } = yield* databaseBefore
      const { next } = yield* newRun(ledger, { runId: runAt(new Date()) })
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      const admin = (text: string) => Effect.orDie(administer(text, name))
      yield* admin("create table ledger_event_default ()")
      const failed = yield* Effect.exit(migrate({ connectionString: Redacted.value(url) }, migrations))
      assert.isTrue(Exit.isFailure(failed))
      assert.isEmpty(yield* admin("select from pg_constraint where conname like '%\\_first'"))
      yield* ledger.append(next(1, [started]))
      yield* admin("drop table ledger_event_default")
      yield* Effect.orDie(migrate({ connectionString: Redacted.value(url) }, migrations))
      yield* ledger.append(next(1, [draft("run.completed")]))
    })
  )

  it.scopedLive("keeps the rights that an operator gave", () =>
    Effect.gen(function* () {
      const { url } = yield* databaseBefore
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      const reader = `reader_${randomBytes(4).toString("hex")}`
      yield* Effect.acquireRelease(Effect.orDie(administer(`create role ${reader}`)), () =>
        Effect.orDie(
          Effect.zipRight(administer(`drop owned by ${reader}`, name), administer(`drop role ${reader}`))
        )
      )
      const admin = (text: string) => Effect.orDie(administer(text, name))
      yield* admin(`grant select on ledger_event to ${reader}`)
      const rights = admin(`select grantee::regrole::text, privilege_type from pg_class, aclexplode(relacl)
        where oid = 'ledger_event'::regclass order by 1, 2`)
      const before = yield* rights
      yield* Effect.orDie(migrate({ connectionString: Redacted.value(url) }, migrations))
      assert.deepStrictEqual(yield* rights, before)
      assert.deepInclude(before, { grantee: reader, privilege_type: "SELECT" })
    })
  )
})

describe("a partition", () => {
  it.scopedLive("takes the lines of its month, and of nobody but the ledger's functions a change", () =>
    Effect.gen(function* () {
      const { admin, ledger, partitions, placesOf, pool } = yield* migratedDatabase
      const { runId } = yield* newRun(ledger, { runId: runAt(new Date()) })
      const far = yield* newRun(ledger, { runId: runAt("2300-01-01") })
      assert.deepStrictEqual(yield* placesOf(runId), [partitionOf(0)])
      assert.deepStrictEqual(yield* placesOf(far.runId), ["ledger_event_default"])
      const refused = (text: string) =>
        Effect.tryPromise(() => pool.query(text)).pipe(
          Effect.flip,
          Effect.map(({ cause }) => String(cause))
        )
      const all = yield* partitions()
      assert.sameMembers(all, [partitionOf(0), partitionOf(1), partitionOf(2), "ledger_event_default"])
      for (const name of all) {
        for (const text of [
          `update ${name} set line = ''`,
          `delete from ${name}`,
          `truncate ${name}`,
          `insert into ${name} select * from ledger_event`
        ])
          for (const role of ["", "set role none; "])
            assert.match(yield* refused(role + text), /permission denied/, text)
        for (const text of [
          `drop table ${name}`,
          `alter table ledger_event detach partition ${name}`,
          `alter table ${name} disable trigger all`,
          `alter table ${name} no inherit ledger_event`,
          `select add_partition('ledger_event', 'x', null, 'run_b')`
        ])
          assert.match(yield* refused(`set role none; ${text}`), /must be owner|permission denied/, text)
      }
      // Not even who owns the tables, unless a trigger is switched off.
      const toOwner = (text: string) => Effect.map(Effect.flip(Effect.sandbox(admin(text))), String)
      for (const [name, column] of [
        [partitionOf(0), "line"],
        ["ledger_event_default", "line"]
      ])
        for (const text of [`update ${name} set ${column} = ''`, `delete from ${name}`, `truncate ${name}`])
          assert.include(yield* toOwner(text), "append-only")
      assert.include(yield* toOwner(`truncate ${partitionOf(2)}`), "append-only")
      assert.lengthOf(yield* ledger.page(runId, 0, 10), 1)
    })
  )

  it.scopedLive("that was missing is made with the lines that came meanwhile", () =>
    Effect.gen(function* () {
      const { admin, ledger, partitions, placesOf, query } = yield* migratedDatabase
      yield* admin(`drop table ${partitionOf(0)}`)
      const run = yield* newRun(ledger, { runId: runAt(new Date()) })
      const other = yield* newRun(ledger, { runId: runAt(new Date(), "b") })
      yield* ledger.append(run.next(1, [started]))
      assert.deepStrictEqual(yield* placesOf(run.runId), ["ledger_event_default"])
      const made = yield* query({ text: "select make_partitions('ledger_event', 'a') as made" })
      assert.deepStrictEqual(made, [{ made: partitionOf(0) }])
      assert.deepStrictEqual(yield* placesOf(run.runId), [partitionOf(0)])
      assert.deepStrictEqual(yield* placesOf(other.runId), ["ledger_event_default"])
      assert.isEmpty(yield* query({ text: "select make_partitions('ledger_event', 'a')" }))
      yield* ledger.append(run.next(1, [draft("run.completed")]))
      assert.deepStrictEqual(
        (yield* ledger.page(run.runId, 0, 10)).map(({ sequence }) => sequence),
        [1, 2, 3]
      )
      // The letter of the cell was changed.
      yield* query({ text: "select make_partitions('ledger_event', 'b')" })
      assert.deepStrictEqual(yield* placesOf(other.runId), [partitionOf(0, "ledger_event", "b")])
      yield* newRun(ledger, { runId: runAt(new Date(), "c") })
      assert.include(
        String(yield* Effect.flip(Effect.sandbox(admin("delete from ledger_event_default")))),
        "append-only"
      )
      assert.include(yield* partitions(), "ledger_event_default")
    })
  )

  it.scopedLive("is made by several processes at once, while all of them append", () =>
    Effect.gen(function* () {
      const { admin, ledger, partitions, query } = yield* migratedDatabase
      const before = yield* partitions()
      for (const months of [0, 1, 2]) yield* admin(`drop table ${partitionOf(months)}`)
      const runs = yield* Effect.forEach(Array.from({ length: 16 }), () =>
        newRun(ledger, { runId: runAt(new Date()) })
      )
      yield* Effect.all(
        [
          ...Array.from({ length: 3 }, () => query({ text: "select make_partitions('ledger_event', 'a')" })),
          ...runs.map(({ next }) =>
            Effect.gen(function* () {
              yield* ledger.append(next(1, [started]))
              for (let n = 0; n < 20; n++)
                yield* ledger.append(next(1, [draft("inbound.received", { key: `call ${n}` })]))
            })
          )
        ],
        { concurrency: "unbounded" }
      )
      assert.sameMembers(yield* partitions(), before)
      for (const { runId } of runs) assert.lengthOf(yield* ledger.page(runId, 0, 100), 22)
      assert.deepStrictEqual(
        yield* admin("select count(*)::int n, count(distinct tableoid)::int tables from ledger_event"),
        [{ n: 16 * 22, tables: 1 }]
      )
    })
  )

  it.scopedLive("of another table is not made, nor one of another letter", () =>
    Effect.gen(function* () {
      const { attempt } = yield* migratedDatabase
      for (const text of [
        "select make_partitions('run', 'a')",
        "select make_partitions('ledger_event', 'a''; drop table run; --')",
        "select drop_old_partition('party', 0)"
      ])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt({ text }))), text)
    })
  )
})

describe("an append", () => {
  it.scopedLive("locks its own month and no other, by a plan that is made once", () =>
    Effect.gen(function* () {
      const { addMonth, ledger, pool } = yield* migratedDatabase
      for (const months of [-3, -2, -1]) yield* addMonth(months)
      const runs = yield* Effect.forEach([1, 2, 3], () => newRun(ledger, { runId: runAt(monthsFromNow(0)) }))
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => pool.connect()),
        (held) => Effect.sync(() => held.release(true))
      )
      yield* Effect.promise(() => client.query(session))
      for (const together of [runs.slice(0, 1), runs.slice(1)]) {
        const appends = together.map(({ next }) => next(1, [started]))
        const { locked, prepared } = yield* Effect.promise(async () => {
          await client.query("begin")
          const moved = await client.query(statementFor(appends, makeStarts()) as pg.QueryConfig)
          assert.strictEqual(moved.rowCount, together.length)
          const locks = await client.query<{ name: string }>(
            `select relation::regclass::text as name from pg_locks
            where pid = pg_backend_pid() and relation::regclass::text like 'ledger_event%'`
          )
          const plans = await client.query<{ custom: number }>(
            "select custom_plans::int as custom from pg_prepared_statements where name like 'ledger-append%'"
          )
          await client.query("rollback")
          return { locked: locks.rows, prepared: plans.rows }
        })
        assert.sameMembers(
          locked.map(({ name }) => name),
          ["ledger_event", partitionOf(0)]
        )
        assert.isTrue(prepared.every(({ custom }) => custom === 0))
      }
    })
  )
})

describe("a page", () => {
  it.scopedLive("is read from one partition, by a plan that is made once for all runs", () =>
    Effect.gen(function* () {
      const { addMonth, ledger, plannedOnce } = yield* migratedDatabase
      for (const months of [-3, -2, -1]) yield* addMonth(months)
      const { runId } = yield* newRun(ledger, { runId: runAt(monthsFromNow(-2)) })
      assert.lengthOf(yield* ledger.page(runId, 0, 100), 1)
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => plannedOnce.connect()),
        (held) => Effect.sync(() => held.release())
      )
      const plan = yield* Effect.promise(async () => {
        await client.query(`prepare page as ${pageStatement(runId, 0, 100, {}).text}`)
        await client.query(`execute page('${runAt(monthsFromNow(0))}', 0, 100, null, null)`)
        const { rows } = await client.query(`explain (analyze) execute page('${runId}', 0, 100, null, null)`)
        return rows.map((row: { readonly "QUERY PLAN": string }) => row["QUERY PLAN"]).join("\n")
      })
      assert.match(plan, /Subplans Removed: [4-9]/)
      assert.include(plan, `Index Scan using ${partitionOf(-2)}_pkey`)
      assert.strictEqual(plan.match(/ Scan /g)?.length, 1)
    })
  )
})

describe("purging of months", () => {
  it.scopedLive("drops the lines of a month when every run in it is due, and leaves tombstones", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const { addMonth, admin, ledger, partitions, retention } = database
      yield* addMonth(-4)
      yield* addMonth(-3)
      const due = yield* Effect.forEach([1, 2, 3], () => endedRun(database, runAt(monthsFromNow(-4)), 100))
      const other = yield* endedRun(database, runAt(monthsFromNow(-3)), 90)
      const young = yield* endedRun(database, runAt(monthsFromNow(-3)), 60)
      const heads = yield* admin(
        "select run_id, report_id, owner_id, last_sequence as lines, head_hash from run order by 1"
      )
      const purged = yield* retention.purgeOlder(80)
      assert.sameMembers([...purged], [...due.map(({ runId }) => runId), other.runId])
      const left = yield* partitions()
      assert.notInclude(left, partitionOf(-4))
      assert.include(left, partitionOf(-3)) // one run of it is not due
      assert.lengthOf(yield* ledger.page(young.runId, 0, 10), 3)
      assert.isEmpty(yield* ledger.page(other.runId, 0, 10))
      assert.deepStrictEqual(
        yield* admin("select run_id, report_id, owner_id, lines, head_hash from run_tombstone order by 1"),
        heads.filter(({ run_id }) => run_id !== young.runId)
      )
      const tombstone = yield* ledger.tombstone(due[0]!.facts.ownerId, due[0]!.runId)
      assert.strictEqual(Option.getOrThrow(tombstone).reason, "older than 80 days")
      // A run of an ended month has no partition any more, and is taken all the same.
      const late = yield* newRun(ledger, { runId: runAt(monthsFromNow(-4)) })
      assert.deepStrictEqual(yield* database.placesOf(late.runId), ["ledger_event_default"])
    })
  )

  it.scopedLive("keeps a month with an open run, whatever its age, and the month that is now", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const { addMonth, ledger, partitions, retention } = database
      yield* addMonth(-5)
      const due = yield* endedRun(database, runAt(monthsFromNow(-5)), 150)
      const open = yield* newRun(ledger, { runId: runAt(monthsFromNow(-5)) })
      const today = yield* endedRun(database, runAt(new Date()), 150)
      assert.isEmpty(yield* ledger.purgeMonth(80, "")) // neither as a whole
      assert.sameMembers([...(yield* retention.purgeOlder(80))], [due.runId, today.runId])
      assert.includeMembers(yield* partitions(), [partitionOf(-5), partitionOf(0)])
      assert.lengthOf(yield* ledger.page(open.runId, 0, 10), 1)
    })
  )

  it.scopedLive("keeps a month with lines that belong to no run: they are evidence of damage", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const { addMonth, admin, partitions, retention } = database
      yield* addMonth(-5)
      const due = yield* endedRun(database, runAt(monthsFromNow(-5)), 150)
      const lost = yield* endedRun(database, runAt(monthsFromNow(-5)), 150)
      yield* admin(`delete from run where run_id = '${lost.runId}'`)
      assert.deepStrictEqual([...(yield* retention.purgeOlder(80))], [due.runId])
      assert.include(yield* partitions(), partitionOf(-5))
      assert.lengthOf(yield* database.placesOf(lost.runId), 1)
    })
  )

  it.scopedLive(
    "waits for nobody who reads: it takes the runs one by one instead, and appends go on",
    () =>
      Effect.gen(function* () {
        const database = yield* migratedDatabase
        const { addMonth, ledger, partitions, pool, retention } = database
        yield* addMonth(-5)
        const due = yield* endedRun(database, runAt(monthsFromNow(-5)), 150)
        const reader = yield* Effect.acquireRelease(
          Effect.promise(() => pool.connect()),
          (client) => Effect.sync(() => client.release(true))
        )
        yield* Effect.promise(() => reader.query("begin; select count(*) from ledger_event"))
        const run = yield* newRun(ledger, { runId: runAt(new Date()) })
        yield* ledger.append(run.next(1, [started]))
        const purging = yield* Effect.fork(retention.purgeOlder(80))
        const waits: Array<number> = []
        for (let n = 0; n < 60; n++) {
          const began = performance.now()
          yield* ledger.append(run.next(1, [draft("inbound.received", { key: `call ${n}` })]))
          waits.push(performance.now() - began)
          yield* Effect.sleep("50 millis")
        }
        assert.deepStrictEqual([...(yield* Fiber.join(purging))], [due.runId])
        // The machine may have been away during one of them; a lock that is waited for is tried for again.
        const [, second] = waits.sort((a, b) => b - a)
        assert.isBelow(second!, 1000)
        assert.include(yield* partitions(), partitionOf(-5))
        // The reader is done: the month is empty, and goes.
        yield* Effect.promise(() => reader.query("commit"))
        assert.strictEqual(yield* dropOldPartitions(pool, "ledger_event", 0), 0)
        assert.notInclude(yield* partitions(), partitionOf(-5))
        assert.includeMembers(yield* partitions(), [partitionOf(0), partitionOf(1), partitionOf(2)])
      }),
    30_000
  )

  it.scopedLive("verifies as before, over all months", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      yield* database.addMonth(-5)
      for (const months of [-5, 0, 1, 2, 7])
        yield* newRun(database.ledger, { runId: runAt(monthsFromNow(months)) })
      const client = yield* owned(Redacted.make(inject("pgUrl").replace(/postgres$/, database.name)))
      yield* Effect.promise(() => client.query("BEGIN"))
      const found = yield* Effect.promise(() => verifyEveryRun(client, new AbortController().signal))
      assert.deepStrictEqual(found, { runs: 5, lines: 5, notIntact: [], archived: { runs: 0, lines: 0 } })
    })
  )
})

describe("the audit log", () => {
  it.scopedLive("drops the months that are older than it is kept, and the other old entries", () =>
    Effect.gen(function* () {
      const { addMonth, admin, audit, partitions, query } = yield* migratedDatabase
      yield* addMonth(-5, "audit_entry")
      yield* addMonth(-4, "audit_entry")
      const entry = (months: number, daysAgo: number) =>
        query({
          text: "insert into audit_entry (id, owner_id, action, at) values ($1, 'own_1', 'x', now() - $2 * interval '1 day')",
          values: [idAt("audit", monthsFromNow(months)), daysAgo]
        })
      for (const [months, daysAgo] of [
        [-5, 150],
        [-5, 149],
        [-4, 120],
        [-4, 80],
        [0, 0]
      ] as const)
        yield* entry(months, daysAgo)
      assert.strictEqual(yield* audit.prune(90), 3)
      assert.lengthOf(yield* admin("select from audit_entry"), 2)
      const left = yield* partitions("audit_entry")
      assert.notInclude(left, partitionOf(-5, "audit_entry"))
      assert.include(left, partitionOf(-4, "audit_entry"))
    })
  )
})

describe("exchanges", () => {
  const exchange = (id: string, months: number, daysAgo: number) => ({
    text: `insert into party_exchange (party_id, exchange_id, direction, exchange, kept_at)
           values ($1, $2, 'inbound', '{}', now() - $3 * interval '1 day')`,
    values: [id, idAt("exchange", monthsFromNow(months)), daysAgo]
  })

  it.scopedLive("are kept as they were by the migration, with their positions", () =>
    Effect.gen(function* () {
      const { url } = yield* databaseBefore
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      const admin = (text: string) => Effect.orDie(administer(text, name))
      const id = idAt("exchange", new Date())
      const insert = `insert into party_exchange (party_id, exchange_id, direction, exchange)
        values ('conn_1', '${id}', 'inbound', '{"n": 1}') on conflict (party_id, exchange_id) do update set exchange = excluded.exchange`
      yield* admin(insert)
      yield* Effect.orDie(migrate({ connectionString: Redacted.value(url) }, migrations))
      yield* admin(insert.replace('"n": 1', '"n": 2'))
      yield* admin(insert.replace(id, idAt("exchange", monthsFromNow(9))))
      assert.deepStrictEqual(
        yield* admin(
          `select position::int, exchange, tableoid::regclass::text as place from party_exchange order by position`
        ),
        [
          { position: 1, exchange: { n: 2 }, place: "party_exchange_first" },
          { position: 3, exchange: { n: 1 }, place: "party_exchange_default" }
        ]
      )
      // The table of before may go: the sequence of positions is not its own.
      yield* admin("drop table party_exchange_first")
      assert.deepStrictEqual(yield* admin("select nextval('party_exchange_position_seq')::int as n"), [
        { n: 4 }
      ])
    })
  )

  it.scopedLive("of a month go at once when all are old, and no connection of theirs has an open run", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const { addMonth, admin, ledger, partitions, query, retention } = database
      for (const months of [-6, -5, -4]) yield* addMonth(months, "party_exchange")
      for (const [party, months, daysAgo] of [
        ["conn_2", -6, 180],
        ["conn_2", -6, 181],
        ["conn_1", -5, 150],
        ["conn_2", -5, 150],
        ["conn_2", -4, 120],
        ["conn_2", -4, 10]
      ] as const)
        yield* query(exchange(party, months, daysAgo))
      yield* newRun(ledger, { runId: runAt(new Date()) }) // of conn_1
      assert.strictEqual(yield* retention.purgeExchanges(80), 4)
      assert.deepStrictEqual(
        yield* admin(
          "select party_id, extract(day from now() - kept_at)::int as age from party_exchange order by age"
        ),
        [
          { party_id: "conn_2", age: 10 },
          { party_id: "conn_1", age: 150 }
        ]
      )
      const left = yield* partitions("party_exchange")
      assert.notInclude(left, partitionOf(-6, "party_exchange"))
      assert.includeMembers(left, [partitionOf(-5, "party_exchange"), partitionOf(-4, "party_exchange")])
    })
  )

  it.scopedLive("that are kept for ever are in one partition a year", () =>
    Effect.gen(function* () {
      const { admin, partitions, query } = yield* migratedDatabase
      const make = (byYear: boolean) =>
        query<{ readonly made: string }>({
          text: "select make_partitions('party_exchange', 'a', $1) as made",
          values: [byYear]
        })
      const years = [0, 1, 2].map((months) => monthsFromNow(months).getUTCFullYear())
      assert.lengthOf(yield* make(true), new Set(years).size)
      const bounds = yield* admin("select * from month_partitions('party_exchange')")
      assert.deepStrictEqual(
        bounds.map(({ upper }) => upper),
        [...new Set(years)].map((year) => idAt("exchange", `${year + 1}-01-01`).slice(0, 17))
      )
      yield* query(exchange("conn_1", 2, 0))
      assert.isEmpty(yield* make(false)) // the months of these years are there
      assert.isEmpty(yield* admin("select from party_exchange_default"))
      assert.lengthOf(yield* partitions("party_exchange"), new Set(years).size + 1)
    })
  )
})
