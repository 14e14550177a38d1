/** A stage that asks an operator: the question, and the wait for the answer. */

import { Effect } from "effect"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { isoOf, nowIso } from "../../party/wire/instants.ts"
import { pollUntil } from "../../runs/pollUntil.ts"
import type { CheckpointAct } from "../model/Act.ts"
import { expectedAnswer } from "../model/expected.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { checkpointAnswerOf } from "../model/RunHistory.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { forwardedAnswers } from "./forwardedAnswers.ts"
import type { RunContext, Stop } from "./RunContext.ts"
import { keepOurs } from "./stageRequests.ts"

/** Records the question, and waits until an operator has answered it or the time is over. The answer is an event of the run. */
export const askOperator = Effect.fnUntraced(function* (
  run: RunContext,
  { id: stageId, timeoutSeconds }: JourneyStage,
  { answers, keeps, question }: CheckpointAct,
  attempt: number
) {
  if (checkpointAnswerOf(run.history(), stageId) !== undefined && attempt === attemptAnswered(run, stageId))
    return
  yield* keepOurs(run, keeps, yield* nowIso)
  const millis = 1000 * waitSeconds(run.history(), timeoutSeconds)
  const key = `${stageId}/${attempt}/checkpoint/${run.log.epoch}`
  yield* run.record([
    {
      type: "checkpoint.requested",
      key: `${key}/requested`,
      stageId,
      data: {
        attempt,
        instruction: question(run.history()),
        answers,
        deadline: isoOf(Date.parse(yield* run.services.ledger.now) + millis),
        expects: expectedAnswer(run.services.publicUrl, run.plan.runId, answers[0])
      }
    }
  ])
  const asked = run.log.events().findLast(({ type }) => type === "checkpoint.requested")?.sequence ?? 0
  const answered = yield* pollUntil<true, Stop | StaleRun>({
    millis,
    poll: Effect.gen(function* () {
      yield* run.pullInbound(stageId)
      for (const attested of yield* forwardedAnswers(run, asked)) yield* run.attest(attested)
      return checkpointAnswerOf(run.history(), stageId) === undefined ? undefined : true
    }),
    sleep: run.sleepUntilSignal
  })
  if (answered === undefined)
    yield* run.record([
      { type: "wait.expired", key: `${key}/expired`, stageId, data: { attempt, nearMisses: [] } }
    ])
})

const attemptAnswered = (run: RunContext, stageId: string): number | undefined =>
  run.log
    .events()
    .filter(isEventOf("checkpoint.answered"))
    .findLast((event) => event.stageId === stageId)?.data.attempt
