/**
 * A request to the partner as a durable step of a run: its intent is in the ledger before it is sent, its completion
 * afterwards. An intent without a completion means that the outcome is unknown.
 */
import { Effect } from "effect"
import type { LedgerEventOf } from "../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { type OcpiCall, OcpiClient, type PartnerAnswer } from "../ocpi/OcpiClient.ts"
import { rememberAnswered } from "../party/outbound/rememberTokens.ts"
import { nowIso } from "../party/wire/instants.ts"
import type { Party } from "../store/parties/Party.ts"
import type { PartyStore } from "../store/parties/PartyStore.ts"

/** A request, and the ledger events that surround it. */
interface DurableStep<E> {
  /** The party of ours that sends it. */
  readonly party: Party
  readonly call: OcpiCall
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, E>
  /** Records the completion. Default: as `record`. */
  readonly recordEnd?: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, E>
  /** Idempotency key: unique in the run, the same when the step is retried. */
  readonly key: string
  readonly stageId?: string | undefined
  readonly intent?: LedgerEventOf<"exchange.intended">["data"] | undefined
  readonly completion?: LedgerEventOf<"exchange.completed">["data"] | undefined
  /** Wraps the sending, for work that goes on while the answer is awaited. */
  readonly meanwhile?: (sending: Effect.Effect<PartnerAnswer>) => Effect.Effect<PartnerAnswer, E>
  /** Runs before the completion is recorded, to store what a crash must not lose, such as tokens. */
  readonly settle?: (answer: PartnerAnswer) => Effect.Effect<unknown, E>
}

/** Records the intent, sends the request, records the completion, and returns the partner's answer. */
export const durableExchange = Effect.fnUntraced(function* <E = StaleRun>({
  call,
  completion,
  intent,
  key,
  meanwhile = (sending) => sending,
  party,
  record,
  recordEnd = record,
  settle = () => Effect.void,
  stageId
}: DurableStep<E>): Effect.fn.Return<PartnerAnswer, E, OcpiClient | PartyStore> {
  const client = yield* OcpiClient
  const ofStage = stageId === undefined ? {} : { stageId }
  const startedAt = yield* nowIso
  yield* record([
    {
      type: "exchange.intended",
      key: `${key}/intended`,
      ...ofStage,
      exchange: client.intent(call, startedAt),
      ...(intent === undefined ? {} : { data: intent })
    }
  ])
  const answer = yield* meanwhile(client.exchange(call))
  yield* rememberAnswered(party.id, call, answer)
  yield* settle(answer)
  yield* recordEnd([
    {
      type: "exchange.completed",
      key: `${key}/completed`,
      ...ofStage,
      exchange: answer.exchange,
      ...(completion === undefined ? {} : { data: completion })
    }
  ])
  return answer
})
