/** The content of a report: the input of every renderer. */
import type { Assertion, Outcome } from "../../schema/Assertion.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import { minuteMillis } from "../../schema/fields/durations.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { RunReport } from "../../schema/RunReport.ts"

/** The results of one module (conformance) or stage (journeys), in the order of the run. */
export interface ReportGroup {
  readonly id: string
  /** Of a stage; absent where this release no longer has the journey. */
  readonly name?: string
  /** ISO 8601 UTC; null when it never started. */
  readonly startedAt: string | null
  readonly checks: ReadonlyArray<Assertion>
}

/** An exchange with the stage that it belongs to; null: the run as a whole. */
export interface ReportExchange {
  readonly stageId: string | null
  readonly exchange: Exchange
}

/** A run with its results and exchanges, with secrets replaced. */
export interface RunDocument {
  readonly report: RunReport
  /** Name of the suite or of the journey. */
  readonly name: string
  /** Null when this release no longer has the suite or journey. */
  readonly theirRole: Role | null
  /** The reason in the run's last event; null when it gives none. */
  readonly reason: string | null
  /** What the run could not clean up at the partner: the requests that would undo it. */
  readonly leftBehind: ReadonlyArray<string>
  readonly groups: ReadonlyArray<ReportGroup>
  /** By the id of a check that failed or warned: what goes wrong in practice. Absent: nothing is said about any of them. */
  readonly whyItMatters?: Readonly<Record<string, string>>
  /** Oldest first, secrets replaced. */
  readonly exchanges: ReadonlyArray<ReportExchange>
  /** Present when personal data is masked; absent: as it was sent. */
  readonly personalData?: "masked"
  /** The ledger that the document was computed from: the number of lines, and the hash of the last one. */
  readonly ledger: { readonly lines: number; readonly headHash: string }
}

/** A note on masked reports for people. */
export const maskedNote = "Personal data of drivers is masked; the same value has the same pseudonym"

/** Every result, group by group. */
export const checksOf = ({ groups }: RunDocument): ReadonlyArray<Assertion> =>
  groups.flatMap(({ checks }) => checks)

/** How many of these results have one of the outcomes. */
export const countOf = (checks: ReadonlyArray<Assertion>, ...outcomes: ReadonlyArray<Outcome>): number =>
  checks.filter(({ outcome }) => outcomes.includes(outcome)).length

/** The outcomes that say nothing about the partner. */
export const ungraded: ReadonlyArray<Outcome> = ["unobservable", "not_tested", "not_applicable"]

/** From the start to the end of the run, in milliseconds; null while it is open. */
export const durationOf = ({ finishedAt, startedAt }: RunReport): number | null =>
  startedAt === null || finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)

/** A duration for people: `340 ms`, `2.4 s`, `3 min 12 s`. */
export const durationInWords = (millis: number): string =>
  millis < 1000
    ? `${Math.round(millis)} ms`
    : millis < minuteMillis
      ? `${(millis / 1000).toFixed(1)} s`
      : `${Math.floor(millis / minuteMillis)} min ${Math.round((millis % minuteMillis) / 1000)} s`

/**
 * Milliseconds of each check's exchanges, by check id. An exchange that several checks judged counts for the first of them
 * only, so that the times of a run add up.
 */
export const timesOf = (document: RunDocument): ReadonlyMap<string, number> => {
  const left = new Map(document.exchanges.map(({ exchange }) => [exchange.id, exchange.durationMs]))
  return new Map(
    checksOf(document).map((check) => {
      let millis = 0
      for (const id of check.exchangeIds ?? []) {
        millis += left.get(id) ?? 0
        left.delete(id)
      }
      return [check.id, millis]
    })
  )
}

/** The verdict as a sentence. */
export const verdictWords = ({ status, summary, verdict }: RunReport): string => {
  switch (verdict) {
    case "pass":
      return `All ${summary.total} graded checks passed`
    case "warn":
      return `${summary.warned} of ${summary.total} graded checks warned, none failed`
    case "fail":
      return `${summary.failed} of ${summary.total} graded checks failed`
    case "inconclusive":
      return summary.total === 0
        ? "Nothing was graded, so the run says nothing about the partner"
        : "Not enough could be judged for a pass"
    case null:
      return `The run is ${status} and has not ended`
  }
}
