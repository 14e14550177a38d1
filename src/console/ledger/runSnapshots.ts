/** Where a run was, found without folding its events from the first: after each so many events a state is kept. */
import type { LedgerEvent } from "../../client/plugfest.ts"
import { foldRun, type RunAt } from "./foldRun.ts"

/** Events between two states that are kept. */
const apart = 500

/** The states that are kept of one run, oldest first; `from` is the one before its first event that the page has. */
interface RunSnapshots {
  readonly from: RunAt
  readonly kept: Array<RunAt>
}

export const newSnapshots = (from: RunAt): RunSnapshots => ({ from, kept: [] })

/**
 * The run after the last of its events that is not after `upTo`; keeps states on the way. Folds at most `apart` events that it
 * has passed before.
 */
export function runAt(snapshots: RunSnapshots, events: ReadonlyArray<LedgerEvent>, upTo: number): RunAt {
  const { from, kept } = snapshots
  let at = kept.findLast(({ sequence }) => sequence <= upTo) ?? from
  const end = Math.min(upTo, events.at(-1)?.sequence ?? 0)
  while (at.sequence < end) {
    const goal = Math.min(end, (Math.floor(at.sequence / apart) + 1) * apart)
    const next = foldRun(events, goal, at)
    // Of a file whose lines have a gap there may be no event up to the goal, or one that does not follow.
    if (next.sequence <= at.sequence) break
    at = next
    if (at.sequence % apart === 0 && at.sequence > (kept.at(-1)?.sequence ?? 0)) kept.push(at)
  }
  return at
}
