/**
 * A person's answer to a checkpoint that came to a process which does not play the run: left with the party, where the one
 * that plays it looks while it waits. An answer names its question, so that it can never answer a later one.
 */
import { Effect } from "effect"
import type { PartyId, RunId } from "../../../schema/Ids.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { freshUuid } from "../../party/wire/messageId.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { RunContext } from "./RunContext.ts"
import type { OperatorAnswer } from "./RunMessage.ts"

/** Served by no module of OCPI. */
const answersTo = (runId: RunId): string => `answers:${runId}`

/** More than this at once are answers of a crowd to one question, of which one is taken. */
const mostAnswers = 100

/** Leaves the answer to the question with that sequence. Gone again when the effect's scope closes, taken or not. */
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

/** Answers to the question with that sequence, oldest first. */
export const forwardedAnswers = Effect.fnUntraced(function* (
  { services, party, plan }: RunContext,
  asked: number
) {
  const page = { offset: 0, limit: mostAnswers }
  const { items } = yield* services.store.objects(party.id, answersTo(plan.runId), "received", page)
  return items.flatMap(
    ({ json: { answer, asked: its, note } }): ReadonlyArray<OperatorAnswer> =>
      its === asked ? [{ answer: String(answer), ...(typeof note === "string" ? { note } : {}) }] : []
  )
})
