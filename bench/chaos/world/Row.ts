/** A row of the fault matrix: the injected fault, and its result. */
import type { Zeros } from "./zeros.ts"

/** The result of a row that ran. */
export interface Ended {
  /** What was tried, with counts. */
  readonly tried: string
  /** What was measured, with its bar. */
  readonly figure: string
  /** The six zeros, over every run of the row. */
  readonly zeros: Zeros
  /** The further requirements that did not hold. */
  readonly broken: ReadonlyArray<string>
  readonly lines: number
  readonly kills?: number
  readonly streams?: number
}

/** The machine lacks what the row needs; the text says what. */
export interface Skipped {
  readonly skipped: string
}

/** What all rows share. */
export interface Ground {
  /** URL of the cluster's own database, as superuser. */
  readonly cluster: string
  readonly short: boolean
  /** Chooses the number for the long or the short form. */
  readonly count: (long: number, short: number) => number
  /** Prints the progress of a row on stderr. */
  readonly note: (text: string) => void
}

/** One row. */
export interface Row {
  readonly id: string
  readonly fault: string
  /** It has a bar that a second row at the same time would break, so it runs alone. */
  readonly alone?: true
  readonly run: (ground: Ground) => Promise<Ended | Skipped>
}

/** Collects the requirements that do not hold. */
export class Requirements {
  readonly broken: Array<string> = []
  require(holds: boolean, what: string): void {
    if (!holds) this.broken.push(what)
  }
}

/** The value below which that share (0 to 1) of the values lies; NaN for no values. */
export function percentile(values: ReadonlyArray<number>, share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** A time for display, e.g. `12 ms`. */
export const millis = (value: number): string => (Number.isNaN(value) ? "-" : `${Math.round(value)} ms`)
