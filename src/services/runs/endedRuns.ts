/** Runs that are over and were read a moment ago. Their rows do not change; only a purge removes them. */
import type { Clock } from "effect"
import { isTerminal } from "../../../schema/RunReport.ts"
import type { RunRow } from "../../ledger/Ledger.ts"

/** For how long a run that was purged meanwhile may still be shown. */
const keptMillis = 1000
/** A row is some kilobytes; beyond so many ids the ones read longest ago are forgotten. */
const mostIds = 1000

/** A memory of runs that are over. */
interface EndedRuns {
  /** Remembers the row under its run id and its report id, if the run is over. */
  readonly keep: (row: RunRow) => void
  /** The row that was kept under this id at most a second ago. */
  readonly find: (id: string) => RunRow | undefined
}

/** An empty memory, whose times are those of the clock. */
export const makeEndedRuns = (clock: Clock.Clock): EndedRuns => {
  const rows = new Map<string, { readonly row: RunRow; readonly until: bigint }>()
  const nanos = BigInt(keptMillis) * 1_000_000n
  return {
    keep: (row) => {
      if (!isTerminal(row.snapshot.view.status)) return
      const until = clock.unsafeCurrentTimeNanos() + nanos
      for (const id of [row.facts.runId, row.facts.reportId]) {
        rows.delete(id)
        rows.set(id, { row, until })
      }
      while (rows.size > mostIds) rows.delete(rows.keys().next().value!)
    },
    find: (id) => {
      const known = rows.get(id)
      return known !== undefined && clock.unsafeCurrentTimeNanos() < known.until ? known.row : undefined
    }
  }
}
