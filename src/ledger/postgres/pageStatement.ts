/** The statement that reads a page of a run. */
import type { RunId } from "../../../schema/Ids.ts"
import type { PageFilter } from "../Ledger.ts"

/** The statement for rows of `StoredLine`, oldest first. It computes sizes without reading the lines. */
export function pageStatement(runId: RunId, after: number, limit: number, filter: PageFilter) {
  const { maxBytes, stageId = null, type = null } = filter
  const lines = `
    select sequence, line, event_id as "eventId", hash from ledger_event
    where run_id = $1 and sequence > $2 and ($4::text is null or type = $4)
      and ($5::text is null or stage_id = $5)
    order by sequence limit $3`
  const values = [runId, after, limit, type, stageId]
  if (maxBytes === undefined) return { name: "ledger-page", text: lines, values }
  return {
    name: "ledger-page-bytes",
    text: `
      select sequence, line, "eventId", hash
      from (
        select *, sum(octet_length(line)) over (order by sequence) - octet_length(line) as before
        from (${lines}) page
      ) sized
      where before < $6 order by sequence`,
    values: [...values, maxBytes]
  }
}
