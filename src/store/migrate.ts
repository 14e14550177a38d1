/** Brings a database to the shape that this program needs. Any number of processes may start at once. */
import { Data, Effect } from "effect"
import pg from "pg"
import { messageOf } from "./DatabaseDown.ts"
import type { Migration } from "./migrations/all.ts"

/** As whom our connections run after the migrations; null: as the login role, because there may be no other. */
export type AppRole = "plugfest_app" | null

// Any fixed number that no other program uses as an advisory lock in this database.
const lock = "7083114206518849"
const appRole = "plugfest_app"

/** Postgres was not reached, or refused; `cause` is the error of node-postgres and `message` its words. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** Runs the migrations that this database has not seen, each in its own transaction, under an advisory lock. */
export const migrate = Effect.fn("Database.migrate")(function* (
  config: pg.ClientConfig,
  migrations: ReadonlyArray<Migration>
) {
  const { known, role } = yield* Effect.acquireUseRelease(
    attempt(() => connect(config)),
    (client) => attempt(() => apply(client, migrations)),
    (client) => Effect.promise(() => client.end().catch(() => {})) // the lock goes with the session
  )
  if (role === null) {
    yield* Effect.logWarning(
      `The database login may not use a role ${appRole}: the append-only ledger is guarded by its triggers only`
    )
  }
  if (!known) yield* Effect.logWarning("The database was migrated by a newer version of plugfest")
  return role
})

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new MigrationFailed({ message: messageOf(cause), cause })
  })

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5000 })
  client.on("error", () => {}) // the statement under way fails too
  await client.connect()
  return client
}

async function apply(
  client: pg.Client,
  migrations: ReadonlyArray<Migration>
): Promise<{ readonly role: AppRole; readonly known: boolean }> {
  await client.query(`SELECT pg_advisory_lock(${lock})`)
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migration (id int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())"
  )
  const { rows } = await client.query<{ id: number }>("SELECT id FROM schema_migration")
  const applied = new Set(rows.map(({ id }) => id))
  const usable = await mayUseRole(client)
  if (usable && applied.size < migrations.length) {
    await client.query(`
      GRANT USAGE ON SCHEMA public TO ${appRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${appRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO ${appRole}`)
  }
  for (const migration of migrations) {
    if (applied.has(migration.id)) continue
    try {
      await client.query("BEGIN")
      await client.query(migration.sql(usable ? appRole : "CURRENT_USER"))
      await client.query("INSERT INTO schema_migration (id, name) VALUES ($1, $2)", [
        migration.id,
        migration.name
      ])
      await client.query("COMMIT")
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      throw error
    }
  }
  const newest = Math.max(0, ...migrations.map(({ id }) => id))
  return {
    role: usable && (await hasGrants(client)) ? appRole : null,
    known: [...applied].every((id) => id <= newest)
  }
}

/** Makes the role where that is allowed, and says whether this login may act as it. */
async function mayUseRole(client: pg.Client): Promise<boolean> {
  if (await canActAs(client)) return true
  // Roles belong to the whole server: the start of another database's plugfest may do the same at this instant.
  for (const statement of [`CREATE ROLE ${appRole} NOLOGIN`, `GRANT ${appRole} TO CURRENT_USER`]) {
    for (let tries = 0; tries < 5; tries++) {
      const code = await client.query(statement).then(
        () => "done",
        (error: { readonly code?: string }) => error.code
      )
      if (code !== "XX000") break // "tuple concurrently updated"
    }
  }
  return canActAs(client)
}

async function canActAs(client: pg.Client): Promise<boolean> {
  return client.query(`SET ROLE ${appRole}`).then(
    () => client.query("RESET ROLE").then(() => true),
    () => false
  )
}

/** False in a database whose tables were made while the role was not allowed. */
async function hasGrants(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(
    `SELECT coalesce(bool_and(has_table_privilege('${appRole}', oid, 'SELECT')), true) granted
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname IN ('api_key', 'connection', 'party')`
  )
  return rows[0]?.granted === true
}
