/** The decisions that an interrupted run offers: those that its machine takes, with what each will cause. */
import { type AnyMachineSnapshot, type SnapshotFrom, transition } from "xstate"
import { journeyRun } from "../../machines/journeyRun.ts"
import { currentStage, type JourneyRunContext, maxRecoveries } from "../../machines/journeyRunContext.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { Decision, RecoveryOption } from "../../schema/Recovery.ts"
import type { RunKindOf } from "../ledger/RunLog.ts"
import { machineInput, memoryOf, readPlan } from "./plan.ts"
import { templateOf } from "./playable.ts"

/** In the order of preference: the first one offered is recommended. */
const preference: ReadonlyArray<Decision> = [
  "resume",
  "verify_and_resume",
  "retry_stage",
  "finish",
  "skip_stage",
  "restart_as_new",
  "abandon"
]

/** What a caller may decide now; empty outside `interrupted`. Recommended first. */
export function recoveryOptions(
  snapshot: AnyMachineSnapshot,
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<RecoveryOption> {
  if (snapshot.value !== "interrupted") return []
  // Snapshots of runs of this kind come from this machine only.
  const interrupted = snapshot as SnapshotFrom<typeof journeyRun>
  const offering = interrupted.context.offered
    ? interrupted
    : transition(journeyRun, interrupted, { type: "recovery.offered", data: {} })[0]
  const version = offering.context.recoveryVersion
  return preference
    .filter((decision) => offering.can({ type: "recovery.applied", data: { decision, version } }))
    .map((decision, index) => ({
      decision,
      label: labels[decision],
      description: describe(decision, offering.context, events),
      recommended: index === 0,
      repeats: repeats(decision, offering.context, events)
    }))
}

/** How runs of this kind are replayed. */
export const journeyKind: RunKindOf = { machine: journeyRun, input: machineInput, options: recoveryOptions }

const labels: Record<Decision, string> = {
  resume: "Resume",
  verify_and_resume: "Verify, then resume",
  retry_stage: "Retry the stage",
  skip_stage: "Skip the stage",
  restart_as_new: "Restart as a new run",
  finish: "Finish now",
  abandon: "Abandon"
}

function describe(
  decision: Decision,
  context: JourneyRunContext,
  events: ReadonlyArray<LedgerEvent>
): string {
  const stage = currentStage(context)
  const name = stage === undefined ? "the end" : `“${stage.name}”`
  const again = repeats(decision, context, events)
  const sentAgain = again.length === 0 ? "Nothing is sent a second time." : `Sent again: ${again.join(", ")}.`
  const left = maxRecoveries - context.recoveries - 1
  const limit = left > 0 ? `${left} more recoveries remain after it.` : "It is the last recovery of this run."
  const texts: Record<Decision, string> = {
    resume: `Go on at ${name} after the last recorded step; what the partner may have sent meanwhile is read where it can be, and a wait begins anew. ${sentAgain} ${limit}`,
    verify_and_resume: `Read at the partner what became of the request whose answer was lost, record it, and go on. If it had no effect, ${name} counts as not observed. ${sentAgain} ${limit}`,
    retry_stage: `Run ${name} again from its beginning; its earlier grades are replaced. ${sentAgain} ${limit}`,
    skip_stage: `Leave ${name} out: its assertions count as not tested. ${sentAgain} ${limit}`,
    restart_as_new: `Stop a session that still runs, close this run as cancelled, and start a new run with the same plan. ${sentAgain}`,
    finish: `Stop a session that still runs, and grade what is recorded; the rest counts as not tested. ${sentAgain}`,
    abandon: `Stop a session that still runs, and close this run as cancelled. ${sentAgain}`
  }
  return texts[decision]
}

function repeats(
  decision: Decision,
  context: JourneyRunContext,
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<string> {
  const wasSent = (stageId: string) =>
    events.some(({ stageId: id, type }) => type === "exchange.intended" && id === stageId)
  switch (decision) {
    case "resume":
    case "verify_and_resume":
    case "skip_stage":
      return []
    case "retry_stage": {
      const stage = currentStage(context)
      return stage !== undefined && wasSent(stage.id) ? stage.sends : []
    }
    case "restart_as_new":
      return [
        ...new Set([
          ...cleanUpRepeats(events),
          ...context.stages.filter(({ id }) => wasSent(id)).flatMap(({ sends }) => sends)
        ])
      ]
    case "finish":
    case "abandon":
      return cleanUpRepeats(events)
  }
}

/** A clean-up request that had been sent before. */
function cleanUpRepeats(events: ReadonlyArray<LedgerEvent>): ReadonlyArray<string> {
  const stored = events[0]?.data?.["plan"]
  if (stored === undefined) return []
  const plan = readPlan(stored)
  const template = templateOf(plan)
  return (template?.parts ?? [template]).flatMap((tidying) => {
    const cleanUp = tidying?.cleanUp?.(memoryOf(plan, events), true)
    const before = events.some(
      ({ exchange, type }) => type === "exchange.intended" && exchange?.operation === cleanUp?.command
    )
    return cleanUp !== undefined && before ? [cleanUp.sends] : []
  })
}
