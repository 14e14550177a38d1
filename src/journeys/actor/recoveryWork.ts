/** Carrying out a decision about an interrupted run. */
import { Effect } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import type { RunDesk } from "./RunDesk.ts"
import { skipped, stageOf } from "./stageWork.ts"
import { cleanUp } from "./tidying.ts"
import { verify } from "./verifying.ts"

/** Does what was decided and lets the machine go on, or ends the run. */
export const recover = Effect.fnUntraced(function* (
  desk: RunDesk,
  { decision, stageId }: { readonly decision: Decision; readonly stageId: string | null }
) {
  const version = desk.context().recoveryVersion
  const resumed = { type: "run.resumed", key: `recovery/${version}/resumed`, data: { decision } } as const
  switch (decision) {
    case "resume":
    case "retry_stage":
      return yield* desk.record([resumed])
    case "verify_and_resume":
      for (const { id } of desk.context().open) yield* verify(desk, id, version)
      return yield* desk.record([resumed])
    case "skip_stage":
      if (stageId === null) throw new Error("There is no stage to skip")
      return yield* desk.record(
        skipped(desk, stageOf(desk, stageId), "Skipped by decision after an interruption")
      )
    case "finish":
      return yield* finishEarly(desk)
    case "restart_as_new":
      return yield* restart(desk)
    case "abandon":
      // The machine asks for a clean-up instead.
      return
  }
})

const finishEarly = Effect.fnUntraced(function* (desk: RunDesk) {
  yield* cleanUp(desk, true)
  const { index } = desk.context()
  const reason = "The run was finished by decision after an interruption"
  yield* desk.record([
    ...desk.template.stages.slice(index).flatMap((stage) => skipped(desk, stage, reason)),
    { type: "run.completed", key: "run/completed", data: { cutShort: true, reason } }
  ])
})

const restart = Effect.fnUntraced(function* (desk: RunDesk) {
  const successorRunId = successorOf(desk.log.events())
  if (successorRunId === undefined) throw new Error("The decision to restart names no successor")
  yield* cleanUp(desk, true)
  const refused = yield* desk.crew.startSuccessor(desk.log.facts, successorRunId)
  const data =
    refused === undefined
      ? { reason: `Restarted as ${successorRunId}`, successorRunId }
      : { reason: `It could not be started anew: ${refused}`, successorRunId: null }
  yield* desk.record([{ type: "run.cancelled", key: "run/cancelled", data }])
})

/** The successor that was named when a restart was decided: the same one, however often that is decided. */
export function successorOf(events: ReadonlyArray<LedgerEvent>): string | undefined {
  const named = events.find(
    ({ data, type }) => type === "recovery.applied" && typeof data?.["successorRunId"] === "string"
  )
  return named === undefined ? undefined : String(named.data?.["successorRunId"])
}
