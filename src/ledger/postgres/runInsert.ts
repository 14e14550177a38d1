/**
 * The statement that creates a run: its row, held by the process that creates it, and its first lines, all or
 * nothing.
 */
import { isTerminal } from "../../../schema/RunReport.ts"
import { nowAlive, whileAlive } from "../../placement/held.ts"
import type { Append, RunFacts } from "../Ledger.ts"

/** The statement and its values. It does nothing and returns no row when the run exists. */
export function insertRun(
  facts: RunFacts,
  { headHash, lines, snapshot }: Omit<Append, "runId" | "expectedSequence" | "epoch">,
  { leaseSeconds, owner }: { readonly leaseSeconds: number; readonly owner: string }
) {
  return {
    name: "ledger-create",
    text: `
      with ${nowAlive("$18", "$19")}, made as (
        insert into run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id,
          plan, predecessor_run_id, created_at, status, verdict, start, snapshot, last_sequence, head_hash, closed,
          lease_epoch, lease_owner, lease_until)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, '[]', $15, $16, $17, 1, $18,
          case when $17 then now() else ${whileAlive} end)
        on conflict (run_id) do nothing
        returning run_id
      )
      insert into ledger_event (run_id, sequence, event_id, type, stage_id, line, hash)
      select made.run_id, l.* from made,
        unnest($20::int[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[])
          as l(sequence, event_id, type, stage_id, line, hash)
      returning sequence`,
    values: [
      facts.runId,
      facts.reportId,
      facts.ownerId,
      facts.kind,
      facts.connectionId,
      facts.connectionLabel,
      facts.ocpiVersion,
      facts.subjectId,
      JSON.stringify(facts.plan),
      facts.predecessorRunId,
      facts.createdAt,
      snapshot.view.status,
      snapshot.view.verdict,
      JSON.stringify(snapshot),
      lines.length,
      headHash,
      isTerminal(snapshot.view.status),
      owner,
      leaseSeconds,
      lines.map(({ event }) => event.sequence),
      lines.map(({ eventId }) => eventId),
      lines.map(({ event }) => event.type),
      lines.map(({ event }) => event.stageId ?? null),
      lines.map(({ line }) => line),
      lines.map(({ hash }) => hash)
    ]
  }
}
