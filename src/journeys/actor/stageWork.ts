/** Performing one stage: its act, its grades, its end. What this attempt has already recorded is not done again. */
import { Effect } from "effect"
import type { StageAsk } from "../../../machines/journeyRunSetup.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { inPart, type JourneyStage } from "../model/JourneyTemplate.ts"
import { completionOf, type Memory } from "../model/Memory.ts"
import { askOperator } from "./checkpoint.ts"
import { exchangeOnce, readMissed, simulate } from "./exchangeWork.ts"
import { type Gap, gradeStage } from "./gradeStage.ts"
import { intentOfAttempt, type RunDesk, type Stop } from "./RunDesk.ts"
import { changeRegistration } from "./registering.ts"
import { sendAgain } from "./sendAgain.ts"
import { serve } from "./serving.ts"
import { tidyBefore } from "./tidying.ts"
import { awaitPartner, waitOut } from "./waiting.ts"

type Work<A = void> = Effect.Effect<A, Stop | StaleRun>

/** The stage with that id; a defect when the template has none: then it is not the template of this run. */
export function stageOf(desk: RunDesk, stageId: string): JourneyStage {
  const stage = desk.template.stages.find(({ id }) => id === stageId)
  if (stage === undefined) throw new Error(`Template ${desk.template.id} has no stage ${stageId}`)
  return stage
}

/** Runs the stage to its end, or leaves it out when the main line is over. */
export const runStage = Effect.fnUntraced(function* (desk: RunDesk, ask: StageAsk) {
  yield* desk.safePoint
  const stage = stageOf(desk, ask.stageId)
  const over = endOfMainLine(desk.log.events(), stage.part)
  if (over !== undefined) return yield* desk.record(skipped(desk, stage, over))
  yield* tidyBefore(desk, stage)
  yield* desk.record([
    {
      type: "stage.started",
      key: `${stage.id}/${ask.attempt}/started`,
      stageId: stage.id,
      data: { attempt: ask.attempt }
    }
  ])
  yield* desk.pullInbound(stage.id)
  const gap = yield* act(desk, stage, ask.attempt)
  yield* sendAgain(desk, stage, ask.attempt)
  yield* conclude(desk, stage, ask.attempt, gap)
})

/** A stage left out: what it expected counts as not tested. */
export const skipped = (desk: RunDesk, stage: JourneyStage, reason: string): ReadonlyArray<EventDraft> => [
  {
    type: "assertions.recorded",
    key: `${stage.id}/skipped/assertions`,
    stageId: stage.id,
    assertions: gradeStage(stage, desk.memory(), { outcome: "not_tested", reason })
  },
  { type: "stage.skipped", key: `${stage.id}/skipped`, stageId: stage.id, data: { reason } }
]

/** Why the later stages, of this part or of any, are left out; undefined while they are not. */
export function endOfMainLine(events: ReadonlyArray<LedgerEvent>, part?: string): string | undefined {
  const ended = events.findLast(
    ({ data, stageId, type }) =>
      type === "stage.failed" &&
      typeof data?.["endsMainLine"] === "string" &&
      (part === undefined || stageId?.startsWith(inPart(part)) === true)
  )
  return ended === undefined ? undefined : String(ended.data?.["endsMainLine"])
}

function act(desk: RunDesk, stage: JourneyStage, attempt: number): Work<Gap | undefined> {
  switch (stage.act.act) {
    case "exchange":
      return exchangeOnce(desk, stage, stage.act, attempt)
    case "simulate":
      return simulate(desk, stage, stage.act, attempt)
    case "await":
      return awaitPartner(desk, stage, stage.act, attempt)
    case "serve":
      return serve(desk, stage, stage.act, attempt)
    case "wait":
      return Effect.as(waitOut(desk, stage, stage.act, attempt), undefined)
    case "register":
      return changeRegistration(desk, stage, stage.act, attempt)
    case "checkpoint":
      return Effect.as(askOperator(desk, stage, stage.act, attempt), undefined)
    case "judge":
      return Effect.as(readMissed(desk, stage), undefined)
  }
}

const conclude = Effect.fnUntraced(function* (
  desk: RunDesk,
  stage: JourneyStage,
  attempt: number,
  gap: Gap | undefined
) {
  const memory = desk.memory()
  const assertions = gradeStage(stage, memory, gap)
  const verified = completionOfStage(desk, stage.id, attempt)?.data?.["verified"] === "present"
  const reason = reasonToFail(stage, memory, gap, assertions, verified)
  const endsMainLine = reason?.ends === true ? { endsMainLine: reason.text } : {}
  const key = `${stage.id}/${attempt}`
  yield* desk.record([
    { type: "assertions.recorded", key: `${key}/assertions`, stageId: stage.id, assertions },
    reason === undefined
      ? { type: "stage.completed", key: `${key}/ended`, stageId: stage.id, data: { attempt } }
      : {
          type: "stage.failed",
          key: `${key}/ended`,
          stageId: stage.id,
          data: { attempt, reason: reason.text, ...endsMainLine }
        }
  ])
})

function completionOfStage(desk: RunDesk, stageId: string, attempt: number): LedgerEvent | undefined {
  const intent = intentOfAttempt(desk.log.events(), stageId, attempt)
  return intent?.exchange === undefined ? undefined : completionOf(desk.memory(), intent.exchange.id)
}

/** `ends`: what later stages need is missing. A stage that names its own reasons to stop is believed; else a failed must. */
function reasonToFail(
  stage: JourneyStage,
  memory: Memory,
  gap: Gap | undefined,
  assertions: ReturnType<typeof gradeStage>,
  verified: boolean
): { readonly text: string; readonly ends: boolean } | undefined {
  if (gap !== undefined) {
    const goesOn = verified || gap.goesOn === true
    return goesOn ? undefined : { text: gap.reason, ends: !stage.optionalForLater }
  }
  const stops = stage.stopsIf?.(memory)
  if (stops !== undefined) return { text: stops, ends: true }
  const broken = assertions.find(({ outcome }) => outcome === "failed")
  if (broken === undefined) return undefined
  return {
    text: broken.message ?? broken.title,
    ends: stage.stopsIf === undefined && !stage.optionalForLater
  }
}
