/** Counts of outcomes, and the verdict that follows from them. Pure. */
import type { Assertion, Summary, Verdict } from "../../../schema/Assertion.ts"
import type { RunView } from "../Ledger.ts"

/** Outcome counts by stage (journeys) or module (conformance). */
export type Counts = RunView["counts"]

/**
 * Counted beside the outcomes: requirements (`must`) that were not judged, because the evidence could not be observed, because
 * of an error of ours, or because a precondition was not met. A run with one of them never passes.
 */
const open = "requiredOpen"

/** The counts with these assertions added to their group. */
export function addCounts(counts: Counts, group: string, assertions: ReadonlyArray<Assertion>): Counts {
  if (assertions.length === 0) return counts
  const next: Record<string, number> = { ...counts[group] }
  for (const { blockedBy, outcome, strength } of assertions) {
    next[outcome] = (next[outcome] ?? 0) + 1
    const isOpen = outcome === "unobservable" || outcome === "error" || blockedBy !== undefined
    if (strength === "must" && isOpen) {
      next[open] = (next[open] ?? 0) + 1
    }
  }
  return { ...counts, [group]: next }
}

/** The counts without a group, which is run again. */
export function dropCounts(counts: Counts, group: string): Counts {
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
export function verdictOf(counts: Counts, cutShort: boolean): Verdict {
  const { failed, total, warned } = summaryOf(counts)
  if (failed > 0) return "fail"
  if (total === 0 || cutShort || sum(counts, open) > 0) return "inconclusive"
  return warned > 0 ? "warn" : "pass"
}

/** The number of recorded assertions, whatever their outcome. */
export function recordedIn(counts: Counts): number {
  const { errored, notApplicable, notTested, total, unobservable } = summaryOf(counts)
  return total + unobservable + notTested + notApplicable + errored
}

const sum = (counts: Counts, outcome: string) =>
  Object.values(counts).reduce((total, group) => total + (group[outcome] ?? 0), 0)
