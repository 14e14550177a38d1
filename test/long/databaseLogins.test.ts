/** As whom the built service works on its database, and what such a login can make of itself. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { plugfest } from "../support/service/command.ts"
import { freshDatabase, rows } from "../support/service/database.ts"
import { connectSandbox, freePort, servingUrl, startService, until } from "../support/service/Service.ts"
import { tried } from "../support/tried.ts"

/** What whoever got a statement past us would try next, from the login that the pool has. */
const escapes = [
  "RESET ROLE; UPDATE ledger_event SET line = ''",
  "RESET ROLE; DELETE FROM ledger_event",
  "RESET ROLE; TRUNCATE ledger_event",
  "RESET ROLE; ALTER TABLE ledger_event DISABLE TRIGGER ALL",
  "RESET ROLE; DROP TRIGGER no_change ON ledger_event",
  "RESET ROLE; ALTER TABLE ledger_event OWNER TO CURRENT_USER",
  "RESET ROLE; DROP TABLE ledger_event",
  "RESET ROLE; UPDATE run_tombstone SET reason = ''",
  "RESET ROLE; SET session_replication_role = replica",
  "RESET ROLE; SET ROLE plugfest",
  "SET SESSION AUTHORIZATION plugfest",
  "RESET ROLE; ALTER ROLE CURRENT_USER SUPERUSER",
  "RESET ROLE; CREATE ROLE another SUPERUSER LOGIN",
  "RESET ROLE; GRANT pg_execute_server_program TO CURRENT_USER",
  "RESET ROLE; COPY (SELECT 1) TO PROGRAM 'true'",
  "RESET ROLE; COPY run FROM '/etc/passwd'",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT rolpassword FROM pg_authid",
  "ALTER SYSTEM SET fsync = off",
  "RESET ROLE; CREATE FUNCTION public.evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "RESET ROLE; CREATE OR REPLACE FUNCTION purge_run(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
  "RESET ROLE; INSERT INTO schema_migration (id, name) VALUES (99, 'x')"
]

/** The SQLSTATE that each is refused with, or `done`. */
async function refusals(url: string): Promise<ReadonlyArray<string>> {
  const found: Array<string> = []
  for (const sql of escapes) {
    const code = await rows(url, sql).then(
      () => "done",
      (error) => String(error.code)
    )
    found.push(`${code} ${sql}`)
  }
  return found
}
const insufficient = escapes.map((sql) => `42501 ${sql}`)

/** Logins of the service's own connections, and whether one of them is more than an ordinary one. */
const backends = (admin: string) =>
  rows(
    admin,
    `SELECT usename::text AS login, application_name AS name,
       bool_or(rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls) AS more
     FROM pg_stat_activity JOIN pg_roles ON rolname = usename
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
     GROUP BY 1, 2 ORDER BY 2`
  )

const parts = ["plugfest", "plugfest heartbeat", "plugfest listener"]
const expectedOf = (login: string) => parts.map((name) => ({ login, name, more: false }))
/** The backends when each part of the service has connected, which it does when it first needs to. */
const connected = (database: string, login: string) =>
  until(`${parts.length} parts to be connected as ${login}`, async () => {
    const found = await backends(database)
    return found.length >= parts.length ? found : undefined
  })

describe("the embedded database", () => {
  let dataDir: string
  const file = (name: string) => join(dataDir, "postgres", name)
  const urlOf = (user: string, password: string) => {
    const [, , , port] = readFileSync(file("data/postmaster.pid"), "utf8").split("\n")
    return `postgres://${user}:${password.trim()}@127.0.0.1:${port}/postgres`
  }
  const admin = () => urlOf("plugfest", readFileSync(file("data/plugfest.password"), "utf8"))
  const serving = () => urlOf("plugfest_service", readFileSync(file("service.password"), "utf8"))

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), "plugfest-logins-"))
    chmodSync(dataDir, 0o711)
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it("of an earlier version is taken over with all that it holds", async () => {
    const scope = Effect.runSync(Scope.make())
    const { adminUrl } = await Effect.runPromise(Scope.extend(EmbeddedPostgres.acquire({ dataDir }), scope))
    const old = Redacted.value(adminUrl)
    await Effect.runPromise(
      migrate(
        { connectionString: old },
        migrations.filter(({ id }) => id <= 11)
      )
    )
    await rows(old, "INSERT INTO owner (id, account) VALUES ('own_old', 'old')")
    assert.deepStrictEqual(await rows(old, "SELECT FROM pg_roles WHERE rolname = 'plugfest_service'"), [])
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(file("service.password"))

    const service = await startService({ DATA_DIR: dataDir })
    try {
      assert.deepStrictEqual(await rows(admin(), "SELECT id FROM owner WHERE id = 'own_old'"), [
        { id: "own_old" }
      ])
      assert.deepStrictEqual(await connected(admin(), "plugfest_service"), expectedOf("plugfest_service"))
    } finally {
      await service.kill("SIGTERM")
    }
  }, 90_000)

  it("is worked on by a login that can make nothing of itself, whose password only we can read", async () => {
    const service = await startService({ DATA_DIR: dataDir })
    try {
      await connectSandbox(service) // a few tables are written, by the pool and by the ledger's writer
      assert.deepStrictEqual(await connected(admin(), "plugfest_service"), expectedOf("plugfest_service"))
      assert.strictEqual(statSync(file("service.password")).mode & 0o777, 0o600)
      assert.deepStrictEqual(await refusals(serving()), insufficient)
      tried("B33", [`${escapes.length} statements`], "each refused with 42501")
      const commands = [
        ["keys", "create"],
        ["keys", "list"],
        ["purge", "--older-than", "1d"],
        ["secrets", "rotate"]
      ]
      for (const command of commands) {
        const ended = await plugfest(command, { DATA_DIR: dataDir })
        assert.strictEqual(ended.code, 0, `${command}: ${ended.stderr}`)
      }
    } finally {
      await service.kill("SIGTERM")
    }
  }, 120_000)

  it("gives that login a new password when the file is lost, or somebody changed it", async () => {
    rmSync(file("service.password"))
    const service = await startService({ DATA_DIR: dataDir })
    try {
      assert.deepStrictEqual(await rows(serving(), "SELECT 1 AS one"), [{ one: 1 }])
      assert.deepStrictEqual(await connected(admin(), "plugfest_service"), expectedOf("plugfest_service"))
    } finally {
      await service.kill("SIGTERM")
    }
  }, 90_000)
})

describe("a database of one's own", () => {
  const made: Array<string> = []
  const cluster = (sql: string) => rows(inject("pgUrl"), sql)
  /** A login that is new, and the URL of that database with it. */
  const login = async (database: string, attributes: string) => {
    const name = `e2e_${Math.random().toString(36).slice(2, 10)}`
    made.push(name)
    await cluster(`CREATE ROLE ${name} LOGIN PASSWORD 'canary' ${attributes}`)
    const url = new URL(database)
    url.username = name
    url.password = "canary"
    return { name, url: url.href }
  }
  const serve = async (env: Record<string, string>) =>
    plugfest(["serve"], { PORT: String(await freePort()), LOG_FORMAT: "json", ...env })
  const tables = (database: string) =>
    rows(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")

  afterAll(async () => {
    for (const name of made) {
      const owned = await cluster(
        `SELECT datname FROM pg_database WHERE datdba = (SELECT oid FROM pg_roles WHERE rolname = '${name}')`
      )
      for (const { datname } of owned) await cluster(`DROP DATABASE ${datname} WITH (FORCE)`)
      await cluster(`DROP ROLE IF EXISTS ${name}`).catch(() => {}) // still in a database that is gone with the cluster
    }
  })

  it("is not served on as a superuser, nor as one who can become one, and is left as it is", async () => {
    const database = await freshDatabase(inject("pgUrl"))
    const member = await login(database, "IN ROLE plugfest")
    const writer = await login(database, "IN ROLE pg_write_server_files")
    for (const [url, why] of [
      [database, "is a superuser"],
      [member.url, "may act as plugfest"],
      [writer.url, "may act as pg_write_server_files"]
    ] as const) {
      const ended = await serve({ DATABASE_URL: url, DATABASE_ALLOW_SUPERUSER: "off" })
      assert.strictEqual(ended.code, 5)
      assert.match(
        ended.stderr.trim(),
        /^Postgres at [^\n]+DATABASE_ADMIN_URL[^\n]+DATABASE_ALLOW_SUPERUSER=on$/
      )
      assert.include(ended.stderr, why)
      assert.notInclude(ended.stderr, "canary")
      const command = await plugfest(["keys", "create"], {
        DATABASE_URL: url,
        DATABASE_ALLOW_SUPERUSER: "off"
      })
      assert.strictEqual(command.code, 5)
    }
    assert.deepStrictEqual(await tables(database), [])
    const both = await serve({ DATABASE_URL: database, DATABASE_ADMIN_URL: database })
    assert.include(both.stderr, "is a superuser")
    const alone = await serve({ DATABASE_ADMIN_URL: database })
    assert.strictEqual(alone.code, 2)
    assert.match(alone.stderr, /is given without DATABASE_URL; give both/)
  }, 90_000)

  it("is served on as a superuser where that is allowed", async () => {
    const database = await freshDatabase(inject("pgUrl"))
    const service = await startService({ DATABASE_URL: database, DATABASE_ALLOW_SUPERUSER: "on" })
    assert.strictEqual((await service.call("GET", "/health/ready")).status, 200)
    await service.kill("SIGTERM")
  }, 60_000)

  it("is migrated with one login and served on with another, which is made where there is none", async () => {
    const database = await freshDatabase(inject("pgUrl"))
    const name = `e2e_${Math.random().toString(36).slice(2, 10)}`
    made.push(name)
    const url = new URL(database)
    url.username = name
    url.password = "p @/:% word"
    const first = await startService({ DATABASE_ADMIN_URL: database, DATABASE_URL: url.href })
    assert.notInclude(first.output(), '"level":"warn"')
    assert.deepStrictEqual(await connected(database, name), expectedOf(name))
    assert.deepStrictEqual(await refusals(url.href), insufficient)
    await first.kill("SIGTERM")
    // Nothing is to be migrated any more: the administrator's login may go.
    const second = await startService({ DATABASE_URL: url.href, DATABASE_ALLOW_SUPERUSER: "off" })
    assert.strictEqual((await second.call("GET", "/health/ready")).status, 200)
    await second.kill("SIGTERM")
    // Something is, and that login is asked for.
    await rows(database, "DELETE FROM schema_migration WHERE id = 12")
    const refused = await serve({ DATABASE_URL: url.href, DATABASE_ALLOW_SUPERUSER: "off" })
    assert.strictEqual(refused.code, 5)
    assert.match(refused.stderr, /needs a migration[^\n]+DATABASE_ADMIN_URL\n$/)
  }, 120_000)

  it("is served on by its one owner with a warning, in the role that may not change the ledger", async () => {
    const database = await freshDatabase(inject("pgUrl"))
    const owner = await login(database, "CREATEROLE")
    await cluster(`GRANT plugfest_app TO ${owner.name} WITH ADMIN OPTION`)
    await cluster(`ALTER DATABASE ${new URL(database).pathname.slice(1)} OWNER TO ${owner.name}`)
    const service = await startService({ DATABASE_URL: owner.url, DATABASE_ALLOW_SUPERUSER: "off" })
    const warning =
      /"level":"warn","message":"The login \\"\w+\\" of DATABASE_URL owns the tables[^\n]+DATABASE_ADMIN_URL/
    assert.match(service.output(), warning)
    const [line] = await rows(
      database,
      "SELECT has_table_privilege('plugfest_app', 'ledger_event', 'UPDATE') AS may"
    )
    assert.deepStrictEqual(line, { may: false })
    // A key goes to stdout alone, whatever there is to warn of.
    const key = await plugfest(["keys", "create"], {
      DATABASE_URL: owner.url,
      DATABASE_ALLOW_SUPERUSER: "off"
    })
    assert.match(key.stdout, /^pf_[^\n]+\n$/)
    assert.include(key.stderr, "owns the tables")
    await service.kill("SIGTERM")
    // From there to two logins: the owner migrates, another serves.
    const next = await startService({ DATABASE_ADMIN_URL: owner.url, DATABASE_URL: servingUrl(database) })
    assert.notInclude(next.output(), '"level":"warn"')
    assert.deepStrictEqual(await refusals(servingUrl(database)), insufficient)
    await next.kill("SIGTERM")
  }, 120_000)

  it("is refused when the two URLs lead to two databases", async () => {
    const [one, other] = [await freshDatabase(inject("pgUrl")), await freshDatabase(inject("pgUrl"))]
    const ended = await serve({ DATABASE_ADMIN_URL: one, DATABASE_URL: servingUrl(other) })
    assert.strictEqual(ended.code, 5)
    assert.include(ended.stderr, "another database")
  }, 60_000)
})
