/** Statements of the ledger on the shared pool. */
import { Effect } from "effect"
import type pg from "pg"
import type { LedgerDown } from "../Ledger.ts"
import { isAway, ledgerDown, PgFailure } from "./pgFailure.ts"

/** By name: prepared once per connection. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Answers the rows; dies when the statement is wrong. */
export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: NamedStatement
) => Effect.Effect<ReadonlyArray<Row>, LedgerDown>

export const makeRunStatement =
  (pool: pg.Pool): RunStatement =>
  <Row extends pg.QueryResultRow>({ name, text, values }: NamedStatement) =>
    Effect.tryPromise({
      try: () => pool.query<Row>({ name, text, values: [...values] }),
      catch: (cause) => new PgFailure({ cause })
    }).pipe(
      Effect.map(({ rows }) => rows),
      Effect.catchAll((error) => (isAway(error) ? Effect.fail(ledgerDown(error)) : Effect.die(error.cause)))
    )

/** For reading by what a caller typed: Postgres refuses NUL, so a text with one finds nothing. */
export const withoutNul =
  (query: RunStatement): RunStatement =>
  <Row extends pg.QueryResultRow>(statement: NamedStatement) =>
    statement.values.some((value) => typeof value === "string" && value.includes("\0"))
      ? Effect.succeed<ReadonlyArray<Row>>([])
      : query<Row>(statement)
