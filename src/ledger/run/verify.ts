/** Verifies that a run's lines are those that were written, by recomputing the hash chain. Pure. */
import type { RunId } from "../../../schema/Ids.ts"
import { genesisOf, hashOf } from "./ledgerLine.ts"

/** A line and its hash, as stored. */
export interface HashedLine {
  readonly sequence: number
  readonly line: string
  readonly hash: string
}

/** The first line that differs from what was written. */
interface Tampered {
  readonly sequence: number
  readonly message: string
}

/**
 * Recomputes sequence and hash of every line of a run, oldest first. `headHash`: the hash in the run's row, which reveals
 * lines missing at the end. Undefined: nothing was changed.
 */
export const verify = (
  runId: RunId,
  lines: ReadonlyArray<HashedLine>,
  headHash?: string
): Tampered | undefined => {
  let previous = genesisOf(runId)
  for (const [index, { hash, line, sequence }] of lines.entries()) {
    const expected = index + 1
    if (sequence !== expected) return { sequence: expected, message: `line ${expected} is missing` }
    if (!line.startsWith(`{"sequence":${sequence},`)) {
      return { sequence, message: `the text of line ${sequence} carries another number` }
    }
    if (hashOf(previous, line) !== hash) {
      return { sequence, message: `line ${sequence} is not the one that was written` }
    }
    previous = hash
  }
  return headHash === undefined || headHash === previous
    ? undefined
    : { sequence: lines.length + 1, message: `lines after ${lines.length} are missing` }
}
