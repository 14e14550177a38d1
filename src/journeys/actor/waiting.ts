/** Waiting for messages of the partner: how long, and what is done where it may have called while we were away. */
import { Clock, Effect, Option } from "effect"
import { textIn } from "../../findings/json.ts"
import type { EventDraft } from "../../ledger/Ledger.ts"
import { isoOf, nowIso } from "../../party/wire/instants.ts"
import type { AwaitAct, WaitAct } from "../model/Act.ts"
import { stageAway } from "../model/absence.ts"
import { expectedOf } from "../model/expected.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { intentOf, intentSequence, type Memory } from "../model/Memory.ts"
import { catchUp } from "./catchUp.ts"
import { keepOurs, pass } from "./exchangeWork.ts"
import type { RunDesk } from "./RunDesk.ts"

/** Longest time between two looks for messages of the partner: wake-ups can be lost, messages cannot. */
const pollMillis = 1000

/** How long we wait for what was probably sent while we were away, and cannot be read. */
const lostSeconds = 5

/** Waits for the partner; after an absence, reads first what can be read. Answers why nothing can be said, if so. */
export const awaitPartner = Effect.fnUntraced(function* (
  desk: RunDesk,
  stage: JourneyStage,
  act: AwaitAct,
  attempt: number
) {
  const setOffBy = stage.setOffBy?.(desk.memory())
  if (setOffBy !== undefined && intentOf(desk.memory(), setOffBy) === undefined) {
    return {
      outcome: "not_tested",
      reason: "Nothing was sent that it would follow from",
      goesOn: true
    } as const
  }
  const away = stageAway(desk.memory(), stage)
  const { catchUp: wanted } = stage
  const read = (again: boolean) =>
    wanted === undefined || stageAway(desk.memory(), stage) === undefined || act.look(desk.memory()).found
      ? Effect.void
      : catchUp(desk, wanted, { key: stage.id, stageId: stage.id, again })
  yield* read(false)
  yield* keepOurs(desk, act.keeps, yield* nowIso)
  const ended = desk.log
    .events()
    .some(
      (event) =>
        (event.type === "wait.satisfied" || event.type === "wait.expired") &&
        event.stageId === stage.id &&
        event.data?.["attempt"] === attempt
    )
  if (ended) return undefined
  const seconds = waitSeconds(desk.memory(), act.seconds?.(desk.memory()) ?? stage.timeoutSeconds)
  const lost = away !== undefined && wanted === undefined
  yield* waitFor(desk, stage, act, attempt, lost ? Math.min(seconds, lostSeconds) : seconds)
  yield* read(true)
  return undefined
})

const waitFor = Effect.fnUntraced(function* (
  desk: RunDesk,
  stage: JourneyStage,
  { expects, instruction, look }: AwaitAct,
  attempt: number,
  seconds: number
) {
  const stageId = stage.id
  const data = { attempt }
  // The epoch is part of the key: after a take-over the wait begins anew. The partner is not to be blamed for the time
  // that we were away.
  const key = `${stageId}/${attempt}/wait/${desk.log.epoch}`
  const millis = 1000 * seconds
  const deadline = new Date(Date.parse(yield* desk.crew.ledger.now) + millis).toISOString()
  const expected = expects?.(desk.memory(), yield* nowIso)
  const started: EventDraft = {
    type: "wait.started",
    key: `${key}/started`,
    stageId,
    data: {
      ...data,
      party: stage.actor,
      instruction: instruction(desk.memory()),
      deadline,
      nearMisses: look(desk.memory()).nearMisses,
      ...(expected === undefined
        ? {}
        : { expects: expectedOf(desk.crew.publicUrl, desk.party, desk.memory().profile, expected) })
    }
  }
  const satisfied: EventDraft = { type: "wait.satisfied", key: `${key}/satisfied`, stageId, data }
  if (look(desk.memory()).found) return yield* desk.record([started, satisfied])
  yield* desk.record([started])
  const until = (yield* Clock.currentTimeMillis) + millis
  const nearMiss = (before: Memory, after: Memory) => {
    const known = new Set(look(before).nearMisses)
    return look(after).nearMisses.find((miss) => !known.has(miss))
  }
  for (;;) {
    yield* desk.pullInbound(stageId, nearMiss)
    if (look(desk.memory()).found) return yield* desk.record([satisfied])
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0) {
      const { nearMisses } = look(desk.memory())
      const expired = { ...satisfied, type: "wait.expired", key: `${key}/expired` } as const
      const turnedAwayAt = yield* turnedAway(desk, stage)
      return yield* desk.record([
        { ...expired, data: { ...data, nearMisses, ...(turnedAwayAt === undefined ? {} : { turnedAwayAt }) } }
      ])
    }
    yield* desk.rest(Math.min(pollMillis, left))
  }
})

/** When we last could not serve a call, since what the stage waits for was set off; or, by nothing of ours, since it waits. */
function turnedAway(desk: RunDesk, stage: JourneyStage): Effect.Effect<string | undefined> {
  const setOffBy = stage.setOffBy?.(desk.memory())
  const sent = setOffBy === undefined ? undefined : intentSequence(desk.memory(), setOffBy)
  const line = desk.log
    .events()
    .find(({ sequence, stageId, type }) =>
      setOffBy === undefined ? type === "wait.started" && stageId === stage.id : sequence === sent
    )
  return line === undefined
    ? Effect.succeed(undefined)
    : Effect.map(desk.crew.refusedSince(line.occurredAt, desk.party.id), Option.getOrUndefined)
}

/** Lets time pass. A wait that was begun before we were away ends when it was to end: time passed without us, too. */
export const waitOut = Effect.fnUntraced(function* (
  desk: RunDesk,
  stage: JourneyStage,
  { instruction, keeps, seconds }: WaitAct,
  attempt: number
) {
  const stageId = stage.id
  const data = { attempt }
  const key = `${stageId}/${attempt}/wait/${desk.log.epoch}`
  const begun = desk.log
    .events()
    .find(
      (event) =>
        event.type === "wait.started" && event.stageId === stageId && event.data?.["attempt"] === attempt
    )
  yield* keepOurs(desk, keeps, yield* nowIso)
  const now = Date.parse(yield* desk.crew.ledger.now)
  const deadline = textIn(begun?.data?.["deadline"]) ?? isoOf(now + 1000 * seconds(desk.memory()))
  yield* desk.record([
    {
      type: "wait.started",
      key: `${key}/started`,
      stageId,
      data: { ...data, party: "clock", instruction: instruction(desk.memory()), deadline }
    }
  ])
  yield* pass(desk, (Date.parse(deadline) - now) / 1000, stageId)
  yield* desk.record([{ type: "wait.satisfied", key: `${key}/satisfied`, stageId, data }])
})

/** The caller's own limit, when there is one. */
export function waitSeconds({ inputs }: Pick<Memory, "inputs">, otherwise: number): number {
  return typeof inputs["waitSeconds"] === "number" ? inputs["waitSeconds"] : otherwise
}
