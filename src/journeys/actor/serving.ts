/** A stage in which the partner commands us: we answer as the template laid down, and post the result that it named. */
import { Clock, Effect } from "effect"
import { objectIn, textIn } from "../../findings/json.ts"
import { commandScripts } from "../../party/modules/commandScripts.ts"
import { isoOf } from "../../party/wire/instants.ts"
import type { AwaitAct, ServeAct } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { jsonOf } from "../model/Memory.ts"
import { servedCommand, sightingOf } from "../model/served.ts"
import { pass, sendOnce } from "./exchangeWork.ts"
import { intentOfAttempt, type RunDesk } from "./RunDesk.ts"
import { awaitPartner, waitSeconds } from "./waiting.ts"

/** Longer than the wait: a command that comes at its last moment is still answered as laid down. */
const graceMillis = 5_000

export const serve = Effect.fnUntraced(function* (
  desk: RunDesk,
  stage: JourneyStage,
  act: ServeAct,
  attempt: number
) {
  const { store } = desk.crew
  const { command, expects, instruction, keeps, seconds } = act
  const answer = act.answer(desk.memory())
  const now = yield* Clock.currentTimeMillis
  const limit = waitSeconds(desk.memory(), seconds?.(desk.memory()) ?? stage.timeoutSeconds)
  yield* store.putObject(desk.party.id, {
    module: commandScripts,
    key: command,
    side: "own",
    json: { answer, until: isoOf(now + limit * 1000 + graceMillis) },
    lastUpdated: isoOf(now)
  })
  const awaited: AwaitAct = {
    act: "await",
    instruction,
    look: (memory) => sightingOf(memory, stage.id, act),
    ...(seconds === undefined ? {} : { seconds }),
    ...(expects === undefined ? {} : { expects }),
    ...(keeps === undefined ? {} : { keeps })
  }
  const gap = yield* awaitPartner(desk, stage, awaited, attempt).pipe(
    Effect.ensuring(store.removeObject(desk.party.id, commandScripts, "own", command))
  )
  const served = servedCommand(desk.memory(), stage.id, act)
  if (gap !== undefined || served === undefined || answer !== "ACCEPTED") return gap
  const body = objectIn(jsonOf(served.request))
  const result = act.result?.(desk.memory(), body)
  const url = textIn(body["response_url"])
  if (result === undefined || url === undefined) return undefined
  const sent = intentOfAttempt(desk.log.events(), stage.id, attempt) !== undefined
  if (!sent) yield* pass(desk, result.afterSeconds ?? 0, stage.id)
  return yield* sendOnce(desk, { stageId: stage.id, attempt }, undefined, () =>
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
