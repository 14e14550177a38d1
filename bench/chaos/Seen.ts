/** What clients were told: runs that were accepted and lines that were shown. None of it may ever be otherwise. */

export interface Seen {
  /** Run ids of answers 202. */
  readonly accepted: Set<string>
  /** By run, the text of each line by its sequence. */
  readonly lines: Map<string, Map<number, string>>
  /** Lines that were shown a second time, in one stream, or with another text. */
  doubled: number
  /** Lines that were shown before the one in front of them. */
  disordered: number
}

export const nothingSeen = (): Seen => ({ accepted: new Set(), lines: new Map(), doubled: 0, disordered: 0 })

/** Notes a line that a stream showed. */
export function show(seen: Seen, runId: string, sequence: number, line: string): void {
  const known = seen.lines.get(runId) ?? new Map<number, string>()
  seen.lines.set(runId, known)
  const before = known.get(sequence)
  if (before !== undefined && before !== line) seen.doubled += 1
  known.set(sequence, line)
}
