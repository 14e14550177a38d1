/**
 * A stage in which the partner sends us a command: we answer as the template says, and post the result to its
 * response_url.
 */
import { Clock, Effect } from "effect"
import { objectIn, textIn } from "../../findings/json.ts"
import { commandScripts } from "../../party/modules/commands/commandScripts.ts"
import { isoOf } from "../../party/wire/instants.ts"
import type { AwaitAct, ServeAct } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { jsonOf } from "../model/RunHistory.ts"
import { commandToConclude, sightingOf } from "../model/served.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { awaitPartner } from "./awaitPartner.ts"
import { intentOfAttempt, type RunContext } from "./RunContext.ts"
import { pause, sendOnce } from "./stageRequests.ts"

/** The scripted answer lasts longer than the wait, so that a command at its last moment still gets it. */
const graceMillis = 5_000

/**
 * Scripts our answer to the command, waits for it, and posts its result. Returns why the stage cannot be graded, or
 * undefined.
 */
export const serve = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: ServeAct,
  attempt: number
) {
  const { store } = run.services
  const { command, expects, instruction, keeps, seconds } = act
  const answer = act.answer(run.history())
  const now = yield* Clock.currentTimeMillis
  const limit = waitSeconds(run.history(), seconds?.(run.history()) ?? stage.timeoutSeconds)
  yield* run.record([])
  yield* store.putObject(run.party.id, {
    module: commandScripts,
    key: command,
    side: "own",
    json: { answer, until: isoOf(now + limit * 1000 + graceMillis) },
    lastUpdated: isoOf(now)
  })
  const awaited: AwaitAct = {
    act: "await",
    instruction,
    look: (history) => sightingOf(history, stage.id, act),
    ...(seconds === undefined ? {} : { seconds }),
    ...(expects === undefined ? {} : { expects }),
    ...(keeps === undefined ? {} : { keeps })
  }
  const gap = yield* awaitPartner(run, stage, awaited, attempt).pipe(
    Effect.ensuring(store.removeObject(run.party.id, commandScripts, "own", command))
  )
  const served = commandToConclude(run.history(), stage.id, act)
  if (gap !== undefined || served === undefined || answer !== "ACCEPTED") return gap
  const body = objectIn(jsonOf(served.request))
  const result = act.result?.(run.history(), body)
  const url = textIn(body["response_url"])
  if (result === undefined || url === undefined) return undefined
  const sent = intentOfAttempt(run.log.events(), stage.id, attempt) !== undefined
  if (!sent) yield* pause(run, result.afterSeconds ?? 0, stage.id)
  return yield* sendOnce(run, { stageId: stage.id, attempt }, undefined, () =>
    Effect.succeed({
      module: "commands",
      interfaceRole: "SENDER",
      operation: "command-result",
      method: "POST",
      url,
      body: result.body
    })
  )
})
