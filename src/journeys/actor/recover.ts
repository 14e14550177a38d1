/** Carries out a decision about an interrupted run. */
import { Effect } from "effect"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { cleanUp } from "./cleanUp.ts"
import type { RunContext } from "./RunContext.ts"
import { skipped, stageOf } from "./runStage.ts"
import { verifyExchange } from "./verifyExchange.ts"

/** Carries out the decision, and resumes or ends the run. */
export const recover = Effect.fnUntraced(function* (
  run: RunContext,
  { decision, stageId }: { readonly decision: Decision; readonly stageId: string | null }
) {
  const version = run.context().recoveryVersion
  const resumed = { type: "run.resumed", key: `recovery/${version}/resumed`, data: { decision } } as const
  switch (decision) {
    case "resume":
    case "retry_stage":
      return yield* run.record([resumed])
    case "verify_and_resume":
      for (const { id } of run.context().open) yield* verifyExchange(run, id, version)
      return yield* run.record([resumed])
    case "skip_stage":
      if (stageId === null) throw new Error("There is no stage to skip")
      return yield* run.record(
        skipped(run, stageOf(run, stageId), "Skipped by decision after an interruption", "operator")
      )
    case "finish":
      return yield* finishEarly(run)
    case "restart_as_new":
      return yield* restart(run)
    case "abandon":
      // The machine requests a clean-up instead.
      return
  }
})

const finishEarly = Effect.fnUntraced(function* (run: RunContext) {
  yield* cleanUp(run, "decision")
  const { index } = run.context()
  const reason = "The run was finished by decision after an interruption"
  yield* run.record([
    ...run.template.stages.slice(index).flatMap((stage) => skipped(run, stage, reason, "operator")),
    { type: "run.completed", key: "run/completed", data: { cutShort: true, reason } }
  ])
})

const restart = Effect.fnUntraced(function* (run: RunContext) {
  const successorRunId = successorOf(run.log.events())
  if (successorRunId === undefined) throw new Error("The decision to restart names no successor")
  yield* cleanUp(run, "decision")
  const refused = yield* run.services.startSuccessor(run.log.facts, successorRunId)
  const data =
    refused === undefined
      ? { reason: `Restarted as ${successorRunId}`, successorRunId }
      : { reason: `It could not be started anew: ${refused}`, successorRunId: null }
  yield* run.record([{ type: "run.cancelled", key: "run/cancelled", data }])
})

/** The run id of the successor that the first decision to restart named; later ones keep it. */
export function successorOf(events: ReadonlyArray<LedgerEvent>): string | undefined {
  return events.filter(isEventOf("recovery.applied")).find(({ data }) => data.successorRunId !== undefined)
    ?.data.successorRunId
}
