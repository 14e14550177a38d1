/** Verifies the lines of every run in the database, as one transaction sees them. Those of archived runs are not in it. */
import type pg from "pg"
import type { RunId } from "../../../schema/Ids.ts"
import { type HashedLine, verify } from "./verify.ts"

/** The result of `verifyEveryRun`. */
export interface VerifiedRuns {
  readonly runs: number
  /** In the database. */
  readonly lines: number
  /** Of these runs those whose lines are in the archive, and how many lines that are. */
  readonly archived: { readonly runs: number; readonly lines: number }
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
  /** Null: the run is not archived. */
  readonly archived_lines: number | null
  readonly archived_head: string | null
}

interface CurrentRun {
  readonly runId: string
  readonly head: string | null
  readonly lines: Array<HashedLine>
}

/** Lines read at a time: one can have a megabyte. */
const page = 200

/** Recomputes every head hash. A transaction must be open. */
export async function verifyEveryRun(client: pg.ClientBase, signal: AbortSignal): Promise<VerifiedRuns> {
  const notIntact: Array<{ runId: string; message: string }> = []
  let runs = 0
  let lines = 0
  const archived = { runs: 0, lines: 0 }
  let current: (Pick<Row, "archived_lines" | "archived_head"> & CurrentRun) | undefined
  const close = () => {
    if (current === undefined) return
    const { archived_head, archived_lines, head, runId } = current
    runs += 1
    lines += current.lines.length
    if (archived_lines !== null) {
      archived.runs += 1
      archived.lines += archived_lines
      if (current.lines.length > 0)
        notIntact.push({ runId, message: "it is archived, and there are lines of it" })
      else if (archived_head !== head)
        notIntact.push({ runId, message: "it is archived with another last line" })
      current = undefined
      return
    }
    const wrong = head === null ? undefined : verify(runId as RunId, current.lines, head) // as the row says
    if (head === null) notIntact.push({ runId, message: "there are lines of it, and no run" })
    if (wrong !== undefined) notIntact.push({ runId, message: wrong.message })
    current = undefined
  }
  // The schema may be one of an earlier release.
  const { rows: known } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('public.run_archive') IS NOT NULL AS there"
  )
  const notes = known[0]?.there
    ? "LEFT JOIN (SELECT run_id, lines AS archived_lines, head_hash AS archived_head FROM run_archive) note USING (run_id)"
    : "CROSS JOIN (SELECT NULL::int AS archived_lines, NULL::text AS archived_head) none"
  await client.query(`DECLARE every_line NO SCROLL CURSOR FOR
    SELECT run_id, head_hash, sequence, line, hash, archived_lines, archived_head
    FROM run FULL JOIN ledger_event USING (run_id) ${notes} ORDER BY run_id, sequence`)
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await client.query<Row>(`FETCH ${page} FROM every_line`)
    for (const { archived_head, archived_lines, hash, head_hash, line, run_id, sequence } of rows) {
      if (current?.runId !== run_id) {
        close()
        current = { runId: run_id, head: head_hash, lines: [], archived_head, archived_lines }
      }
      if (sequence !== null) current?.lines.push({ sequence, line, hash })
    }
    if (rows.length < page) break
  }
  close()
  await client.query("CLOSE every_line")
  return { runs, lines, archived, notIntact }
}
