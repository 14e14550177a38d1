/**
 * What an error of Postgres means: a loss of the database, after which the same statement may be tried again, or a wrong
 * statement.
 */
import { Cause, Chunk, Data, Effect } from "effect"

/**
 * A loss of the database: Postgres is away, starting, full, out of connections, or gave up the statement for another's
 * sake; the statement itself is right. The ledger's methods fail with it. Stores die with it, so that their signatures
 * stay free of it and HTTP can still answer 503.
 */
export class DatabaseDown extends Data.TaggedError("DatabaseDown")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/**
 * Fails with `DatabaseDown` on a loss, and dies of any other error, because that is a bug. `cause`: the error of
 * node-postgres.
 */
export const downOrDefect = (cause: unknown): Effect.Effect<never, DatabaseDown> =>
  isLoss(cause)
    ? Effect.fail(new DatabaseDown({ message: `Postgres is away: ${messageOf(cause)}`, cause }))
    : Effect.die(cause)

/** Does this cause hold a loss of the database, as a failure or as a defect? */
export function isDatabaseDown(cause: Cause.Cause<unknown>): boolean {
  return Chunk.some(Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)), isLoss)
}

/** Is this error of node-postgres, or one in its chain of `cause`s, a loss of the database? */
export function isLoss(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const { _tag, cause, code, message } = at as Readonly<Record<string, unknown>>
    if (_tag === "DatabaseDown") return true
    if (typeof code === "string" && (lossCodes.has(code) || lossStates.test(code))) return true
    if (typeof message === "string" && lossMessages.test(message)) return true
    at = cause
  }
  return false
}

/** Is this error of node-postgres a unique violation (SQLSTATE 23505)? */
export const isDuplicate = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "23505"

const lossCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT" // a Unix socket that is not there
])

// SQLSTATE. 08: the connection failed. 40: rolled back because of another transaction. 53: disk full, out of memory, too
// many connections. 57: an operator's shutdown or cancel, or a time-out. 58: a failure of the operating system. XX: an
// internal error of Postgres. 25006: read-only, as a standby after a switch-over. 55P03: a lock was not available.
const lossStates = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|25006|55P03)$/

// Messages of node-postgres that come without a code.
const lossMessages =
  /^(Connection terminated|Connection ended|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/

/** The message of an error; if that is empty, as after several refused addresses, its code or its name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  return error.message !== "" ? error.message : String(code ?? error.name)
}
