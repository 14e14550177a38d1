/** How long a run of a suite may take, by an earlier one. Pure. */
import type { RunReport } from "../../client/plugfest.ts"

/** An estimate, and the run that it is made from. */
export interface Estimate {
  readonly millis: number
  readonly run: RunReport
}

/**
 * The newest finished run of the suite decides, each of its checks alike: with this partner where there is one. Without such
 * a run nothing is known. `listenSeconds`: of the new order.
 */
export function durationOf(
  runs: ReadonlyArray<RunReport>,
  suiteId: string,
  connectionId: string,
  checks: number,
  listenSeconds: number
): Estimate | undefined {
  const done = runs.filter(
    (run) =>
      run.suiteId === suiteId &&
      run.status === "completed" &&
      run.startedAt !== null &&
      run.finishedAt !== null
  )
  const run = done.find((one) => one.connectionId === connectionId) ?? done[0]
  if (run === undefined || run.progress.of === 0) return undefined
  const listened = (run.order?.listenSeconds ?? 0) * 1000
  const took = Date.parse(run.finishedAt ?? "") - Date.parse(run.startedAt ?? "") - listened
  return { millis: (Math.max(0, took) * checks) / run.progress.of + listenSeconds * 1000, run }
}
