/** The archived runs of a ledger in memory. */
import { Effect, Option } from "effect"
import { dayMillis, minuteMillis } from "../../schema/fields/durations.ts"
import type { RunId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { isTerminal } from "../../schema/RunReport.ts"
import type { ArchiveNote, Line, RunRow, RunSnapshot } from "./Ledger.ts"
import { begunMinutes, type RunArchives, unfinishedMinutes } from "./RunArchives.ts"

/** A run of the store. */
interface ArchivableRun {
  readonly lines: Array<Line>
  readonly snapshot: RunSnapshot
  readonly headHash: string
  archived?: ArchiveNote | undefined
}

/** Objects that no run needs, by name. */
export class LeftoverStore extends Map<
  string,
  { readonly runId: RunId; readonly begunAt: number; readonly removing: boolean }
> {}

/** What is asked of the ledger. */
interface RunArchivesMemoryOptions<Run extends ArchivableRun> {
  readonly runs: ReadonlyMap<RunId, Run>
  readonly leftovers: LeftoverStore
  readonly nowMillis: () => number
  /** When a run that is over has ended. */
  readonly endedAt: (run: Run) => number
  readonly rowOf: (run: Run) => RunRow
}

/** The adapter in memory of the port `RunArchives`. */
export const makeRunArchivesMemory = <Run extends ArchivableRun>({
  endedAt,
  leftovers,
  nowMillis,
  rowOf,
  runs
}: RunArchivesMemoryOptions<Run>): RunArchives["Type"] => {
  const isClosed = ({ snapshot }: Run) => isTerminal(snapshot.view.status)
  const named = (entries: Iterable<readonly [string, { readonly runId: RunId }]>, limit: number) =>
    [...entries].slice(0, limit).map(([name, { runId }]) => ({ name, runId }))
  return {
    due: (days, limit) =>
      Effect.sync(() =>
        [...runs]
          .filter(([, run]) => isClosed(run) && run.archived === undefined)
          .filter(([, run]) => endedAt(run) < nowMillis() - days * dayMillis)
          .sort(([, one], [, other]) => endedAt(one) - endedAt(other))
          .slice(0, limit)
          .map(([runId]) => runId)
      ),
    find: (runId) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(runs.get(runId)), (run) => ({
          row: rowOf(run),
          note: Option.fromNullable(run.archived)
        }))
      ),
    begin: ({ name, runId }, { evenIfBegun }) =>
      Effect.sync(() => {
        const since = nowMillis() - begunMinutes * minuteMillis
        const isBegun = [...leftovers.values()].some(
          (one) => one.runId === runId && !one.removing && one.begunAt > since
        )
        if ((isBegun && !evenIfBegun) || leftovers.get(name)?.removing === true) return false
        leftovers.set(name, { runId, begunAt: nowMillis(), removing: false })
        return true
      }),
    archive: (note) =>
      Effect.sync(() => {
        const run = runs.get(note.runId)
        const leftover = leftovers.get(note.name)
        if (run === undefined || !isClosed(run) || run.archived !== undefined) return false
        if (run.headHash !== note.headHash || run.lines.length !== note.lines) return false
        if (leftover?.runId !== note.runId || leftover.removing) return false
        leftovers.delete(note.name)
        run.archived = note
        run.lines.length = 0
        return true
      }),
    restore: (runId, lines) =>
      Effect.sync(() => {
        const run = runs.get(runId)
        const note = run?.archived
        if (run === undefined || note === undefined) return false
        if (lines.length !== note.lines || lines.at(-1)?.hash !== note.headHash)
          throw new Error(`these are not the lines of run ${runId}`)
        for (const { eventId, hash, line } of lines)
          run.lines.push({ event: JSON.parse(line) as LedgerEvent, eventId, line, hash })
        run.archived = undefined
        leftovers.set(note.name, { runId, begunAt: nowMillis(), removing: true })
        return true
      }),
    leftovers: (limit) => Effect.sync(() => named(leftovers, limit)),
    claimLeftovers: (limit) =>
      Effect.sync(() => {
        const before = nowMillis() - unfinishedMinutes * minuteMillis
        const needed = new Set([...runs.values()].map(({ archived }) => archived?.name))
        const claimed = [...leftovers].filter(
          ([name, { begunAt, removing }]) => (removing || begunAt < before) && !needed.has(name)
        )
        for (const [name, one] of claimed.slice(0, limit)) leftovers.set(name, { ...one, removing: true })
        return named(claimed, limit)
      }),
    giveUp: (name) =>
      Effect.sync(() => {
        const one = leftovers.get(name)
        if (one !== undefined) leftovers.set(name, { ...one, removing: true })
      }),
    forget: (name) =>
      Effect.sync(() => {
        if (leftovers.get(name)?.removing === true) leftovers.delete(name)
      })
  }
}
