/** A stage that asks a person: the question, and the wait for the answer. */
import { Clock, Effect } from "effect"
import { isoOf, nowIso } from "../../party/wire/instants.ts"
import type { CheckpointAct } from "../model/Act.ts"
import { expectedAnswer } from "../model/expected.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { checkpointAnswerOf } from "../model/Memory.ts"
import { keepOurs } from "./exchangeWork.ts"
import { handedAnswers } from "./handedAnswers.ts"
import type { RunDesk } from "./RunDesk.ts"
import { waitSeconds } from "./waiting.ts"

/** Longest time between two looks for messages of the partner. */
const pollMillis = 1000

/** Asks, and waits until somebody has answered or the time is over. The answer is a line like any other. */
export const askOperator = Effect.fnUntraced(function* (
  desk: RunDesk,
  { id: stageId, timeoutSeconds }: JourneyStage,
  { answers, keeps, question }: CheckpointAct,
  attempt: number
) {
  if (checkpointAnswerOf(desk.memory(), stageId) !== undefined && attempt === attemptAnswered(desk, stageId))
    return
  yield* keepOurs(desk, keeps, yield* nowIso)
  const millis = 1000 * waitSeconds(desk.memory(), timeoutSeconds)
  const key = `${stageId}/${attempt}/checkpoint/${desk.log.epoch}`
  yield* desk.record([
    {
      type: "checkpoint.requested",
      key: `${key}/requested`,
      stageId,
      data: {
        attempt,
        instruction: question(desk.memory()),
        answers,
        deadline: isoOf(Date.parse(yield* desk.crew.ledger.now) + millis),
        expects: expectedAnswer(desk.crew.publicUrl, desk.plan.runId, answers[0])
      }
    }
  ])
  const asked = desk.log.events().findLast(({ type }) => type === "checkpoint.requested")?.sequence ?? 0
  const until = (yield* Clock.currentTimeMillis) + millis
  while (checkpointAnswerOf(desk.memory(), stageId) === undefined) {
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0) {
      return yield* desk.record([
        { type: "wait.expired", key: `${key}/expired`, stageId, data: { attempt, nearMisses: [] } }
      ])
    }
    yield* desk.rest(Math.min(pollMillis, left))
    yield* desk.pullInbound(stageId)
    for (const attested of yield* handedAnswers(desk, asked)) yield* desk.attest(attested)
  }
})

const attemptAnswered = (desk: RunDesk, stageId: string): unknown =>
  desk.log.events().findLast((event) => event.type === "checkpoint.answered" && event.stageId === stageId)
    ?.data?.["attempt"]
