/**
 * Snapshots in the rows of `run`: `start` is the first one, `snapshot` the changes since, both as JSON. A row from
 * before `start` was kept holds a whole snapshot. This process remembers the starts of the runs that it owns.
 */
import type { RunId } from "../../schema/Ids.ts"
import { terminalStatuses } from "../../schema/RunReport.ts"
import type { RunSnapshot } from "./Ledger.ts"
import { applyChanges, type Change, changesBetween } from "./snapshotChanges.ts"

/** A run whose start was forgotten has its snapshots written whole: larger, never wrong. */
const remembered = 10_000

export interface Starts {
  /** `start` stands in the run's row, from the hand of this process or read by it. */
  readonly keep: (runId: RunId, start: RunSnapshot) => void
  /** The text of column `snapshot`. */
  readonly textOf: (runId: RunId, snapshot: RunSnapshot) => string
}

export const makeStarts = (): Starts => {
  const starts = new Map<RunId, RunSnapshot>()
  return {
    keep: (runId, start) => {
      starts.set(runId, start)
      if (starts.size > remembered) starts.delete(starts.keys().next().value!)
    },
    textOf: (runId, snapshot) => {
      const start = starts.get(runId)
      if (terminalStatuses.includes(snapshot.view.status)) starts.delete(runId)
      const whole: Change = [[], snapshot]
      return JSON.stringify(start === undefined ? [whole] : changesBetween(start, snapshot))
    }
  }
}

/** The snapshot of a row. */
export function readSnapshot(start: string | null, snapshot: string): RunSnapshot {
  const stored: unknown = JSON.parse(snapshot)
  const before: unknown = start === null ? undefined : JSON.parse(start)
  // What we wrote ourselves needs no decoding beyond JSON.
  return (Array.isArray(stored) ? applyChanges(before, stored) : stored) as RunSnapshot
}
