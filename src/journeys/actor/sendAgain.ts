/** The scenario fault that pushes a duplicate: sends the request of a stage again, unchanged. */
import { Effect } from "effect"
import { faultsAt } from "../catalogue/overrides.ts"
import type { Call } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { jsonOf, purposeOf } from "../model/RunHistory.ts"
import { intentOfAttempt, type RunContext } from "./RunContext.ts"

/**
 * Sends the last request of the stage again, as often as the scenario's faults say and it was not repeated already. Only
 * the last one: repeating an earlier request would undo a later one.
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
    // Recorded outside the stage, which is graded by its own exchange only.
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
