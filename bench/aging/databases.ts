/** The databases that are compared. */
import { Effect, Layer } from "effect"
import pg from "pg"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"

/** Lines of a page. */
export const pageOf = 100

/** The rows of a query, of which there is one at least. */
export const rowsOf = async <Row extends object>(
  pool: pg.Pool,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<[Row, ...Array<Row>]> => (await pool.query(text, [...values])).rows as [Row, ...Array<Row>]

/** Runs statements one after the other, on a connection of their own. */
export const onServer = (connectionString: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  })

/** A pool that ends with the scope. */
export const poolOf = (connectionString: string, options: pg.PoolConfig = { max: 10 }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({ connectionString, ...options })
      pool.on("error", () => {})
      return pool
    }),
    (open) => Effect.promise(() => open.end())
  )

/** A ledger in that database. */
export const ledgerOn = (pool: pg.Pool) =>
  LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "bench", leaseSeconds: 60, writers: 2 }).pipe(
    Layer.provide(SharedTime.layer)
  )
