/** Whether a pooler such as PgBouncer stands before Postgres, and whether our connections are with it what they have to be. */
import { Effect } from "effect"
import pg from "pg"
import type { AppRole } from "./logins/logins.ts"
import { SetupFailed, withClient } from "./migrate.ts"

/** A session of ours, as Postgres sees it. */
interface Session {
  readonly pid: number
  readonly user: string
  readonly timeout: string
}

/**
 * Fails when a pooler refuses the parameters of our connections, or gives them no session of their own: prepared statements and
 * notifications belong to a session. Warns when a pooler leaves out the role or the time limit of our statements.
 * `config`: that of the pool.
 */
export const checkPooler = (config: pg.ClientConfig, role: AppRole): Effect.Effect<void, SetupFailed> =>
  withClient(config, async (client) => {
    const session = await sessionOf(client)
    if (isServer(client, session)) return undefined
    // The first connection is at rest now. A pooler that shares sessions gives the same one to the second.
    const other = new pg.Client(config)
    other.on("error", () => {}) // the statement fails too
    try {
      await other.connect()
      return { ...session, isShared: (await sessionOf(other)).pid === session.pid }
    } finally {
      await other.end().catch(() => {})
    }
  }).pipe(
    Effect.catchIf(isRefusedParameter, ({ message }) =>
      failure(
        `a pooler refuses our connections (${message}). PgBouncer needs ignore_startup_parameters = ${parameters}`
      )
    ),
    Effect.flatMap((session) => {
      if (session === undefined) return Effect.void
      if (session.isShared)
        return failure(
          "a pooler gives each transaction another session, and plugfest needs sessions of its own: for notifications (LISTEN), prepared statements and its lock while it migrates. Set PgBouncer's pool_mode to session, or give the address of Postgres itself"
        )
      const missing = [
        ...(role === null || session.user === role ? [] : [`SET role = ${role}`]),
        ...(session.timeout === "0" ? ["SET statement_timeout = '30s'"] : [])
      ]
      return missing.length === 0
        ? Effect.void
        : Effect.logWarning(
            `A pooler leaves out settings of our connections; give them to the login of DATABASE_URL: ${missing.map((one) => `ALTER ROLE … ${one}`).join("; ")}`
          )
    })
  )

const parameters = "extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout"

const failure = (message: string) => new SetupFailed({ message, cause: undefined })

/** Is this the session's own process that we speak to? A pooler answers a connection with a key of its own. */
const isServer = (client: pg.Client, { pid }: Session): boolean =>
  (client as unknown as { readonly processID: number | null }).processID === pid // not in its types

const isRefusedParameter = ({ cause, message }: SetupFailed): boolean =>
  (cause as { readonly code?: unknown } | undefined)?.code === "08P01" &&
  message.includes("startup parameter")

async function sessionOf(client: pg.Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT pg_backend_pid() pid, current_user::text "user", current_setting('statement_timeout') timeout`
  )
  return rows[0]!
}
