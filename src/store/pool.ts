/** Getting at Postgres: waiting for it, migrating it, opening connections in the right role. */
import { Clock, Data, Effect, Redacted, Schedule } from "effect"
import pg from "pg"
import { isLoss, messageOf } from "./DatabaseDown.ts"
import { type AppRole, migrate } from "./migrate.ts"
import { migrations } from "./migrations/all.ts"

/** Postgres is there but cannot serve us: wrong password, no such database, a migration that fails. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Waits for Postgres, warning once, and migrates it. Answers the role for our connections. */
export const whenThere = (url: Redacted.Redacted<string>, onWait: Effect.Effect<void>) =>
  Effect.suspend(() => {
    let warned = false
    return migrate({ connectionString: Redacted.value(url), application_name: "plugfest" }, migrations).pipe(
      Effect.tapError((error) => {
        if (!isLoss(error)) return Effect.void
        const warning = warned
          ? Effect.void
          : Effect.logWarning(
              `Postgres at ${place(url)} is away (${messageOf(error)}); trying again every second`
            )
        warned = true
        return Effect.zip(warning, onWait)
      }),
      Effect.retry({ while: isLoss, schedule: Schedule.spaced("1 second") }),
      Effect.mapError(
        (error) =>
          new DatabaseUnusable({ message: `Postgres at ${place(url)}: ${messageOf(error)}`, cause: error })
      ),
      Effect.withClock(Clock.make()) // Postgres gets ready in real time, under a test's clock too
    )
  })

/** A pool that is ended with the scope. */
export const openPool = (url: Redacted.Redacted<string>, role: AppRole, size: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        connectionString: role === null ? Redacted.value(url) : withRole(Redacted.value(url), role),
        application_name: "plugfest",
        max: size,
        connectionTimeoutMillis: 5000,
        statement_timeout: 30_000,
        idle_in_transaction_session_timeout: 60_000,
        keepAlive: true,
        types: { getTypeParser: typeParser }
      })
      pool.on("error", () => {}) // an idle connection died; the next statement opens another
      // Also in the instant between the pool's hands and ours, where nobody else listens: it would end the process.
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

/** Adds the role to the start-up options, beside those that the operator's URL may have. */
function withRole(url: string, role: string): string {
  const [base, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const options = [parameters.get("options"), `-c role=${role}`].filter((option) => option !== null)
  parameters.set("options", options.join(" "))
  return `${base}?${parameters}`
}

// int8 as a number: our positions and counts stay far below 2^53.
const int8 = 20
const typeParser = ((oid: number, format: "text" | "binary") =>
  oid === int8 && format !== "binary"
    ? Number
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser // its overloads say no more than this

/** Host and database of a URL, without its password; nothing of a URL that may hide one elsewhere. */
function place(url: Redacted.Redacted<string>): string {
  const text = Redacted.value(url)
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || (text.includes("@") && parsed.username === "")) return "DATABASE_URL"
  return `${parsed.host}${parsed.pathname}`
}
