/** Runs as lines of text. Pure. */
import type { RunReport } from "../../../schema/RunReport.ts"
import { aligned } from "../terminal/aligned.ts"
import { plain } from "../terminal/Terminal.ts"

/** One line for each run: report id, verdict or status, start, connection, suite or journey, and the counts of its checks. */
export const runLines = (runs: ReadonlyArray<RunReport>): ReadonlyArray<string> =>
  aligned(
    runs.map((run) => [
      run._id,
      (run.verdict ?? run.status).toUpperCase(),
      minuteOf(run.createdAt),
      plain(run.connectionLabel),
      run.suiteId ?? run.templateId ?? run.kind,
      counted(run)
    ])
  )

const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)}Z`

/** What the run found; of one that is not over, how far it is. */
const counted = ({ progress, status, summary, verdict }: RunReport): string =>
  verdict === null
    ? `${progress.done} of ${progress.of}${status === "interrupted" ? "; its decisions: plugfest watch" : ""}`
    : `${summary.passed} passed, ${summary.failed} failed, ${summary.warned} warned`
