/** The duplicate push of a scenario: the request of a stage, sent once more as it was. */
import { Effect } from "effect"
import { faultsAt } from "../catalogue/overrides.ts"
import type { Call } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { jsonOf, purposeOf } from "../model/RunHistory.ts"
import { intentOfAttempt, type RunContext } from "./RunContext.ts"

/**
 * Nothing, unless the scenario wants it, the request went out, and it was not sent again before. Of a stage that sends
 * several requests, the last one: an earlier one would undo what came after it.
 */
export const sendAgain = Effect.fnUntraced(function* (run: RunContext, stage: JourneyStage, attempt: number) {
  const wanted = faultsAt(stage, run.plan.scenario?.faults ?? []).reduce(
    (sum, { times = 1 }) => sum + times,
    0
  )
  if (wanted === 0) return
  const sent = intentOfAttempt(run.log.events(), stage.id, attempt)?.exchange
  if (sent === undefined || sent.request.truncated) return
  const { module, operation, request } = sent
  const copies = run.log
    .events()
    .filter(
      (event) =>
        event.type === "exchange.intended" &&
        purposeOf(event) === "fault" &&
        event.exchange?.request.url === request.url &&
        event.exchange.request.body === request.body
    ).length
  const body = jsonOf(request)
  for (let copy = copies + 1; copy <= wanted; copy++) {
    // Not of the stage: whatever comes of it, the stage is graded by its own exchange.
    yield* run.send({
      call: {
        module,
        interfaceRole: "RECEIVER",
        operation,
        method: request.method as Call["method"], // we have sent it with this one before
        url: request.url,
        ...(body === undefined ? {} : { body })
      },
      key: `${stage.id}/${attempt}/again/${copy}`,
      purpose: "fault"
    })
  }
})
