/** Which runs a report can be laid beside, what has changed between two, and what became of one check. */
import type { Assertion, Data, RunReport } from "../../client/plugfest.ts"
import { count } from "../format/words.ts"

type Comparison = Data<"testing.compareRuns">
/** A check in both runs. */
export type CheckChange = Comparison["fixed"][number]

const subjectOf = ({ suiteId, templateId }: RunReport) => suiteId ?? templateId
const isOver = ({ verdict }: RunReport) => verdict !== null

/**
 * The runs of this partner that are over and began before this one, newest first; those of the same suite or journey before
 * all others.
 */
export function earlierRuns(runs: ReadonlyArray<RunReport>, report: RunReport): ReadonlyArray<RunReport> {
  const earlier = runs
    .filter((run) => isOver(run) && run._id !== report._id && run.createdAt < report.createdAt)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const isSame = (run: RunReport) => subjectOf(run) === subjectOf(report)
  return [...earlier.filter(isSame), ...earlier.filter((run) => !isSame(run))]
}

/** The newest run of the same suite or journey of each other partner: what a reference partner did. */
export function referenceRuns(runs: ReadonlyArray<RunReport>, report: RunReport): ReadonlyArray<RunReport> {
  const newest = new Map<string, RunReport>()
  for (const run of runs.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)))
    if (
      isOver(run) &&
      run.connectionId !== report.connectionId &&
      subjectOf(run) === subjectOf(report) &&
      !newest.has(run.connectionId)
    )
      newest.set(run.connectionId, run)
  return [...newest.values()]
}

/** The changes as a page shows them: lists with a title, and a sentence for what only one run asked. */
interface Changes {
  readonly lists: ReadonlyArray<readonly [string, ReadonlyArray<CheckChange>]>
  readonly sentences: ReadonlyArray<string>
}

/** Lists without entries are left out; checks that only one of the runs asked are counted and not listed. */
export function changesOf(comparison: Comparison): Changes {
  const { fixed, newlyFailing, newlyGraded, noLongerGraded, stillFailing, unchanged } = comparison
  const notAsked = noLongerGraded.filter(({ after }) => after === null).length
  const onlyNow = newlyGraded.filter(({ before }) => before === null).length
  const lists = [
    ["Newly failing", newlyFailing],
    ["Fixed", fixed],
    ["Still failing", stillFailing],
    ["Could not be judged any more", noLongerGraded.filter(({ after }) => after !== null)],
    ["Judged now, and not before", newlyGraded.filter(({ before }) => before !== null)]
  ] as const
  return {
    lists: lists.filter(([, list]) => list.length > 0),
    sentences: [
      ...(notAsked === 0
        ? []
        : [`${count(notAsked, "check")} of the earlier run ${were(notAsked)} not asked in this one.`]),
      ...(onlyNow === 0
        ? []
        : [`${count(onlyNow, "check")} ${were(onlyNow)} asked in this run only, and did not fail.`]),
      `${count(unchanged, "check")} had the same result.`
    ]
  }
}

const were = (many: number) => (many === 1 ? "was" : "were")

/** A check in one run. */
export interface CheckOfRun {
  readonly run: RunReport
  /** Undefined: this run did not ask it. */
  readonly outcome: Assertion["outcome"] | undefined
}

/** The runs among which a check has its history: those of this report's kind that are over, newest first, at most `most`. */
export function runsOfHistory(
  runs: ReadonlyArray<RunReport>,
  report: RunReport,
  most: number
): ReadonlyArray<RunReport> {
  // The rules of journeys are named after stages, which other journeys have too.
  const canHave = (run: RunReport) =>
    run.ocpiVersion === report.ocpiVersion &&
    (report.kind === "conformance" || run.templateId === report.templateId)
  return runs
    .filter((run) => isOver(run) && canHave(run))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, most)
}

/** `It failed in 3 of 5 runs, and in the last 2.`: what the outcomes of a check say, newest first. */
export function historySentence(rows: ReadonlyArray<CheckOfRun>): string {
  const asked = rows.filter(({ outcome }) => outcome !== undefined)
  const failed = asked.filter(({ outcome }) => outcome === "failed").length
  const sinceFailure = asked.findIndex(({ outcome }) => outcome !== "failed")
  if (asked.length === 0) return "No run has asked it."
  if (asked.length === 1)
    return `It ${failed === 1 ? "failed" : "did not fail"} in the one run that asked it.`
  if (failed === 0) return `It failed in none of ${asked.length} runs.`
  if (sinceFailure === -1) return `It failed in all of ${asked.length} runs.`
  const inRuns = `${failed} of ${asked.length} runs`
  return sinceFailure > 0
    ? `It failed in ${inRuns}, and in the last ${sinceFailure === 1 ? "one" : sinceFailure}.`
    : `It failed in ${inRuns}, but not in the last one.`
}
