/** How counted outcomes add up. Pure. */
import type { Assertion, Summary, Verdict } from "../../../schema/Assertion.ts"
import type { RunView } from "../Ledger.ts"

/** Outcome counts by stage (journeys) or module (conformance). */
export type Counts = RunView["counts"]

/**
 * Counted beside the outcomes: requirements (`must`) that could not be judged, be it that nobody could observe them
 * or that we failed. A run with one of them never passes.
 */
const open = "requiredOpen"

/** The counts with these assertions added to their group. */
export function addCounts(counts: Counts, group: string, assertions: ReadonlyArray<Assertion>): Counts {
  if (assertions.length === 0) return counts
  const next: Record<string, number> = { ...counts[group] }
  for (const { outcome, strength } of assertions) {
    next[outcome] = (next[outcome] ?? 0) + 1
    if (strength === "must" && (outcome === "unobservable" || outcome === "error")) {
      next[open] = (next[open] ?? 0) + 1
    }
  }
  return { ...counts, [group]: next }
}

/** The counts without a group: it is run again. */
export function dropCounts(counts: Counts, group: string): Counts {
  const { [group]: _, ...rest } = counts
  return rest
}

/** Sum over all groups. `total` is what was graded. */
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

/** A failure decides; without one, what was not judged decides; then a warning; then it is a pass. */
export function verdictOf(counts: Counts, cutShort: boolean): Verdict {
  const { failed, total, warned } = summaryOf(counts)
  if (failed > 0) return "fail"
  if (total === 0 || cutShort || sum(counts, open) > 0) return "inconclusive"
  return warned > 0 ? "warn" : "pass"
}

/** How many assertions were recorded, of any outcome. */
export function recordedIn(counts: Counts): number {
  const { errored, notApplicable, notTested, total, unobservable } = summaryOf(counts)
  return total + unobservable + notTested + notApplicable + errored
}

const sum = (counts: Counts, outcome: string) =>
  Object.values(counts).reduce((total, group) => total + (group[outcome] ?? 0), 0)
