/** Answers to commands that somebody has laid down beforehand. */
import { Clock, Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { textIn } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/**
 * Where they are kept: own objects of this module under the command's name, with fields `answer` (a
 * CommandResponseType) and `until` (ISO 8601 UTC, after which it counts for nothing). A command that is answered so is
 * not carried out: whoever laid down the answer tells the result, too.
 */
export const commandScripts = "command-scripts"

/** The answer laid down for that command now. */
export const scriptedAnswer = Effect.fn("commands.scriptedAnswer")(function* (id: PartyId, command: string) {
  const store = yield* PartyStore
  const script = Option.getOrUndefined(yield* store.object(id, commandScripts, "own", command))?.json
  const until = Date.parse(textIn(script?.["until"]) ?? "")
  return until >= (yield* Clock.currentTimeMillis) ? textIn(script?.["answer"]) : undefined
})
