import type { Clock } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { PlacedRun } from "./Placement.ts"

/** The runs that this process owns in the store and does not work on. */
interface UnheldRuns {
  /** Notes that this process works on the run no more. */
  readonly dropped: (runId: RunId) => void
  /** Of those that were just found: the runs that have been so for a lease's term. */
  readonly due: (found: ReadonlyArray<PlacedRun>) => ReadonlyArray<PlacedRun>
}

/**
 * Knows since when runs are unheld. They are left alone for a lease's term, because a run that was just claimed is not yet held,
 * and what could not be written for a term may be writable by then.
 */
export const makeUnheldRuns = (leaseSeconds: number, clock: Clock.Clock): UnheldRuns => {
  const term = BigInt(Math.round(leaseSeconds * 1e9))
  let since = new Map<RunId, bigint>()
  return {
    dropped: (runId) => {
      since.set(runId, clock.unsafeCurrentTimeNanos())
    },
    due: (found) => {
      const now = clock.unsafeCurrentTimeNanos()
      since = new Map(found.map(({ runId }) => [runId, since.get(runId) ?? now]))
      return found.filter(({ runId }) => now - since.get(runId)! >= term)
    }
  }
}
