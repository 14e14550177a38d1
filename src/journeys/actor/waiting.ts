/** Waiting for messages of the partner: how long, and what is done where it may have called while we were away. */

import { Effect, Option } from "effect"
import { isOf } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { isoOf, nowIso } from "../../party/wire/instants.ts"
import { lookUntil } from "../../runs/lookUntil.ts"
import type { AwaitAct, WaitAct } from "../model/Act.ts"
import { stageAway } from "../model/absence.ts"
import { expectedOf } from "../model/expected.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { intentOf, intentSequence, type RunHistory } from "../model/RunHistory.ts"
import { catchUp } from "./catchUp.ts"
import { keepOurs, pass } from "./exchangeWork.ts"
import type { RunContext, Stop } from "./RunContext.ts"

/** How long we wait for what was probably sent while we were away, and cannot be read. */
const lostSeconds = 5

/** Waits for the partner; after an absence, reads first what can be read. Answers why nothing can be said, if so. */
export const awaitPartner = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: AwaitAct,
  attempt: number
) {
  const setOffBy = stage.setOffBy?.(run.history())
  if (setOffBy !== undefined && intentOf(run.history(), setOffBy) === undefined) {
    return {
      outcome: "not_tested",
      reason: "Nothing was sent that it would follow from",
      goesOn: true
    } as const
  }
  const away = stageAway(run.history(), stage)
  const { catchUp: wanted } = stage
  const read = (again: boolean) =>
    wanted === undefined || stageAway(run.history(), stage) === undefined || act.look(run.history()).found
      ? Effect.void
      : catchUp(run, wanted, { key: stage.id, stageId: stage.id, again })
  yield* read(false)
  yield* keepOurs(run, act.keeps, yield* nowIso)
  const ended = run.log
    .events()
    .some(
      (event) =>
        (event.type === "wait.satisfied" || event.type === "wait.expired") &&
        event.stageId === stage.id &&
        event.data?.attempt === attempt
    )
  if (ended) return undefined
  const seconds = waitSeconds(run.history(), act.seconds?.(run.history()) ?? stage.timeoutSeconds)
  const lost = away !== undefined && wanted === undefined
  yield* waitFor(run, stage, act, attempt, lost ? Math.min(seconds, lostSeconds) : seconds)
  yield* read(true)
  return undefined
})

const waitFor = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  { expects, instruction, look }: AwaitAct,
  attempt: number,
  seconds: number
) {
  const stageId = stage.id
  const data = { attempt }
  // The epoch is part of the key: after a take-over the wait begins anew. The partner is not to be blamed for the time
  // that we were away.
  const key = `${stageId}/${attempt}/wait/${run.log.epoch}`
  const millis = 1000 * seconds
  const deadline = new Date(Date.parse(yield* run.services.ledger.now) + millis).toISOString()
  const expected = expects?.(run.history(), yield* nowIso)
  const started: EventDraft = {
    type: "wait.started",
    key: `${key}/started`,
    stageId,
    data: {
      ...data,
      party: stage.actor,
      instruction: instruction(run.history()),
      deadline,
      nearMisses: look(run.history()).nearMisses,
      ...(expected === undefined
        ? {}
        : { expects: expectedOf(run.services.publicUrl, run.party, run.history().profile, expected) })
    }
  }
  const satisfied = { type: "wait.satisfied", key: `${key}/satisfied`, stageId, data } as const
  if (look(run.history()).found) return yield* run.record([started, satisfied])
  yield* run.record([started])
  const nearMiss = (before: RunHistory, after: RunHistory) => {
    const known = new Set(look(before).nearMisses)
    return look(after).nearMisses.find((miss) => !known.has(miss))
  }
  const found = yield* lookUntil<true, Stop | StaleRun>({
    millis,
    look: Effect.map(run.pullInbound(stageId, nearMiss), () =>
      look(run.history()).found ? true : undefined
    ),
    rest: run.sleepUntilSignal
  })
  if (found) return yield* run.record([satisfied])
  const { nearMisses } = look(run.history())
  const expired = { ...satisfied, type: "wait.expired", key: `${key}/expired` } as const
  const turnedAwayAt = yield* turnedAway(run, stage)
  yield* run.record([
    { ...expired, data: { ...data, nearMisses, ...(turnedAwayAt === undefined ? {} : { turnedAwayAt }) } }
  ])
})

/**
 * The last time we answered a partner's call with a server error: since the request that triggers what this stage awaits, or,
 * if no request of ours triggers it, since the wait began.
 */
function turnedAway(run: RunContext, stage: JourneyStage): Effect.Effect<string | undefined> {
  const setOffBy = stage.setOffBy?.(run.history())
  const sent = setOffBy === undefined ? undefined : intentSequence(run.history(), setOffBy)
  const line = run.log
    .events()
    .find(({ sequence, stageId, type }) =>
      setOffBy === undefined ? type === "wait.started" && stageId === stage.id : sequence === sent
    )
  return line === undefined
    ? Effect.succeed(undefined)
    : Effect.map(run.services.refusedSince(line.occurredAt, run.party.id), Option.getOrUndefined)
}

/** Lets time pass. A wait that was begun before we were away ends when it was to end: time passed without us, too. */
export const waitOut = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  { instruction, keeps, seconds }: WaitAct,
  attempt: number
) {
  const stageId = stage.id
  const data = { attempt }
  const key = `${stageId}/${attempt}/wait/${run.log.epoch}`
  const begun = run.log
    .events()
    .filter(isOf("wait.started"))
    .find((event) => event.stageId === stageId && event.data.attempt === attempt)
  yield* keepOurs(run, keeps, yield* nowIso)
  const now = Date.parse(yield* run.services.ledger.now)
  const deadline = begun?.data.deadline ?? isoOf(now + 1000 * seconds(run.history()))
  yield* run.record([
    {
      type: "wait.started",
      key: `${key}/started`,
      stageId,
      data: { ...data, party: "clock", instruction: instruction(run.history()), deadline }
    }
  ])
  yield* pass(run, (Date.parse(deadline) - now) / 1000, stageId)
  yield* run.record([{ type: "wait.satisfied", key: `${key}/satisfied`, stageId, data }])
})

/** The caller's own limit, when there is one. */
export function waitSeconds({ inputs }: Pick<RunHistory, "inputs">, otherwise: number): number {
  return typeof inputs["waitSeconds"] === "number" ? inputs["waitSeconds"] : otherwise
}
