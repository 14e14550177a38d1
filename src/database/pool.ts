/** The connection pool of this process, and the configuration of single connections beside it. */
import { Clock, Effect, Redacted } from "effect"
import pg from "pg"
import type { AppRole } from "./logins/logins.ts"

/** The configuration of a `pg.Client` that serves: plain data, which may be sent to a worker thread. */
export const connectionOf = (url: Redacted.Redacted<string>, role: AppRole): pg.ClientConfig => ({
  ...(role === null ? { connectionString: Redacted.value(url) } : withRole(Redacted.value(url), role)),
  application_name: "plugfest",
  connectionTimeoutMillis: 5000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
  keepAlive: true
})

/** A pool that ends with the scope. `onConnect`: awaited before a new connection gets its first statement; must not reject. */
export const openPool = (
  connection: pg.ClientConfig,
  size: number,
  onConnect: (client: pg.Client) => Promise<void>
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        ...connection,
        max: size,
        types: { getTypeParser: typeParser },
        onConnect: onConnect as (client: pg.ClientBase) => Promise<void>
      })
      pool.on("error", () => {}) // an idle connection died: the next statement opens another
      // Without this listener, an error between the pool's release of a client and our use of it would end the process.
      pool.on("connect", (client) => client.on("error", () => {}))
      return pool
    }),
    (pool) =>
      Effect.promise(() => pool.end()).pipe(
        Effect.interruptible,
        Effect.timeoutOption("5 seconds"),
        Effect.withClock(Clock.make())
      )
  )

/**
 * Has the prepared statements of this connection planned once for all values. Does not reject: where it fails, the connection has just been
 * lost, and its first statement fails too.
 */
export const planOnce = (client: pg.Client): Promise<void> =>
  client.query("SET plan_cache_mode = force_generic_plan").then(
    () => {},
    () => {}
  )

/**
 * Adds the role to the start-up options in the operator's URL, which would override ours. A URL without options is left
 * as it is: the driver would encode a password with an odd percent sign once more.
 */
function withRole(url: string, role: string): pg.ClientConfig {
  const [base, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const options = `-c role=${role}`
  if (!parameters.has("options")) return { connectionString: url, options }
  parameters.set("options", `${parameters.get("options")} ${options}`)
  return { connectionString: `${base}?${parameters}` }
}

// int8 as a number: our positions and counts stay far below 2^53.
const int8 = 20
const typeParser = ((oid: number, format: "text" | "binary") =>
  oid === int8 && format !== "binary"
    ? Number
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser // its overloads say no more than this
