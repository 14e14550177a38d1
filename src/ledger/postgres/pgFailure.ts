/** What an error of node-postgres means to the ledger. */
import { Data } from "effect"
import { LedgerDown } from "../Ledger.ts"

/** A statement or a connection failed; `cause` is what node-postgres said. */
export class PgFailure extends Data.TaggedError("PgFailure")<{ readonly cause: unknown }> {}

/**
 * Is the database away, full, or busy with itself? Then the same statement may be tried again later. Anything else
 * (a constraint, a bad value) would fail again.
 */
export function isAway({ cause }: PgFailure): boolean {
  const code = codeOf(cause)
  // No SQLSTATE: the connection failed before Postgres could answer.
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code === "EPIPE") return true
  // 08 connection, 25006 read-only (a failover), 40 rollback, 53 resources, 55P03 lock, 57 operator, 58 system, XX internal
  return /^(08|40|53|57|58|XX)/.test(code) || code === "25006" || code === "55P03"
}

/** SQLSTATE 23505. */
export const isDuplicate = ({ cause }: PgFailure): boolean => codeOf(cause) === "23505"

export const ledgerDown = ({ cause }: PgFailure): LedgerDown =>
  new LedgerDown({ message: cause instanceof Error ? cause.message : String(cause) })

const codeOf = (cause: unknown) => {
  const code = (cause as { readonly code?: unknown } | null)?.code
  return typeof code === "string" ? code : undefined
}
