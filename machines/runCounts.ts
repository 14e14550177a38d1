/** Counts of outcomes as a fold of a run's events, and the verdict that follows from them. Pure. */
import type { Assertion, Summary, Verdict } from "../schema/Assertion.ts"
import type { LedgerEvent } from "../schema/LedgerEvent.ts"

/** Outcome counts by stage (journeys) or module (conformance): a stage that is run again replaces its own. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** An event, as much of it as is counted. */
type Counted = Pick<LedgerEvent, "type" | "stageId" | "assertions">

/** The counts after one more event. */
export function countsAfter(before: Counts, event: Counted): Counts {
  let counts = before
  if (runsAgain(event) && counts[event.stageId!] !== undefined) counts = dropCounts(counts, event.stageId!)
  for (const assertion of event.assertions) counts = addCounts(counts, groupOf(event, assertion), assertion)
  return counts
}

/** A stage that starts again, or is skipped with assertions of its own, discards its earlier ones. */
export const runsAgain = ({ assertions, stageId, type }: Counted): boolean =>
  stageId !== undefined && (type === "stage.started" || (type === "stage.skipped" && assertions.length > 0))

/** The stage or the module that an assertion of the event is counted under; empty when the line names neither. */
export const groupOf = ({ stageId }: Counted, { module }: Assertion): string => stageId ?? module ?? ""

/**
 * Counted beside the outcomes: requirements (`must`) that were not judged, because the evidence could not be observed, because
 * of an error of ours, or because a precondition was not met. A run with one of them never passes.
 */
const open = "requiredOpen"

function addCounts(counts: Counts, group: string, { blockedBy, outcome, strength }: Assertion): Counts {
  const before = counts[group] ?? {}
  const isOpen = outcome === "unobservable" || outcome === "error" || blockedBy !== undefined
  const openOnes = strength === "must" && isOpen ? { [open]: (before[open] ?? 0) + 1 } : {}
  return { ...counts, [group]: { ...before, [outcome]: (before[outcome] ?? 0) + 1, ...openOnes } }
}

function dropCounts(counts: Counts, group: string): Counts {
  const { [group]: _, ...rest } = counts
  return rest
}

/** The sum over all groups. `total` is the number of graded assertions: passed, failed and warned. */
export function summaryOf(counts: Counts): Summary {
  const passed = sum(counts, "passed")
  const failed = sum(counts, "failed")
  const warned = sum(counts, "warned")
  return {
    total: passed + failed + warned,
    passed,
    failed,
    warned,
    unobservable: sum(counts, "unobservable"),
    notTested: sum(counts, "not_tested"),
    notApplicable: sum(counts, "not_applicable"),
    errored: sum(counts, "error")
  }
}

/**
 * `fail` if anything failed; else `inconclusive` if something required was not judged or the run was cut short; else
 * `warn` if anything was warned of; else `pass`.
 */
export function verdictOf(counts: Counts, { isCutShort }: { readonly isCutShort: boolean }): Verdict {
  const { failed, total, warned } = summaryOf(counts)
  if (failed > 0) return "fail"
  if (total === 0 || isCutShort || sum(counts, open) > 0) return "inconclusive"
  return warned > 0 ? "warn" : "pass"
}

/** The number of recorded assertions, whatever their outcome. */
export function recordedIn(counts: Counts): number {
  const { errored, notApplicable, notTested, total, unobservable } = summaryOf(counts)
  return total + unobservable + notTested + notApplicable + errored
}

const sum = (counts: Counts, outcome: string) =>
  Object.values(counts).reduce((total, group) => total + (group[outcome] ?? 0), 0)
