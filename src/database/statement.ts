/** Statements of node-postgres as effects. */
import { Effect } from "effect"
import type pg from "pg"
import { type DatabaseDown, downOrDefect } from "./DatabaseDown.ts"

/** A statement for node-postgres. With a `name` it is prepared once per connection: use one for hot statements. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

/** Runs a statement and returns its rows: `int8` as a number, `timestamptz` as a Date, JSON parsed. */
export type Query<E = never> = <Row extends object = Record<string, unknown>>(
  statement: Statement
) => Effect.Effect<ReadonlyArray<Row>, E>

/** Runs statements once each. A loss of the database is a failure; a wrong statement is a defect. */
export const statementsOn =
  (target: Pick<pg.Pool, "query">): Query<DatabaseDown> =>
  <Row extends object>(statement: Statement) =>
    Effect.tryPromise({
      try: () => target.query(statement as pg.QueryConfig),
      catch: (cause) => cause
    }).pipe(
      Effect.catchAll(downOrDefect),
      Effect.map((result) => result.rows as ReadonlyArray<Row>) // the statement's author knows its columns
    )

/** Runs statements once each, in a transaction of their own and without a limit of time: for work that no caller waits for. */
export const untimedOn =
  (pool: pg.Pool): Query<DatabaseDown> =>
  <Row extends object>({ text, values }: Statement) =>
    Effect.tryPromise({
      try: async () => {
        const client = await pool.connect()
        try {
          await client.query("BEGIN; SET LOCAL statement_timeout = 0")
          const { rows } = await client.query(text, [...(values ?? [])])
          await client.query("COMMIT")
          return rows as ReadonlyArray<Row> // the statement's author knows its columns
        } catch (error) {
          await client.query("ROLLBACK").catch(() => {})
          throw error
        } finally {
          client.release()
        }
      },
      catch: (cause) => cause
    }).pipe(Effect.catchAll(downOrDefect))

/** For queries with a caller's text as a value: Postgres refuses NUL, so a text with one finds nothing. */
export const withoutNul =
  <E>(query: Query<E>): Query<E> =>
  <Row extends object>(statement: Statement) =>
    statement.values?.some((value) => typeof value === "string" && value.includes("\0")) === true
      ? Effect.succeed<ReadonlyArray<Row>>([])
      : query<Row>(statement)
