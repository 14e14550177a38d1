/** Postgres as `@effect/cluster` sees it: a small pool of its own, because its statements wait on the event loop. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import pg from "pg"
import { Database } from "../../database/Database.ts"

/** The schema of its tables. */
export const runnerSchema = "runner"
/** One connection is reserved for locks. */
const connections = 3
/** A statement that has no answer by then fails, so that its connection is replaced. */
const patienceMillis = 2000

/** The client, on that schema. */
export const runnerSql = Layer.unwrapEffect(
  Effect.map(Database, ({ connection }) =>
    PgClient.layerFromPool({
      acquire: Effect.acquireRelease(
        Effect.sync(() => {
          const pool = new pg.Pool({
            ...connection,
            application_name: "plugfest runner",
            max: connections,
            connectionTimeoutMillis: patienceMillis,
            query_timeout: patienceMillis,
            verify: (client, done) => void client.query(`SET search_path = ${runnerSchema}`, done)
          })
          pool.on("error", () => {}) // an idle connection died: the next statement opens another
          pool.on("connect", (client) => client.on("error", () => {}))
          return pool
        }),
        (pool) =>
          Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("2 seconds"))
      )
    })
  )
)
