/** Pages of lines that are in memory, as `Ledger.page` answers them. */
import { Effect } from "effect"
import { ArchiveAway, type ArchiveError } from "../archive/ArchiveStore.ts"
import type { ArchiveNote, PageFilter, ReadArchive, StoredLine } from "./Ledger.ts"

/** Which page of a run's lines. */
interface PageRequest extends PageFilter {
  /** Sequence of the last line before the page. */
  readonly after: number
  /** How many lines it has at most. */
  readonly limit: number
}

/** What a page is chosen by. */
interface EventHead {
  readonly type: string
  readonly stageId?: string | undefined
}

/** A page of `lines`, which are all of the run, from sequence 1. `eventOf` is asked only where type or stage count. */
export function pageOfLines<A extends { readonly line: string }>(
  lines: ReadonlyArray<A>,
  { after, limit, maxBytes = Number.POSITIVE_INFINITY, stageId, type }: PageRequest,
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
  request: PageRequest
): Effect.Effect<ReadonlyArray<StoredLine>, ArchiveError> =>
  request.after >= note.lines
    ? Effect.succeed([])
    : Effect.map(readArchive(note), (lines) =>
        pageOfLines(lines, request, ({ line }) => JSON.parse(line) as EventHead)
      )

/** Of a ledger without an archive. */
export const unread: ReadArchive = ({ runId }) =>
  new ArchiveAway({ message: `The run ${runId} is archived, and no archive is set` })
