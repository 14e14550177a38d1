/**
 * Operators' answers to a checkpoint that arrived at another process than the one that works on the run. They are stored
 * with the party, where that process polls while it waits. An answer names its question and cannot answer a later one.
 */

import { Effect } from "effect"
import type { PartyId, RunId } from "../../../schema/Ids.ts"
import { keyText } from "../../findings/json.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { freshUuid } from "../../party/wire/messageId.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { RunContext } from "./RunContext.ts"
import type { OperatorAnswer } from "./RunMessage.ts"

/** The module name under which the answers are stored; no OCPI module serves it. */
const answersTo = (runId: RunId): string => `answers:${runId}`

/** How many answers are read at once; only one of them counts. */
const mostAnswers = 100

/** Stores an answer to the question whose event has the sequence `asked`. It is removed when the scope closes. */
export const forwardAnswer = Effect.fnUntraced(function* (
  place: { readonly partyId: PartyId; readonly runId: RunId; readonly asked: number },
  attested: OperatorAnswer
) {
  const { asked, partyId, runId } = place
  const store = yield* PartyStore
  const module = answersTo(runId)
  const key = yield* freshUuid
  yield* Effect.acquireRelease(
    store.putObject(partyId, {
      module,
      key,
      side: "received",
      json: { asked, ...attested },
      lastUpdated: yield* nowIso
    }),
    () => store.removeObject(partyId, module, "received", key)
  )
})

/** The stored answers to the question whose event has the sequence `asked`. */
export const forwardedAnswers = Effect.fnUntraced(function* (
  { services, party, plan }: RunContext,
  asked: number
) {
  const page = { offset: 0, limit: mostAnswers }
  const { items } = yield* services.store.objects(party.id, answersTo(plan.runId), "received", page)
  return items.flatMap(
    ({ json: { answer, asked: its, note } }): ReadonlyArray<OperatorAnswer> =>
      its === asked ? [{ answer: keyText(answer), ...(typeof note === "string" ? { note } : {}) }] : []
  )
})
