/** The connection pool of this process. Everything that is stored goes through it. */
import { Clock, Context, Effect, FiberRef, Layer, type Redacted } from "effect"
import type pg from "pg"
import { type Access, type DatabaseUnusable, openDatabase } from "./access.ts"
import type { DatabaseDown } from "./DatabaseDown.ts"
import { type DatabaseAddress, noteConnections } from "./databaseAddress.ts"
import * as EmbeddedPostgres from "./embedded/EmbeddedPostgres.ts"
import { connectionOf, openPool } from "./pool.ts"
import { statementRetry } from "./retry.ts"
import { type Query, statementsOn } from "./statement.ts"
import { type WriteState, watchWrites } from "./writes.ts"

export interface DatabaseOptions {
  /** As whom we serve. Unset: an embedded Postgres under `dataDir`. */
  readonly url: Redacted.Redacted<string> | undefined
  /** The owner of the tables, who migrates. Unset: whoever serves does that too. */
  readonly adminUrl?: Redacted.Redacted<string> | undefined
  /** Serve even as a superuser. */
  readonly allowSuperuser?: boolean
  readonly dataDir: string
  /** Connections of this process; default 10. */
  readonly poolSize?: number
  /** Done once for each second that the database is waited for at start; a warning is logged once. */
  readonly onWait?: Effect.Effect<void>
}

export class Database extends Context.Tag("database/Database")<
  Database,
  {
    readonly pool: pg.Pool
    /** Enough for a `pg.Client` of one's own, e.g. one that listens: logs in as the pool does. */
    readonly connection: pg.ClientConfig
    /** Where the database is by now: what is dialled, what that name stood for so far, and what the server says. */
    readonly addresses: () => ReadonlyArray<DatabaseAddress>
    /**
     * Dies when the statement is wrong, with `DatabaseDown` when the database is away. A short loss (about a second)
     * is sat out by running the statement again, so it must be one that may run twice; a longer one by `standingStill` (`retry.ts`).
     */
    readonly query: Query
    /** Once, without trying again; a loss is typed. For statements whose writer decides what a loss means. */
    readonly attempt: Query<DatabaseDown>
    /** Does Postgres take writes? One second old at most, and answered within two. */
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
        const pool = yield* openPool(connection, options.poolSize ?? 10)
        noteConnections(pool, place, addresses)
        const writes = yield* watchWrites(pool)
        return { ...statementsOf(pool), pool, connection, addresses: addresses.all, writes }
      })
    )
}

const accessOf = ({ adminUrl, allowSuperuser = false, dataDir, url }: DatabaseOptions) =>
  url === undefined
    ? Effect.map(
        EmbeddedPostgres.acquire({ dataDir }),
        (embedded): Access => ({ ...embedded, ours: true, allowSuperuser: false })
      )
    : Effect.succeed<Access>({ url, adminUrl, ours: false, allowSuperuser })

function statementsOf(pool: pg.Pool): Pick<Context.Tag.Service<Database>, "attempt" | "query"> {
  const attempt = statementsOn(pool)
  const query: Query = (statement) =>
    FiberRef.getWith(statementRetry, (schedule) =>
      attempt<never>(statement).pipe(
        Effect.retry(schedule),
        Effect.orDie,
        Effect.withClock(Clock.make()) // in real time under a test's clock too
      )
    )
  return { attempt, query }
}
