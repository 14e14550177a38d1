/** Which checks a report shows, in which order, and which of those to mend have no cause. */
import type { Assertion } from "../../client/plugfest.ts"
import type { ReportCause } from "../format/ReportCause.ts"

/** The outcomes in the order of a report: what needs an act first. */
export const outcomes = [
  "failed",
  "error",
  "warned",
  "unobservable",
  "not_tested",
  "passed",
  "not_applicable"
] as const satisfies ReadonlyArray<Assertion["outcome"]>

/** What the chips and the search field ask for. */
interface Filter {
  /** Outcomes joined by `.`; undefined: all. */
  readonly outcome?: string | undefined
  readonly module?: string | undefined
  readonly text?: string | undefined
}

/** How many checks have each outcome. */
export function countOutcomes(checks: ReadonlyArray<Assertion>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { outcome } of checks) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** The checks that the filter leaves, in the order of the run. */
export function filterChecks(checks: ReadonlyArray<Assertion>, filter: Filter): ReadonlyArray<Assertion> {
  const wanted = filter.outcome?.split(".")
  const words = (filter.text ?? "").toLowerCase().split(/\s+/)
  return checks.filter(
    (check) =>
      (wanted === undefined || wanted.includes(check.outcome)) &&
      (filter.module === undefined || check.module === filter.module) &&
      words.every((word) =>
        `${check.id} ${check.title} ${check.message ?? ""} ${check.reference}`.toLowerCase().includes(word)
      )
  )
}

/** The outcomes of a filter after a chip was pressed. */
export function toggleOutcome(filter: string | undefined, outcome: string): string | undefined {
  const before = filter?.split(".") ?? []
  const after = before.includes(outcome) ? before.filter((each) => each !== outcome) : [...before, outcome]
  return after.length === 0 ? undefined : after.join(".")
}

/** The results of one module, in the order of the run. */
interface ModuleCounts {
  readonly module: string
  readonly counts: Readonly<Record<string, number>>
  readonly of: number
}

export function countModules(checks: ReadonlyArray<Assertion>): ReadonlyArray<ModuleCounts> {
  const modules = new Map<string, Array<Assertion>>()
  for (const check of checks) {
    const module = check.module ?? "other"
    modules.set(module, [...(modules.get(module) ?? []), check])
  }
  return [...modules].map(([module, list]) => ({ module, counts: countOutcomes(list), of: list.length }))
}

/** The outcome that tells most about a cause: the worst of the checks that report it, or else of those that it keeps from being judged. */
export function outcomeOf(
  { blocked, found }: ReportCause,
  checks: ReadonlyArray<Assertion>
): Assertion["outcome"] {
  const ids = new Set(found.length === 0 ? blocked : found)
  const met = new Set(checks.filter(({ id }) => ids.has(id)).map(({ outcome }) => outcome))
  return outcomes.find((outcome) => met.has(outcome)) ?? "not_tested"
}

const toMend = ["failed", "error", "warned"] as const satisfies ReadonlyArray<Assertion["outcome"]>

/** Is there something to mend? */
export const isToMend = ({ outcome }: Assertion): boolean => toMend.some((one) => one === outcome)

/** The checks to mend that no cause has: failures first. */
export function mendBeside(
  causes: ReadonlyArray<ReportCause>,
  checks: ReadonlyArray<Assertion>
): ReadonlyArray<Assertion> {
  const told = new Set(causes.flatMap(({ blocked, found }) => [...found, ...blocked]))
  const alone = checks.filter(({ id }) => !told.has(id))
  return toMend.flatMap((wanted) => alone.filter(({ outcome }) => outcome === wanted))
}

/** At how many places something is wrong by the check. */
export const placeCount = ({ findings }: Assertion): number =>
  (findings ?? [{ count: 1 }]).reduce((sum, { count }) => sum + count, 0)

/** The id after, or before, the selected one among those that are shown; from none the first or the last. Does not go around. */
export function step(
  ids: ReadonlyArray<string>,
  selected: string | undefined,
  by: 1 | -1
): string | undefined {
  const at = selected === undefined ? -1 : ids.indexOf(selected)
  if (at < 0) return by === 1 ? ids[0] : ids.at(-1)
  return ids[at + by] ?? selected
}

/** The next failure in the run's order, going around at its end. */
export function stepFailure(
  checks: ReadonlyArray<Assertion>,
  selected: string | undefined,
  by: 1 | -1
): string | undefined {
  const at = checks.findIndex(({ id }) => id === selected)
  const from = at < 0 && by === -1 ? 0 : at
  for (let distance = 1; distance <= checks.length; distance++) {
    const check = checks[(from + by * distance + 2 * checks.length) % checks.length]
    if (check?.outcome === "failed") return check.id
  }
  return undefined
}
