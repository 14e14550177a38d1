/** Pages of lines that are in memory, as `Ledger.page` answers them. */
import { Effect } from "effect"
import { ArchiveAway, type ArchiveError } from "../archive/ArchiveStore.ts"
import type { ArchiveNote, PageFilter, ReadArchive, StoredLine } from "./Ledger.ts"

/** What a page is chosen by. */
export interface EventHead {
  readonly type: string
  readonly stageId?: string | undefined
}

/** The lines after `after` that pass the filter. `lines`: all of the run, from sequence 1; `eventOf` is asked only for a filter. */
export function pageOfLines<A extends { readonly line: string }>(
  lines: ReadonlyArray<A>,
  after: number,
  limit: number,
  { maxBytes = Number.POSITIVE_INFINITY, stageId, type }: PageFilter,
  eventOf: (line: A) => EventHead
): ReadonlyArray<A> {
  const page: Array<A> = []
  let bytes = 0
  for (let index = after; index < lines.length && page.length < limit && bytes < maxBytes; index++) {
    const line = lines[index]!
    if (type !== undefined && eventOf(line).type !== type) continue
    if (stageId !== undefined && eventOf(line).stageId !== stageId) continue
    page.push(line)
    bytes += Buffer.byteLength(line.line)
  }
  return page
}

/** A page of an archived run. The archive is not read for what is beyond its last line. */
export const archivedPage = (
  readArchive: ReadArchive,
  note: ArchiveNote,
  after: number,
  limit: number,
  filter: PageFilter
): Effect.Effect<ReadonlyArray<StoredLine>, ArchiveError> =>
  after >= note.lines
    ? Effect.succeed([])
    : Effect.map(readArchive(note), (lines) =>
        pageOfLines(lines, after, limit, filter, ({ line }) => JSON.parse(line) as EventHead)
      )

/** Of a ledger without an archive. */
export const unread: ReadArchive = ({ runId }) =>
  new ArchiveAway({ message: `The run ${runId} is archived, and no archive is set` })
