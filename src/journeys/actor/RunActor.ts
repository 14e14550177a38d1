/**
 * The actor of one run: one fiber, one mailbox, one machine. It takes what the machine asks for, does it, writes down
 * what happened, and takes the next.
 */
import { Cause, Effect } from "effect"
import type { JourneyRunAsk } from "../../../machines/journeyRunSetup.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { isDatabaseDown } from "../../database/DatabaseDown.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import type { RequestedAction } from "../../ledger/run/RunLog.ts"
import { failRun } from "../../runs/failRun.ts"
import { cleanUp } from "./cleanUp.ts"
import type { Mailbox } from "./Mailbox.ts"
import { makeRunContext } from "./makeRunContext.ts"
import type { RunContext, Stop } from "./RunContext.ts"
import { recover } from "./recoveryWork.ts"
import { endOfMainLine, runStage } from "./stageWork.ts"

export interface ActorParts extends Pick<RunContext, "services" | "log" | "template" | "plan" | "party"> {
  readonly mailbox: Mailbox
  readonly asks: ReadonlyArray<RequestedAction>
}

/**
 * Lives until the run is over, is given back, or belongs to somebody else. Never fails: what goes wrong on our side
 * ends the run as `failed`, never as a failure of the partner's.
 */
export const runActor = ({ asks, mailbox, ...parts }: ActorParts): Effect.Effect<void> => {
  const run = makeRunContext(parts, mailbox, asks)
  const { log } = run
  const loop: Effect.Effect<void, StaleRun> = Effect.suspend(() => {
    const ask = run.takeAsk()
    if (ask === undefined || isOver(run)) return log.close("released")
    return perform(run, ask).pipe(
      Effect.matchEffect({
        onSuccess: () => loop,
        onFailure: (error) =>
          error._tag === "Stop" ? (error.why === "drain" ? log.close("released") : loop) : Effect.fail(error)
      })
    )
  })
  return loop.pipe(
    // Somebody else owns the run: forget it.
    Effect.catchTag("StaleRun", () => log.close("kept")),
    Effect.catchAllDefect((defect) =>
      isDatabaseDown(Cause.die(defect))
        ? // Nothing is known that could be written down: who takes the run up goes on with it, or asks.
          Effect.zipRight(
            Effect.logWarning(`Journey run ${log.facts.runId} is let go: the database is away`),
            log.close("released")
          )
        : Effect.zipRight(
            Effect.logError(`Journey run ${log.facts.runId} cannot go on`, Cause.die(defect)),
            failRun(log, `A fault of ours: ${defect instanceof Error ? defect.message : String(defect)}`)
          )
    ),
    // The process ends and would not wait: what is open stays open, and whoever takes over sees it.
    Effect.onInterrupt(() => log.close("released"))
  )
}

const isOver = ({ log }: RunContext) => isTerminal(log.row().snapshot.view.status)

function perform(run: RunContext, ask: JourneyRunAsk): Effect.Effect<void, Stop | StaleRun> {
  switch (ask.type) {
    case "begin":
      return run.record([{ type: "run.started", key: "run/started" }])
    case "runStage":
      return runStage(run, ask.params)
    case "finishRun":
      return finishRun(run)
    case "recover":
      return recover(run, ask.params)
    case "cleanUp":
      return cancelRun(run, ask.params.decision !== null)
  }
}

const finishRun = Effect.fnUntraced(function* (run: RunContext) {
  yield* cleanUp(run, false)
  const reason = endOfMainLine(run.log.events())
  yield* run.record([
    {
      type: "run.completed",
      key: "run/completed",
      data: reason === undefined ? {} : { cutShort: true, reason }
    }
  ])
})

const cancelRun = Effect.fnUntraced(function* (run: RunContext, decided: boolean) {
  yield* cleanUp(run, decided)
  const reason = decided ? "Abandoned by decision after an interruption" : "Cancelled on request"
  yield* run.record([{ type: "run.cancelled", key: "run/cancelled", data: { reason } }])
})
