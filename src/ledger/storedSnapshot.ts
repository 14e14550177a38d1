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
  const starts = new Map<RunId, Start>()
  return {
    keep: (runId, snapshot) => {
      starts.set(runId, { snapshot, written: [] })
      if (starts.size > remembered) starts.delete(starts.keys().next().value!)
    },
    textOf: (runId, snapshot) => {
      const start = starts.get(runId)
      if (start === undefined) return JSON.stringify([[[], snapshot] satisfies Change])
      if (terminalStatuses.includes(snapshot.view.status)) starts.delete(runId)
      start.written = writtenAfter(start.written, changesBetween(start.snapshot, snapshot))
      let texts = ""
      for (const { text } of start.written) texts += texts === "" ? text : `,${text}`
      return `[${texts}]`
    }
  }
}

interface Start {
  readonly snapshot: RunSnapshot
  /** With the run's last append. */
  written: ReadonlyArray<Written>
}

interface Written {
  readonly change: Change
  readonly text: string
}

/**
 * From one append to the next most changes stay, and need not be made into text again: nothing in a snapshot is
 * changed in place, so the same object has the same text. A loop, because this runs for every append.
 */
function writtenAfter(
  before: ReadonlyArray<Written>,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Written> {
  const written: Array<Written> = []
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!
    const known = before[at]
    written.push(
      known !== undefined && isSameChange(known.change, change)
        ? known
        : { change, text: JSON.stringify(change) }
    )
  }
  return written
}

function isSameChange([pathA, a]: Change, [pathB, b]: Change): boolean {
  if (a !== b || pathA.length !== pathB.length) return false
  for (let at = 0; at < pathA.length; at++) if (pathA[at] !== pathB[at]) return false
  return true
}

/** The snapshot of a row. */
export function readSnapshot(start: string | null, snapshot: string): RunSnapshot {
  const stored: unknown = JSON.parse(snapshot)
  const before: unknown = start === null ? undefined : JSON.parse(start)
  // What we wrote ourselves needs no decoding beyond JSON.
  return (Array.isArray(stored) ? applyChanges(before, stored) : stored) as RunSnapshot
}
