/** Migrates the database. Any number of processes may start at once. */
import { Clock, Data, Effect, type Scope } from "effect"
import pg from "pg"
import { traced } from "../telemetry/traced.ts"
import { isLoss, messageOf } from "./DatabaseDown.ts"
import { appRole, type TableUser, tableUserOf } from "./logins/logins.ts"
import type { Migration } from "./migrations/Migration.ts"

/** Key of the advisory lock that a process holds while it migrates: a fixed number that no other program uses in the database. */
export const migrationLock = "7083114206518849"

/** Postgres was not reached, or refused; `cause` is the error of node-postgres and `message` its message. */
export class SetupFailed extends Data.TaggedError("SetupFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** Work on the migrating connection before and after the migrations. Both may throw. */
interface Around {
  /** Before anything is changed. */
  readonly before?: (client: pg.Client) => Promise<void>
  /** After all migrations, still under the lock: no other process does the same meanwhile. */
  readonly after?: (client: pg.Client) => Promise<void>
}

/** Runs the migrations that this database has not had, each in its own transaction, under an advisory lock. */
export const migrate = traced("Database.migrate")(function* (
  config: pg.ClientConfig,
  migrations: ReadonlyArray<Migration>,
  around: Around = {}
) {
  const known = yield* withClient(config, async (client) => {
    await around.before?.(client)
    const known = await apply(client, migrations)
    await around.after?.(client)
    return known
  })
  if (!known)
    yield* Effect.logWarning(
      "A newer version of plugfest has migrated this database; upgrade this process to the same version"
    )
})

/** Runs `use` on a connection of its own, which is closed afterwards; its advisory locks end with it. */
export const withClient = <A>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<A>
): Effect.Effect<A, SetupFailed> =>
  Effect.scoped(Effect.flatMap(ownClient(config), (client) => attempt(() => use(client))))

/** A connection of its own, which is closed with the scope. */
export const ownClient = (config: pg.ClientConfig): Effect.Effect<pg.Client, SetupFailed, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => connect(config)),
    (client) =>
      Effect.promise(() => client.end().catch(() => {})).pipe(
        // Postgres reads no farewell while it writes rows that nobody reads any more, as after an interrupted COPY.
        Effect.interruptible,
        Effect.timeoutOption("5 seconds"),
        Effect.withClock(Clock.make())
      )
  )

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new SetupFailed({ message: messageOf(cause), cause })
  })

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5000 })
  client.on("error", () => {}) // the current statement fails too
  await client.connect()
  return client
}

/**
 * False: the database has migrations that this program does not know. A login that may not migrate is enough when there
 * is nothing to migrate.
 */
async function apply(client: pg.Client, migrations: ReadonlyArray<Migration>): Promise<boolean> {
  await client.query("SET statement_timeout = 0") // of the server or the role; another process may migrate for minutes
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`)
  try {
    const applied = await appliedIds(client)
    const missing = migrations.filter(({ id }) => !applied.has(id))
    if (missing.length > 0) await applyAll(client, missing)
    const newest = Math.max(0, ...migrations.map(({ id }) => id))
    return [...applied].every((id) => id <= newest)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "42501") throw error // insufficient_privilege
    throw new Error(
      `The database needs a migration, and the login "${client.user}" has no right to make it (${messageOf(error)}). Give the login that owns the tables as DATABASE_ADMIN_URL`,
      { cause: error }
    )
  }
}

/** The numbers of the migrations that the database has had; none when it is not one of plugfest. */
export async function appliedIds(client: pg.Client): Promise<ReadonlySet<number>> {
  const there = await client.query<{ there: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL there"
  )
  if (there.rows[0]?.there !== true) return new Set()
  const { rows } = await client.query<{ id: number }>("SELECT id FROM schema_migration")
  return new Set(rows.map(({ id }) => id))
}

async function applyAll(client: pg.Client, missing: ReadonlyArray<Migration>): Promise<void> {
  const user = await tableUserOf(client)
  await prepareSchema(client, user)
  for (const migration of missing) {
    try {
      for (const step of migration.before?.steps ?? []) await client.query(step)
      await client.query("BEGIN")
      await applyOne(client, migration, user)
      await client.query("COMMIT")
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      // A lock that was not available, or the database away: the migration is tried again soon.
      if (migration.before !== undefined && !isLoss(error))
        await client.query(migration.before.undo).catch(() => {})
      throw error
    }
  }
}

/** The table of migrations, and the rights of the role on what they make. */
export async function prepareSchema(client: pg.Client, user: TableUser): Promise<void> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migration (id int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())"
  )
  if (user === appRole) {
    await client.query(`
      GRANT USAGE ON SCHEMA public TO ${appRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${appRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO ${appRole}`)
  }
}

/** Runs one migration in the transaction that is open. */
export async function applyOne(client: pg.Client, migration: Migration, user: TableUser): Promise<void> {
  await client.query(migration.sql(user))
  await client.query("INSERT INTO schema_migration (id, name) VALUES ($1, $2)", [
    migration.id,
    migration.name
  ])
}
