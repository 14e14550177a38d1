/** Verifies the lines of every run in the database, as one transaction sees them. */
import type pg from "pg"
import type { RunId } from "../../../schema/Ids.ts"
import { type HashedLine, verify } from "./verify.ts"

/** The result of `verifyEveryRun`. */
export interface VerifiedRuns {
  readonly runs: number
  readonly lines: number
  /** Runs whose head hash the lines do not lead to, and lines without a run. */
  readonly notIntact: ReadonlyArray<{ readonly runId: string; readonly message: string }>
}

interface Row {
  readonly run_id: string
  /** Null: there are lines, and no run. */
  readonly head_hash: string | null
  /** Null: there is a run, and no line. */
  readonly sequence: number | null
  readonly line: string
  readonly hash: string
}

/** Lines read at a time: one can have a megabyte. */
const page = 200

/** Recomputes every head hash. A transaction must be open. */
export async function verifyEveryRun(client: pg.ClientBase, signal: AbortSignal): Promise<VerifiedRuns> {
  const notIntact: Array<{ runId: string; message: string }> = []
  let runs = 0
  let lines = 0
  let current:
    | { readonly runId: string; readonly head: string | null; readonly lines: Array<HashedLine> }
    | undefined
  const close = () => {
    if (current === undefined) return
    const { head, runId } = current
    runs += 1
    lines += current.lines.length
    const wrong = head === null ? undefined : verify(runId as RunId, current.lines, head) // as the row says
    if (head === null) notIntact.push({ runId, message: "there are lines of it, and no run" })
    if (wrong !== undefined) notIntact.push({ runId, message: wrong.message })
    current = undefined
  }
  await client.query(`DECLARE every_line NO SCROLL CURSOR FOR
    SELECT run_id, head_hash, sequence, line, hash FROM run FULL JOIN ledger_event USING (run_id) ORDER BY run_id, sequence`)
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await client.query<Row>(`FETCH ${page} FROM every_line`)
    for (const { hash, head_hash, line, run_id, sequence } of rows) {
      if (current?.runId !== run_id) {
        close()
        current = { runId: run_id, head: head_hash, lines: [] }
      }
      if (sequence !== null) current?.lines.push({ sequence, line, hash })
    }
    if (rows.length < page) break
  }
  close()
  await client.query("CLOSE every_line")
  return { runs, lines, notIntact }
}
