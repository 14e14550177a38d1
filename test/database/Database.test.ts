import { connect, createServer, type Socket } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, Layer, Logger, Redacted } from "effect"
import { Database } from "../../src/database/Database.ts"
import { isDatabaseDown } from "../../src/database/DatabaseDown.ts"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { retryStatementsFor } from "../../src/database/retry.ts"
import { freePort } from "../support/service/Service.ts"
import { administer, databaseUrl, servingUrlOf, TestDatabase } from "../support/TestDatabase.ts"

const onDatabase = (url: Redacted.Redacted<string>) =>
  Database.layer({ url, dataDir: "/nowhere", poolSize: 3 })

layer(TestDatabase)("Database", (it) => {
  it.effect("answers rows, int8 as a number", () =>
    Effect.gen(function* () {
      const { query } = yield* Database
      assert.deepStrictEqual(yield* query({ text: "SELECT $1::bigint n", values: [7] }), [{ n: 7 }])
    })
  )

  it.effect("serves in a role that owns nothing", () =>
    Effect.gen(function* () {
      const { query } = yield* Database
      assert.deepStrictEqual(yield* query({ text: "SELECT current_user AS role" }), [
        { role: "plugfest_app" }
      ])
    })
  )

  it.effect("dies of a wrong statement, and does not call that a loss", () =>
    Effect.gen(function* () {
      const { query } = yield* Database
      const exit = yield* Effect.exit(query({ text: "SELECT nonsense" }))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause) && !isDatabaseDown(exit.cause))
    })
  )

  it.effect("may write rows and may not change ledger lines", () =>
    Effect.gen(function* () {
      const { attempt, query } = yield* Database
      yield* query({ text: "INSERT INTO owner (id, account) VALUES ('own_1', 'one')" })
      for (const text of [
        "UPDATE ledger_event SET line = ''",
        "DELETE FROM ledger_event",
        "TRUNCATE ledger_event"
      ]) {
        const exit = yield* Effect.exit(attempt({ text }))
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "permission denied")
      }
    })
  )

  it.effect("outlives a connection that breaks while nobody holds on to it", () =>
    Effect.gen(function* () {
      const { pool } = yield* Database
      const client = yield* Effect.promise(() => pool.connect())
      // Without a listener this would be thrown, and end the process.
      client.emit("error", new Error("terminating connection due to administrator command"))
      client.release(true)
    })
  )

  it.effect("sits out the end of every connection", () =>
    Effect.gen(function* () {
      const { pool, query, writes } = yield* Database
      yield* Effect.all([query({ text: "SELECT 1" }), query({ text: "SELECT 1" })], { concurrency: 2 })
      const { database } = (yield* query<{ database: string }>({
        text: "SELECT current_database() AS database"
      }))[0]!
      const sleeping = yield* Effect.fork(query({ text: "SELECT pg_sleep(0.3)" }))
      yield* Effect.withClock(Effect.sleep("100 millis"), Clock.make())
      yield* administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`
      )
      yield* query({ text: "SELECT 1" })
      yield* sleeping
      assert.strictEqual(yield* writes, "ok")
      assert.isAtMost(pool.totalCount, 6)
    })
  )
})

const oldRun = `
  INSERT INTO run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id, plan,
    created_at, status, snapshot, last_sequence, head_hash, closed, lease_epoch, lease_until)
  VALUES ('run_1', 'rep_1', 'own_1', 'journey', 'conn_1', 'label', '2.2.1', 'remote-start', '{}',
    '2026-01-01T00:00:00.000Z', 'completed', '[]', 1, 'hash', true, 1, now())`
const oldLine = `
  INSERT INTO ledger_event (run_id, sequence, event_id, type, line, hash)
  VALUES ('run_1', 1, 'event', 'run.created', '{}', 'hash')`

describe("Database, from start to loss", () => {
  it.effect("is migrated once by three processes that start at once", () =>
    Effect.gen(function* () {
      const adminUrl = yield* databaseUrl("empty")
      const url = servingUrlOf(adminUrl)
      const applied = Effect.flatMap(Database, ({ query }) =>
        query({ text: "SELECT id, name FROM schema_migration ORDER BY id" })
      ).pipe(Effect.provide(Database.layer({ url, adminUrl, dataDir: "/nowhere", poolSize: 3 })))
      const expected = migrations.map(({ id, name }) => ({ id, name }))
      for (const rows of yield* Effect.all([applied, applied, applied], { concurrency: 3 })) {
        assert.deepStrictEqual(rows, expected)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("migrates for longer than the server lets a statement run", () =>
    Effect.gen(function* () {
      const adminUrl = yield* databaseUrl("empty")
      const connectionString = Redacted.value(adminUrl)
      const database = new URL(connectionString).pathname.slice(1)
      yield* administer(`ALTER DATABASE ${database} SET statement_timeout = '200ms'`)
      const slow = { id: 1, name: "slow", sql: () => "SELECT pg_sleep(0.5)" }
      yield* Effect.all([migrate({ connectionString }, [slow]), migrate({ connectionString }, [slow])], {
        concurrency: 2
      })
    }).pipe(Effect.scoped)
  )

  it.effect("runs as the login role, with a warning, where there may be no other", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* databaseUrl("empty")))
      const login = url.pathname.slice(1)
      yield* Effect.acquireRelease(
        Effect.all([
          administer(`CREATE ROLE ${login} LOGIN PASSWORD 'p'`),
          administer(`ALTER DATABASE ${login} OWNER TO ${login}`)
        ]),
        () =>
          Effect.orDie(
            Effect.all([
              administer(`ALTER DATABASE ${login} OWNER TO CURRENT_USER`),
              administer(`DROP DATABASE ${login} WITH (FORCE)`),
              administer(`DROP ROLE ${login}`),
              administer(`CREATE DATABASE ${login}`) // for the one who made it to drop
            ])
          )
      )
      url.username = login
      url.password = "p"
      const warnings: Array<unknown> = []
      yield* Effect.gen(function* () {
        const { attempt, query } = yield* Database
        assert.deepStrictEqual(yield* query({ text: "SELECT current_user AS role" }), [{ role: login }])
        yield* query({ text: "INSERT INTO owner (id, account) VALUES ('own_1', 'one')" })
        yield* query({ text: oldRun })
        yield* query({ text: oldLine })
        const exit = yield* Effect.exit(attempt({ text: "DELETE FROM ledger_event" }))
        assert.isTrue(Exit.isFailure(exit))
        const purged = yield* query({ text: "SELECT purge_run('run_1', 'old') AS gone" })
        assert.deepStrictEqual(purged, [{ gone: true }])
        assert.isEmpty(yield* query({ text: "SELECT line FROM ledger_event" }))
      }).pipe(Effect.provide(Layer.provide(onDatabase(Redacted.make(url.href)), collect(warnings))))
      assert.lengthOf(warnings, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("says that a database is unusable, without the password", () =>
    Effect.gen(function* () {
      const url = yield* databaseUrl("migrated")
      const wrong = Redacted.make(Redacted.value(url).replace(/:[^:@]+@/, ":s3cret@"))
      const error = yield* Effect.flip(Effect.provide(Database, onDatabase(wrong)))
      assert.strictEqual(error._tag, "DatabaseUnusable")
      assert.include(error.message, "password authentication failed")
      assert.notInclude(error.message, "s3cret")
    }).pipe(Effect.scoped)
  )

  it.effect("waits for a Postgres that is away, with one warning, and is there when it comes", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* databaseUrl("migrated")))
      const port = Number(url.port)
      url.port = String(yield* Effect.promise(freePort))
      const warnings: Array<unknown> = []
      let waits = 0
      let close = () => {}
      const start = Effect.map(forward(Number(url.port), port), (closing) => {
        close = closing
      })
      const open = Database.layer({
        url: Redacted.make(url.href),
        dataDir: "/nowhere",
        onWait: Effect.suspend(() => (++waits === 2 ? start : Effect.void))
      }).pipe(
        Layer.provide(
          Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ message }) => warnings.push(message))
          )
        )
      )
      const state = yield* Effect.flatMap(Database, ({ writes }) => writes).pipe(Effect.provide(open))
      assert.strictEqual(state, "ok")
      close()
      assert.strictEqual(waits, 2)
      assert.lengthOf(warnings, 1)
      assert.include(String(warnings[0]), `127.0.0.1:${url.port}`)
    }).pipe(Effect.scoped)
  )

  it.effect("dies recognisably when the database stays away", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* databaseUrl("migrated")))
      const port = yield* Effect.promise(freePort)
      const close = yield* forward(port, Number(url.port))
      url.port = String(port)
      const exit = yield* Effect.gen(function* () {
        const { attempt, query, writes } = yield* Database
        assert.strictEqual(yield* writes, "ok")
        close()
        const typed = yield* Effect.flip(attempt({ text: "SELECT 1" }))
        assert.strictEqual(typed._tag, "DatabaseDown")
        yield* Effect.withClock(Effect.sleep("1100 millis"), Clock.make()) // as old as it may be
        assert.strictEqual(yield* writes, "away")
        return yield* Effect.exit(query({ text: "SELECT 1" }))
      }).pipe(Effect.provide(onDatabase(Redacted.make(url.href))))
      assert.isTrue(Exit.isFailure(exit) && isDatabaseDown(exit.cause))
    }).pipe(Effect.scoped)
  )

  it.effect("lets work stand still for as long as it may, while others hear of the loss soon", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* databaseUrl("migrated")))
      const target = Number(url.port)
      const port = yield* Effect.promise(freePort)
      url.port = String(port)
      let close = yield* forward(port, target)
      yield* Effect.gen(function* () {
        const { query } = yield* Database
        const one = Effect.exit(query({ text: "SELECT 1" }))
        yield* one
        close()
        const stands = yield* Effect.fork(retryStatementsFor(30)(one))
        const short = yield* Effect.fork(retryStatementsFor(0.5)(one))
        // The one that is told soon is told first; the database comes back after it.
        const told = yield* one
        assert.isTrue(Exit.isFailure(told) && isDatabaseDown(told.cause))
        assert.isTrue(Exit.isFailure(yield* Fiber.join(short)))
        close = yield* forward(port, target)
        assert.isTrue(Exit.isSuccess(yield* Fiber.join(stands)))
      }).pipe(Effect.provide(onDatabase(Redacted.make(url.href))))
      close()
    }).pipe(Effect.scoped)
  )
})

const collect = (messages: Array<unknown>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => messages.push(message))
  )

/** Lets a port lead to another one, until it is closed with everything that goes through it. */
const forward = (from: number, to: number) =>
  Effect.sync(() => {
    const ends = new Set<Socket>()
    const server = createServer((socket) => {
      const other = connect(to, "127.0.0.1")
      socket.pipe(other).pipe(socket)
      for (const end of [socket, other]) ends.add(end.on("error", () => {}))
    }).listen(from, "127.0.0.1")
    return () => {
      server.close()
      for (const end of ends) end.destroy()
    }
  })
