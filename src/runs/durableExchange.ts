/**
 * A request to the partner as a durable step of a run: its intent is in the ledger before it is sent, its completion after.
 * Whoever finds the one without the other knows that the outcome is unknown.
 */
import { Clock, Effect } from "effect"
import type { LedgerEventOf } from "../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { type OcpiCall, OcpiClient, type PartnerAnswer } from "../ocpi/OcpiClient.ts"
import { rememberAnswered } from "../party/outbound/rememberTokens.ts"
import type { Party, PartyStore } from "../store/parties/PartyStore.ts"

export interface DurableStep<E> {
  /** Whose partner it goes to. */
  readonly party: Party
  readonly call: OcpiCall
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, E>
  /** Unique in the run, the same when the step is tried again. */
  readonly key: string
  readonly stageId?: string | undefined
  readonly intent?: LedgerEventOf<"exchange.intended">["data"] | undefined
  readonly completion?: LedgerEventOf<"exchange.completed">["data"] | undefined
  /** What else goes on while the answer is waited for. */
  readonly meanwhile?: (sending: Effect.Effect<PartnerAnswer>) => Effect.Effect<PartnerAnswer, E>
  /** Before the completion is written: what must not be lost with it. */
  readonly settle?: (answer: PartnerAnswer) => Effect.Effect<unknown, E>
}

/** Sends it, and answers with what came back, as it stands in the ledger. */
export const durableExchange = <E = StaleRun>({
  call,
  completion,
  intent,
  key,
  meanwhile = (sending) => sending,
  party,
  record,
  settle = () => Effect.void,
  stageId
}: DurableStep<E>): Effect.Effect<PartnerAnswer, E, OcpiClient | PartyStore> =>
  Effect.gen(function* () {
    const client = yield* OcpiClient
    const ofStage = stageId === undefined ? {} : { stageId }
    const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
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
    yield* record([
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
