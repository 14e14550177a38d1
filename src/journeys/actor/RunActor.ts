/**
 * The actor of one run: one fiber, one mailbox, one machine. It takes the action that the machine requests, performs it,
 * records what happened, and takes the next one.
 */
import { Effect } from "effect"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import type { CleanUpOccasion } from "../model/JourneyTemplate.ts"
import { cleanUp } from "./cleanUp.ts"
import type { RunContext, Stop } from "./RunContext.ts"
import { recover } from "./recover.ts"
import { endOfMainLine, runStage } from "./runStage.ts"

/** Performs requested actions until there is none: the run is over, waits for a decision, or the process shuts down. */
export const runActor = (run: RunContext): Effect.Effect<void, StaleRun> =>
  Effect.suspend(() => {
    const action = run.takeAction()
    if (action === undefined) return Effect.void
    return perform(run, action).pipe(
      Effect.matchEffect({
        onSuccess: () => runActor(run),
        onFailure: (error) =>
          error._tag === "Stop" ? (error.why === "drain" ? Effect.void : runActor(run)) : Effect.fail(error)
      })
    )
  })

function perform(run: RunContext, action: JourneyRunAction): Effect.Effect<void, Stop | StaleRun> {
  switch (action.type) {
    case "begin":
      return run.buffer([{ type: "run.started", key: "run/started" }])
    case "runStage":
      return runStage(run, action.params)
    case "finishRun":
      return finishRun(run)
    case "recover":
      return recover(run, action.params)
    case "cleanUp":
      return cancelRun(run, action.params.decision === null ? "end" : "decision")
  }
}

const finishRun = Effect.fnUntraced(function* (run: RunContext) {
  yield* cleanUp(run, "end")
  const reason = endOfMainLine(run.log.events())?.reason
  yield* run.record([
    {
      type: "run.completed",
      key: "run/completed",
      data: reason === undefined ? {} : { cutShort: true, reason }
    }
  ])
})

const cancelRun = Effect.fnUntraced(function* (run: RunContext, occasion: CleanUpOccasion) {
  yield* cleanUp(run, occasion)
  const reason =
    occasion === "decision" ? "Abandoned by decision after an interruption" : "Cancelled on request"
  yield* run.record([{ type: "run.cancelled", key: "run/cancelled", data: { reason } }])
})
