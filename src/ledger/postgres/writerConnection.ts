/** A connection that one writer keeps for itself, so that its plans stay prepared. It is replaced when it breaks. */
import { Data, Effect, type Scope } from "effect"
import type pg from "pg"
import { isLoss } from "../../database/DatabaseDown.ts"

/** Settings of the writer's session: plans are made once, and not for the small table that `run` was at first. */
export const session = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off"

/** A statement or the connection failed; `cause` is the error of node-postgres. */
class StatementFailed extends Data.TaggedError("StatementFailed")<{ readonly cause: unknown }> {}

/** Runs a statement on the connection. */
type WriterConnection = <R extends pg.QueryResultRow>(
  statement: pg.QueryConfig
) => Effect.Effect<ReadonlyArray<R>, StatementFailed>

/**
 * The connection is taken from the pool at first use and closed with the scope, so that its settings affect no one else.
 */
export const makeWriterConnection = Effect.fnUntraced(function* (
  pool: pg.Pool
): Effect.fn.Return<WriterConnection, never, Scope.Scope> {
  let held: pg.PoolClient | undefined
  let closed = false
  const drop = (client: pg.PoolClient) => {
    if (held !== client) return
    held = undefined
    client.release(true)
  }
  const connect = async () => {
    const client = await pool.connect()
    held = client
    // The pool handles errors of idle clients only; an error of this one without a listener would end the process.
    client.on("error", () => drop(client))
    if (closed) drop(client)
    await client.query(session)
    return client
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      if (held !== undefined) drop(held)
    })
  )
  // With callbacks: between a statement and its answer stands no promise, which a lone run would wait for.
  return <R extends pg.QueryResultRow>(statement: pg.QueryConfig) =>
    Effect.async<ReadonlyArray<R>, StatementFailed>((resume) => {
      const fail = (cause: unknown) => {
        if (held !== undefined && isLoss(cause)) drop(held)
        resume(new StatementFailed({ cause }))
      }
      const run = (client: pg.PoolClient) => {
        try {
          client.query<R>(statement, (cause: Error | null, result) =>
            cause === null || cause === undefined ? resume(Effect.succeed(result.rows)) : fail(cause)
          )
        } catch (cause) {
          fail(cause)
        }
      }
      if (held === undefined) connect().then(run, fail)
      else run(held)
    })
})
