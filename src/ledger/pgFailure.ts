/** What an error of node-postgres means to the ledger. */
import { LedgerDown } from "./Ledger.ts"

/**
 * Is the database away, full, or busy with itself? Then the same statement may be tried again later. Anything else
 * (a constraint, a bad value) would fail again.
 */
export function isAway(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code
  // No SQLSTATE: the connection failed before Postgres could answer.
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code) || code === "EPIPE") return true
  // 08 connection, 25006 read-only (a failover), 40 rollback, 53 resources, 55P03 lock, 57 operator, 58 system, XX internal
  return /^(08|40|53|57|58|XX)/.test(code) || code === "25006" || code === "55P03"
}

/** SQLSTATE 23505. */
export const isDuplicate = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === "23505"

export const ledgerDown = (error: unknown): LedgerDown =>
  new LedgerDown({ message: error instanceof Error ? error.message : String(error) })
