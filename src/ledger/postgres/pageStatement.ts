/** The statement that reads a page of a run. */
import type { RunId } from "../../../schema/Ids.ts"
import type { Statement } from "../../database/statement.ts"
import type { ArchiveNote, PageFilter, StoredLine } from "../Ledger.ts"

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

/** A row of `orNote`: a line, or, as the only row, the note of an archived run as JSON. */
export type PageRow = StoredLine | { readonly sequence: null; readonly line: string }

/** The note, if the run is archived. */
export const noteIn = (rows: ReadonlyArray<PageRow>): ArchiveNote | undefined => {
  const [first] = rows
  return first?.sequence === null ? (JSON.parse(first.line) as ArchiveNote) : undefined
}

/**
 * The same page, or the note of the run, which has no line when it is archived: in one statement, because the lines may come back
 * between two. For a page that was empty, because it makes a short page half as expensive again.
 */
export const orNote = ({ name, text, values }: Statement & { readonly name: string }) => ({
  name: `${name}-or-note`,
  text: `
    (${text})
    union all
    select null, json_build_object('runId', run_id, 'name', name, 'lines', lines, 'headHash', head_hash, 'bytes', bytes,
      'textBytes', text_bytes, 'sha256', sha256)::text, null, null
    from run_archive where run_id = $1`,
  ...(values === undefined ? {} : { values })
})
