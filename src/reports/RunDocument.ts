/** Everything that a report says: what each renderer is a function of. */
import type { Assertion, Outcome } from "../../schema/Assertion.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { RunReport } from "../../schema/RunReport.ts"

/** The results of one module (conformance) or stage (journeys), in the order of the run. */
export interface ReportGroup {
  readonly id: string
  /** ISO 8601; null where it never began. */
  readonly startedAt: string | null
  readonly checks: ReadonlyArray<Assertion>
}

export interface ReportExchange {
  readonly stageId: string | null
  readonly exchange: Exchange
}

export interface RunDocument {
  readonly report: RunReport
  /** Name of the suite or of the journey. */
  readonly name: string
  /** Null where this release does not know the suite or journey any more. */
  readonly theirRole: Role | null
  /** Why the run ended, where its last line says so. */
  readonly reason: string | null
  /** What the run could not clean up at the partner. */
  readonly leftBehind: ReadonlyArray<string>
  readonly groups: ReadonlyArray<ReportGroup>
  /** Oldest first, secrets replaced. */
  readonly exchanges: ReadonlyArray<ReportExchange>
  /** Absent: as it was sent. */
  readonly personalData?: "masked"
  /** The lines that the document is a fold of. */
  readonly ledger: { readonly lines: number; readonly headHash: string }
}

/** Said on a report for people. */
export const maskedNote = "What drivers are recognised by is masked; the same value has the same name"

/** Every result, group by group. */
export const checksOf = ({ groups }: RunDocument): ReadonlyArray<Assertion> =>
  groups.flatMap(({ checks }) => checks)

/** How many of these results have one of the outcomes. */
export const countOf = (checks: ReadonlyArray<Assertion>, ...outcomes: ReadonlyArray<Outcome>): number =>
  checks.filter(({ outcome }) => outcomes.includes(outcome)).length

/** The outcomes that say nothing about the partner. */
export const ungraded: ReadonlyArray<Outcome> = ["unobservable", "not_tested", "not_applicable"]

/** From the first instant to the last, in milliseconds; null while the run is not over. */
export const durationOf = ({ finishedAt, startedAt }: RunReport): number | null =>
  startedAt === null || finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)

/** `2.4 s`, `3 min 12 s`. */
export const inWords = (millis: number): string =>
  millis < 1000
    ? `${Math.round(millis)} ms`
    : millis < 60_000
      ? `${(millis / 1000).toFixed(1)} s`
      : `${Math.floor(millis / 60_000)} min ${Math.round((millis % 60_000) / 1000)} s`

/**
 * Milliseconds that each check took on the wire. Checks share exchanges: an exchange counts for the first one that judged
 * it, so that the times of a run add up.
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
        ? "Nothing was graded: this says nothing about the partner"
        : "Not enough could be judged: this is no pass"
    case null:
      return `The run is ${status}: this is not the end of it`
  }
}
