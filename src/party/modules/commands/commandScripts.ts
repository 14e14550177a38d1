/** Prepared answers to commands. */
import { Clock, Option } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { textIn } from "../../../findings/json.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"

/**
 * Module of the prepared answers: own objects under the command's name, with fields `answer` (a CommandResponseType) and
 * `until` (ISO 8601 UTC, after which it no longer counts). A command answered so is not carried out: the code that
 * prepared the answer also sends the result.
 */
export const commandScripts = "command-scripts"

/** The prepared answer for that command, if one counts now. */
export const scriptedAnswer = traced("commands.scriptedAnswer")(function* (id: PartyId, command: string) {
  const store = yield* PartyStore
  const script = Option.getOrUndefined(yield* store.object(id, commandScripts, "own", command))?.json
  const until = Date.parse(textIn(script?.["until"]) ?? "")
  return until >= (yield* Clock.currentTimeMillis) ? textIn(script?.["answer"]) : undefined
})
