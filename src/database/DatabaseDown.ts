/** How the absence of the database is told from a mistake of ours: 503 against 500. */
import { Cause, Chunk, Data } from "effect"

/**
 * Postgres is away, starting, full or out of connections: nothing is wrong with the statement. Store methods die with
 * it, so that it passes every typed signature and http can still answer 503.
 */
export class DatabaseDown extends Data.TaggedError("DatabaseDown")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Does this cause hold a loss of the database, as a failure or as a defect, raised by us or by `@effect/sql`? */
export function isDatabaseDown(cause: Cause.Cause<unknown>): boolean {
  return Chunk.some(Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)), isLoss)
}

/** Is this error of node-postgres (or what wraps it as its `cause`, or the ledger's word for it) a loss of the database? */
export function isLoss(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const { _tag, cause, code, message } = at as Readonly<Record<string, unknown>>
    if (_tag === "DatabaseDown" || _tag === "LedgerDown") return true
    if (typeof code === "string" && (lossCodes.has(code) || lossClasses.has(code.slice(0, 2)))) return true
    if (typeof message === "string" && lossMessages.test(message)) return true
    at = cause
  }
  return false
}

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
  "ENOENT", // a Unix socket that is not there
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
  "25006", // read_only_sql_transaction: a standby after a switch-over
  "58030" // io_error
])

// SQLSTATE 08: connection exceptions. 53: insufficient resources (disk full, too many connections).
const lossClasses = new Set(["08", "53"])

// node-postgres says these without a code.
const lossMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/

/** The words of an error, also of one that has only a code (several addresses were tried and refused). */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  return error.message !== "" ? error.message : String(code ?? error.name)
}
