/**
 * The connection pool of this process. Everything that is stored goes through it: hot statements as named prepared
 * ones by `query`, ordinary ones by `sql` (the `PgClient` of the same pool).
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, FiberRef, Layer, Option, type Redacted } from "effect"
import type pg from "pg"
import { type Access, type DatabaseUnusable, openDatabase } from "./access.ts"
import { DatabaseDown, isLoss, messageOf } from "./DatabaseDown.ts"
import { type DatabaseAddress, noteConnections } from "./databaseAddress.ts"
import * as EmbeddedPostgres from "./embedded/EmbeddedPostgres.ts"
import { lossPatience } from "./patience.ts"
import { connectionOf, openPool } from "./pool.ts"
import { type WriteState, watchWrites } from "./writes.ts"

export { DatabaseDown, isDatabaseDown } from "./DatabaseDown.ts"

/** A statement for node-postgres. With a `name` it is prepared once per connection: use one for hot statements. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

/** Runs a statement and answers its rows. `int8` comes as a number, `timestamptz` as a Date, JSON parsed. */
export type Query<E = never> = <Row extends object = Record<string, unknown>>(
  statement: Statement
) => Effect.Effect<ReadonlyArray<Row>, E>

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

export class Database extends Context.Tag("store/Database")<
  Database,
  {
    readonly pool: pg.Pool
    /** Enough for a `pg.Client` of one's own, e.g. one that listens: logs in as the pool does. */
    readonly connection: pg.ClientConfig
    /** Where the database is by now: what is dialled, what that name stood for so far, and what the server says. */
    readonly addresses: () => ReadonlyArray<DatabaseAddress>
    /**
     * Dies when the statement is wrong, with `DatabaseDown` when the database is away. A short loss (about a second)
     * is sat out by running the statement again, so it must be one that may run twice; a longer one by `standingStill`.
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
  ): Layer.Layer<
    Database | PgClient.PgClient | SqlClient,
    DatabaseUnusable | EmbeddedPostgres.EmbeddedPostgresFailed
  > => {
    const database = Layer.scoped(
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
    const sql = Layer.unwrapEffect(
      Effect.map(Database, ({ pool }) => PgClient.layerFromPool({ acquire: Effect.succeed(pool) }))
    ).pipe(Layer.orDie) // the pool is there: nothing is connected here
    return Layer.provideMerge(sql, database)
  }
}

/**
 * Runs the effect again, once a second, for as long as it dies of a lost database. For work in the background that
 * must outlast an outage; the effect must be one that may run twice.
 */
export const outlast = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchSomeDefect(effect, (defect) =>
    isLoss(defect)
      ? Option.some(
          Effect.zipRight(
            Effect.withClock(Effect.sleep("1 second"), Clock.make()),
            Effect.suspend(() => outlast(effect))
          )
        )
      : Option.none()
  )

const accessOf = ({ adminUrl, allowSuperuser = false, dataDir, url }: DatabaseOptions) =>
  url === undefined
    ? Effect.map(
        EmbeddedPostgres.acquire({ dataDir }),
        (embedded): Access => ({ ...embedded, ours: true, allowSuperuser: false })
      )
    : Effect.succeed<Access>({ url, adminUrl, ours: false, allowSuperuser })

function statementsOf(pool: pg.Pool): Pick<Context.Tag.Service<Database>, "attempt" | "query"> {
  const attempt = statements(pool)
  const query: Query = (statement) =>
    FiberRef.getWith(lossPatience, (schedule) =>
      attempt<never>(statement).pipe(
        Effect.retry(schedule),
        Effect.orDie,
        Effect.withClock(Clock.make()) // in real time under a test's clock too
      )
    )
  return { attempt, query }
}

const statements =
  (target: Pick<pg.Pool, "query">): Query<DatabaseDown> =>
  <Row extends object>(statement: Statement) =>
    refine(() => target.query(statement as pg.QueryConfig)).pipe(
      Effect.map((result) => result.rows as ReadonlyArray<Row>) // the statement's author knows its columns
    )

const refine = <A>(work: () => Promise<A>): Effect.Effect<A, DatabaseDown> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new DatabaseDown({ message: `Postgres is away: ${messageOf(cause)}`, cause })
  }).pipe(Effect.catchAll((down) => (isLoss(down.cause) ? Effect.fail(down) : Effect.die(down.cause))))
