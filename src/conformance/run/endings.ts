/** The closing events of a conformance run. */
import type { EventDraft } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import { stageOf, stagesOf } from "../catalogue/stages.ts"
import { unjudged } from "../grading/grading.ts"
import { leftovers } from "./journal.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"

type EndingOptions = Pick<SuiteRunOptions, "checks" | "log" | "record" | "stopped">

/** Completes the run, after its last stage or cut short when nothing more may be sent. */
export function endCompleted({ log, record, stopped }: EndingOptions) {
  const reason = stopped()
  return record([
    {
      type: "run.completed",
      key: "run/completed",
      data: { ...(reason === undefined ? {} : { cutShort: true, reason }), ...leftBehind(log) }
    }
  ])
}

/** The clean-up requests that did not succeed, so that a person can do them by hand. */
function leftBehind(log: RunLog) {
  const left = leftovers(log.events()).map(
    ({ undo }) =>
      `${undo.method ?? "GET"} ${undo.module} ${(undo.path ?? []).join("/")}${undo.by === "second" ? ", by the second EMSP" : ""}`
  )
  return left.length === 0 ? {} : { leftBehind: left }
}

/** Cancels the run: graded stages keep their assertions, checks of all other stages become `not_tested`. */
export function endCancelled({ checks, log, record }: EndingOptions) {
  const over = new Set(
    log
      .events()
      .flatMap(({ stageId, type }) => (type === "stage.completed" && stageId !== undefined ? [stageId] : []))
  )
  const open = stagesOf(checks).filter((stageId) => !over.has(stageId))
  return record([
    ...open.map(
      (stageId): EventDraft => ({
        type: "stage.skipped",
        key: `${stageId}/skipped`,
        stageId,
        assertions: checks
          .filter((check) => stageOf(check) === stageId)
          .map((check) => ({
            ...unjudged(check),
            outcome: "not_tested",
            reason: "the run was cancelled before"
          }))
      })
    ),
    {
      type: "run.cancelled",
      key: "run/cancelled",
      data: { cutShort: true, reason: "cancelled on request", ...leftBehind(log) }
    }
  ])
}
