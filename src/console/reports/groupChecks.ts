/** Which checks a report shows, in which order, and which of them failed of one cause. */
import type { Assertion, Data } from "../../client/plugfest.ts"

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
export interface Filter {
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

/** The exchanges of one part of a run, from one side, with all of these words in their first line. */
export function filterExchanges<
  E extends { readonly stageId: string | null; readonly exchange: Data<"connections.exchanges">[number] }
>(
  exchanges: ReadonlyArray<E>,
  filter: {
    readonly part?: string | undefined
    readonly direction?: string | undefined
    readonly text?: string | undefined
  }
): ReadonlyArray<E> {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/)
  return exchanges.filter(({ exchange: { direction, outcome, request, response }, stageId }) => {
    const line = `${request.method} ${request.url} ${response?.httpStatus ?? outcome}`.toLowerCase()
    return (
      (filter.part === undefined || stageId === filter.part) &&
      (filter.direction === undefined || direction === filter.direction) &&
      words.every((word) => line.includes(word))
    )
  })
}

/** The outcomes of a filter after a chip was pressed. */
export function toggleOutcome(filter: string | undefined, outcome: string): string | undefined {
  const before = filter?.split(".") ?? []
  const after = before.includes(outcome) ? before.filter((each) => each !== outcome) : [...before, outcome]
  return after.length === 0 ? undefined : after.join(".")
}

/** The results of one module, in the order of the run. */
export interface ModuleCounts {
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

/** Findings that say the same: one sentence, the checks that have it, and at how many places. */
export interface SharedCause {
  readonly message: string
  readonly hint: string | undefined
  readonly checks: ReadonlyArray<Assertion>
  readonly places: number
  readonly outcome: Assertion["outcome"]
}

/** The causes of all that failed or warned: failures first, then what concerns most places. */
export function causesOf(checks: ReadonlyArray<Assertion>): ReadonlyArray<SharedCause> {
  const causes = new Map<string, Array<Assertion>>()
  for (const check of checks) {
    if (check.outcome !== "failed" && check.outcome !== "warned" && check.outcome !== "error") continue
    const key = check.findings?.[0]?.message ?? check.message ?? check.title
    causes.set(key, [...(causes.get(key) ?? []), check])
  }
  const weight = (cause: SharedCause) => (cause.outcome === "warned" ? 0 : 1)
  return [...causes]
    .map(([message, list]) => ({
      message,
      hint: list.find(({ hint }) => hint !== undefined)?.hint,
      checks: list,
      places: list.reduce(
        (sum, { findings }) => sum + (findings ?? [{ count: 1 }]).reduce((all, { count }) => all + count, 0),
        0
      ),
      outcome: list.some(({ outcome }) => outcome === "failed") ? ("failed" as const) : list[0]!.outcome
    }))
    .sort((a, b) => weight(b) - weight(a) || b.places - a.places)
}

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
