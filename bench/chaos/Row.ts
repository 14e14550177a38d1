/** A row of the fault matrix: what is done to the service, and what came of it. */
import type { Zeros } from "./zeros.ts"

export interface Ended {
  /** What was tried, with counts. */
  readonly tried: string
  /** What was measured, with its bar. */
  readonly figure: string
  /** Counted over every run that the row made. */
  readonly zeros: Zeros
  /** What was required beyond the zeros and did not hold; empty: nothing. */
  readonly broken: ReadonlyArray<string>
  readonly lines: number
  readonly kills?: number
  readonly streams?: number
}

/** The machine cannot do what the row needs. */
export interface Skipped {
  readonly skipped: string
}

export interface Ground {
  /** The cluster's own database, as superuser. */
  readonly cluster: string
  readonly short: boolean
  /** One number for the long form, a smaller one for the short. */
  readonly count: (long: number, short: number) => number
  /** Says how far a row has come, on stderr. */
  readonly note: (text: string) => void
}

export interface Row {
  readonly id: string
  readonly fault: string
  /** It has a bar that another row beside it would break: it is played when nothing else is. */
  readonly alone?: true
  readonly run: (ground: Ground) => Promise<Ended | Skipped>
}

/** Collects what did not hold. */
export class Requirements {
  readonly broken: Array<string> = []
  require(holds: boolean, what: string): void {
    if (!holds) this.broken.push(what)
  }
}

/** The value below which that share of them lies; NaN of none. */
export function percentile(values: ReadonlyArray<number>, share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const millis = (value: number): string => (Number.isNaN(value) ? "-" : `${Math.round(value)} ms`)
