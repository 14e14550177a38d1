/** What an error of Postgres means: it is away, and the same statement may be tried again; or the statement is wrong. */
import { Cause, Chunk, Data, Effect } from "effect"

/**
 * Postgres is away, starting, full, short of connections or busy with itself: nothing is wrong with the statement. The
 * ledger's methods fail with it. Those of stores die with it, so that it passes every typed signature and http can still
 * answer 503.
 */
export class DatabaseDown extends Data.TaggedError("DatabaseDown")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** A loss as the typed error; anything else is our own bug, and a defect. `cause` is what node-postgres said. */
export const downOrDefect = (cause: unknown): Effect.Effect<never, DatabaseDown> =>
  isLoss(cause)
    ? Effect.fail(new DatabaseDown({ message: `Postgres is away: ${messageOf(cause)}`, cause }))
    : Effect.die(cause)

/** Does this cause hold a loss of the database, as a failure or as a defect? */
export function isDatabaseDown(cause: Cause.Cause<unknown>): boolean {
  return Chunk.some(Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)), isLoss)
}

/** Is this error of node-postgres (or what wraps it as its `cause`) a loss of the database? */
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

/** Is this error of node-postgres a row that is there already (SQLSTATE 23505)? */
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

// SQLSTATE. 08: the connection. 40: rolled back for somebody else. 53: disk full, out of memory, too many connections.
// 57: the operator (a shutdown, a cancel, a time-out). 58: the system under it. XX: Postgres itself. 25006: read-only, a
// standby after a switch-over. 55P03: a lock was not to be had.
const lossStates = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|25006|55P03)$/

// node-postgres says these without a code.
const lossMessages =
  /^(Connection terminated|Connection ended|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/

/** The words of an error, also of one that has only a code (several addresses were tried and refused). */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  return error.message !== "" ? error.message : String(code ?? error.name)
}
