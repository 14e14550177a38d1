/** A connection that one writer keeps for itself: its plans stay prepared, and it is replaced when it breaks. */
import { Data, Effect, type Scope } from "effect"
import type pg from "pg"
import { isLoss } from "../../database/DatabaseDown.ts"

/** Settings of the writer's session: planned once, and not for the small table that `run` once was. */
const session = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off"

/** A statement or the connection failed; `cause` is what node-postgres said. */
export class StatementFailed extends Data.TaggedError("StatementFailed")<{ readonly cause: unknown }> {}

/** Runs a promise with the connection. */
export type WriterConnection = <A>(
  use: (client: pg.PoolClient) => Promise<A>
) => Effect.Effect<A, StatementFailed>

/** Taken from the pool at first use; closed with the scope, so that its settings reach nobody else. */
export const makeWriterConnection = (pool: pg.Pool): Effect.Effect<WriterConnection, never, Scope.Scope> =>
  Effect.gen(function* () {
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
      // The pool listens to idle clients only; a broken one that nobody hears would end the process.
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
    return (use) =>
      Effect.tryPromise({
        try: async () => {
          try {
            return await use(held ?? (await connect()))
          } catch (error) {
            if (held !== undefined && isLoss(error)) drop(held)
            throw error
          }
        },
        catch: (cause) => new StatementFailed({ cause })
      })
  })
