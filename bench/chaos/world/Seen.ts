/** What the service has shown to clients: accepted runs and ledger lines. None of it may ever change. */

/** What clients have seen. */
export interface Seen {
  /** Ids of runs that were accepted with 202. */
  readonly accepted: Set<string>
  /** The text of each line, by run and sequence. */
  readonly lines: Map<string, Map<number, string>>
  /** Count of lines shown twice in one stream, or with another text. */
  doubled: number
  /** Count of lines shown out of order. */
  disordered: number
}

/** An empty `Seen`. */
export const nothingSeen = (): Seen => ({ accepted: new Set(), lines: new Map(), doubled: 0, disordered: 0 })

/** Records a line that a stream showed. */
export function show(seen: Seen, runId: string, sequence: number, line: string): void {
  const known = seen.lines.get(runId) ?? new Map<number, string>()
  seen.lines.set(runId, known)
  const before = known.get(sequence)
  if (before !== undefined && before !== line) seen.doubled += 1
  known.set(sequence, line)
}
