/**
 * The connection pool of this process. Everything that is stored goes through it: hot statements as named prepared
 * ones by `query`, ordinary ones by `sql` (the `PgClient` of the same pool).
 */

import { Context, type Effect, type Redacted } from "effect"
import type pg from "pg"
import type { DatabaseDown } from "./DatabaseDown.ts"

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
  /** Unset: an embedded Postgres under `dataDir`. */
  readonly url: Redacted.Redacted<string> | undefined
  readonly dataDir: string
  /** Connections of this process; default 10. */
  readonly poolSize?: number
  /** Done once for each second that the database is waited for at start, after the warning was logged. */
  readonly onWait?: Effect.Effect<void>
}

export class Database extends Context.Tag("store/Database")<
  Database,
  {
    readonly pool: pg.Pool
    /**
     * Dies when the statement is wrong, with `DatabaseDown` when the database is away. A short loss (about a second)
     * is sat out by running the statement again, so it must be one that may run twice.
     */
    readonly query: Query
    /** Once, without trying again; a loss is typed. For statements whose writer decides what a loss means. */
    readonly attempt: Query<DatabaseDown>
    /** One transaction on one connection: committed when the body succeeds, else rolled back. Not tried again. */
    readonly transaction: <A, E, R>(body: (query: Query) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Does Postgres answer within a second? */
    readonly up: Effect.Effect<boolean>
  }
>() {}
