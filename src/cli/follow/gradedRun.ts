/** What the command line prints of a run that has ended: its report, the results of its checks, and what it left at the partner. */
import { Effect } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { isEnding } from "../../../schema/LedgerEvent.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { type Service, whenBack } from "../service/Service.ts"

export interface GradedRun {
  readonly report: RunReport
  readonly checks: ReadonlyArray<Assertion>
  /** What the run may have left at the partner: the requests that would undo it. */
  readonly leftBehind: ReadonlyArray<string>
}

/** Reads the results of a run, and its last ledger event. */
export const gradedRun = Effect.fn("cli.gradedRun")(function* (api: Service["api"], report: RunReport) {
  const checks = yield* whenBack(api.testing.checks({ path: { id: report._id }, urlParams: {} }))
  const [last] = yield* whenBack(
    api.journeyRuns.events({
      path: { id: report.runId },
      urlParams: { after: Math.max(0, report.revision - 1), limit: 1 }
    })
  )
  const { leftBehind = [] } = (last !== undefined && isEnding(last) ? last.data : undefined) ?? {}
  return { report, checks, leftBehind } satisfies GradedRun
})
