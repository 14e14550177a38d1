/** How long a run of a suite may take, by an earlier run. Pure. */
import type { RunReport } from "../../client/plugfest.ts"

/** An estimate, and the run that it is made from; absent: no suite has finished yet. */
interface Estimate {
  readonly millis: number
  readonly run?: RunReport
}

/** A run that is to be started. */
interface PlannedSuiteRun {
  readonly suiteId: string
  readonly connectionId: string
  /** How many checks it has. */
  readonly checks: number
  readonly listenSeconds: number
}

/** What a check takes where nothing was measured: of a partner that answers within some tens of milliseconds. */
export const usualMillis = 25

/**
 * The newest finished run of the suite decides, each of its checks alike: with this partner where there is one. Without such a
 * run it is the largest finished one of another suite, whose beginning and end count least.
 */
export function durationOf(
  runs: ReadonlyArray<RunReport>,
  { checks, connectionId, listenSeconds, suiteId }: PlannedSuiteRun
): Estimate {
  const done = runs.filter(
    (run) =>
      run.kind === "conformance" &&
      run.status === "completed" &&
      run.startedAt !== null &&
      run.finishedAt !== null &&
      // One that graded nothing, because the registration was lost, took no time.
      run.summary.total > 0 &&
      run.progress.of > 0
  )
  const same = done.filter((run) => run.suiteId === suiteId)
  const [largest] = done.toSorted((a, b) => b.progress.of - a.progress.of)
  const run = same.find((one) => one.connectionId === connectionId) ?? same[0] ?? largest
  const listening = listenSeconds * 1000
  return run === undefined
    ? { millis: usualMillis * checks + listening }
    : { millis: (workMillis(run) * checks) / run.progress.of + listening, run }
}

/** How long it took, without the time in which it only listened. */
function workMillis({ finishedAt, order, startedAt }: RunReport): number {
  const listened = (order?.listenSeconds ?? 0) * 1000
  return Math.max(0, Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "") - listened)
}
