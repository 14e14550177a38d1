/**
 * The actor of one run: one fiber, one mailbox, one machine. It takes what the machine asks for, does it, writes down
 * what happened, and takes the next.
 */
import { Cause, Effect } from "effect"
import type { StageAsk } from "../../../machines/journeyRunSetup.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { isDatabaseDown } from "../../database/DatabaseDown.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import type { Ask } from "../../ledger/run/RunLog.ts"
import type { Mailbox } from "./Mailbox.ts"
import { makeDesk } from "./makeDesk.ts"
import type { RunDesk, Stop } from "./RunDesk.ts"
import { recover } from "./recoveryWork.ts"
import { endOfMainLine, runStage } from "./stageWork.ts"
import { cleanUp } from "./tidying.ts"

export interface ActorParts extends Pick<RunDesk, "crew" | "log" | "template" | "plan" | "party"> {
  readonly mailbox: Mailbox
  readonly asks: ReadonlyArray<Ask>
}

/**
 * Lives until the run is over, is given back, or belongs to somebody else. Never fails: what goes wrong on our side
 * ends the run as `failed`, never as a failure of the partner's.
 */
export const runActor = ({ asks, mailbox, ...parts }: ActorParts): Effect.Effect<void> => {
  const desk = makeDesk(parts, mailbox, asks)
  const { log } = desk
  const loop: Effect.Effect<void, StaleRun> = Effect.suspend(() => {
    const ask = desk.takeAsk()
    if (ask === undefined || isOver(desk)) return log.close("released")
    return perform(desk, ask).pipe(
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
            giveUp(desk, `A fault of ours: ${defect instanceof Error ? defect.message : String(defect)}`)
          )
    ),
    // The process ends and would not wait: what is open stays open, and whoever takes over sees it.
    Effect.onInterrupt(() => log.close("released"))
  )
}

const giveUp = (desk: RunDesk, reason: string) =>
  desk.log.record([{ type: "run.failed", key: "run/failed", data: { reason } }]).pipe(
    Effect.zipRight(desk.log.close("released")),
    Effect.catchTag("StaleRun", () => desk.log.close("kept"))
  )

const isOver = ({ log }: RunDesk) => isTerminal(log.row().snapshot.view.status)

function perform(desk: RunDesk, { params, type }: Ask): Effect.Effect<void, Stop | StaleRun> {
  switch (type) {
    case "begin":
      return desk.record([{ type: "run.started", key: "run/started" }])
    case "runStage":
      // The machine's own parameters, typed there.
      return runStage(desk, params as unknown as StageAsk)
    case "finishRun":
      return finishRun(desk)
    case "recover":
      return recover(desk, params as { decision: Decision; stageId: string | null })
    case "cleanUp":
      return cancelRun(desk, params["decision"] !== null)
    default:
      return Effect.dieMessage(`The machine asks for ${type}, which nobody here can do`)
  }
}

const finishRun = Effect.fnUntraced(function* (desk: RunDesk) {
  yield* cleanUp(desk, false)
  const reason = endOfMainLine(desk.log.events())
  yield* desk.record([
    {
      type: "run.completed",
      key: "run/completed",
      data: reason === undefined ? {} : { cutShort: true, reason }
    }
  ])
})

const cancelRun = Effect.fnUntraced(function* (desk: RunDesk, decided: boolean) {
  yield* cleanUp(desk, decided)
  const reason = decided ? "Abandoned by decision after an interruption" : "Cancelled on request"
  yield* desk.record([{ type: "run.cancelled", key: "run/cancelled", data: { reason } }])
})
