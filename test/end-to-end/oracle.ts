/** Looks at a run's lines in the database and says what is wrong with them. Shares no code with src/. */
import { createHash } from "node:crypto"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { rows } from "./database.ts"

export interface RunLine {
  readonly sequence: number
  readonly eventId: string
  readonly hash: string
  readonly line: string
  readonly event: LedgerEvent
}
export type RunLines = ReadonlyArray<RunLine>

export async function readLines(database: string, runId: string): Promise<RunLines> {
  const found = await rows(
    database,
    "select sequence::int, event_id, hash, line from ledger_event where run_id = $1 order by sequence",
    [runId]
  )
  return found.map((row) => ({
    sequence: row.sequence,
    eventId: row.event_id,
    hash: row.hash,
    line: row.line,
    event: JSON.parse(row.line)
  }))
}

/** `before`: lines that somebody has seen already; they must still stand, unchanged. */
export function ledgerFaults(runId: string, lines: RunLines, before: RunLines) {
  const lost = before.filter((old) => lines[old.sequence - 1]?.line !== old.line).length
  const duplicated = lines.length - new Set(lines.map((one) => one.eventId)).size
  const gaps = lines.filter((one, index) => one.sequence !== index + 1).length
  // The chain begins with the run's id: a line cannot be moved to another run unseen.
  let previous = runId
  let brokenChain = 0
  for (const one of lines) {
    const hash = createHash("sha256").update(previous).update(one.line).digest("hex")
    if (hash !== one.hash) brokenChain += 1
    previous = one.hash
  }
  return { lost, duplicated, gaps, brokenChain }
}
