/** The connection pool of this process. Everything that is stored goes through it. */
import { Context, Effect, Layer, type Redacted } from "effect"
import type pg from "pg"
import { type Access, type DatabaseUnusable, openDatabase } from "./access.ts"
import type { DatabaseDown } from "./DatabaseDown.ts"
import { type DatabaseAddress, noteConnection, ownAddressOf } from "./databaseAddress.ts"
import * as EmbeddedPostgres from "./embedded/EmbeddedPostgres.ts"
import { connectionOf, openPool, planOnce } from "./pool.ts"
import { retried } from "./retry.ts"
import { type Query, statementsOn } from "./statement.ts"
import { type WriteState, watchWrites } from "./writes.ts"

/** Which Postgres to use, as which logins, and how. */
export interface DatabaseOptions {
  /** The login that serves. Unset: an embedded Postgres under `dataDir`. */
  readonly url: Redacted.Redacted<string> | undefined
  /** The login that owns the tables and migrates. Unset: the login that serves also migrates. */
  readonly adminUrl?: Redacted.Redacted<string> | undefined
  /** Serve even if the login is a superuser. */
  readonly allowSuperuser?: boolean
  readonly dataDir: string
  /** Connections of this process, beside those of `plannedOnce`; default 8. */
  readonly poolSize?: number
  /** Runs at each failed try to reach the database at start, once a second; the warning itself is logged once. */
  readonly onWait?: Effect.Effect<void>
}

/** The statements of this process, on one pool of connections. */
export class Database extends Context.Tag("database/Database")<
  Database,
  {
    readonly pool: pg.Pool
    /**
     * Two connections, opened when they are needed, whose prepared statements are planned once for all values. For statements of
     * which the best plan is the same for all: of a table with many partitions Postgres makes it anew each time.
     */
    readonly plannedOnce: pg.Pool
    /** For a `pg.Client` beside the pool, e.g. one that listens: it logs in as the pool does. */
    readonly connection: pg.ClientConfig
    /**
     * Every address that has been the database's: the one that is dialled, those that its name has resolved to, and those
     * that the server reports.
     */
    readonly addresses: () => ReadonlyArray<DatabaseAddress>
    /** The address of this machine from which it reaches the database; 127.0.0.1 for a Unix socket. */
    readonly ownAddress: Effect.Effect<string>
    /**
     * Dies when the statement is wrong, and with `DatabaseDown` when the database is away. A short loss (about a second)
     * is retried, so the statement must be safe to run twice; `retryStatementsFor` (`retry.ts`) sets a longer time.
     */
    readonly query: Query
    /**
     * Runs the statement once and fails with `DatabaseDown` when the database is away. For callers that decide themselves
     * what a loss means.
     */
    readonly attempt: Query<DatabaseDown>
    /** Does Postgres accept writes? The answer is at most one second old, and given within two. */
    readonly writes: Effect.Effect<WriteState>
  }
>() {
  /**
   * Waits for Postgres (once a second, without end), migrates, and opens the pool in the role `plugfest_app`, which may
   * not change ledger lines. Its login is no superuser, unless that was allowed.
   */
  static readonly layer = (
    options: DatabaseOptions
  ): Layer.Layer<Database, DatabaseUnusable | EmbeddedPostgres.EmbeddedPostgresFailed> =>
    Layer.scoped(
      Database,
      Effect.gen(function* () {
        const access = yield* accessOf(options)
        const { addresses, place, role } = yield* openDatabase(access, options.onWait ?? Effect.void)
        const connection = connectionOf(access.url, role)
        const onConnect = (client: pg.Client) => noteConnection(client, place, addresses)
        const pool = yield* openPool(connection, options.poolSize ?? 8, onConnect)
        const plannedOnce = yield* openPool(connection, 2, async (client) => {
          await onConnect(client)
          await planOnce(client)
        })
        const writes = yield* watchWrites(pool)
        return {
          ...statementsOf(pool),
          pool,
          plannedOnce,
          connection,
          addresses: addresses.all,
          ownAddress: retried(ownAddressOf(pool)),
          writes
        }
      })
    )
}

/** The logins of these options; an embedded Postgres runs until the scope closes. */
export const accessOf = ({ adminUrl, allowSuperuser = false, dataDir, url }: DatabaseOptions) =>
  url === undefined
    ? Effect.map(
        EmbeddedPostgres.acquire({ dataDir }),
        (embedded): Access => ({ ...embedded, ours: true, allowSuperuser: false })
      )
    : Effect.succeed<Access>({ url, adminUrl, ours: false, allowSuperuser })

function statementsOf(pool: pg.Pool): Pick<Context.Tag.Service<Database>, "attempt" | "query"> {
  const attempt = statementsOn(pool)
  const query: Query = (statement) => retried(attempt<never>(statement))
  return { attempt, query }
}
