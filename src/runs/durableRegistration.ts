/**
 * A change of the registration as durable steps of a run. The party's own handshake makes the requests; each is in the
 * run's ledger before it is sent, and its answer after.
 */
import { Effect, Option } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import type { PartyId } from "../../schema/Ids.ts"
import { type EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { ExchangeRecorder } from "../party/outbound/ExchangeRecorder.ts"

export interface DurableRegistration {
  readonly partyId: PartyId
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  /** The line about a request, the `step`th of the change, from 0. Its key is unique in the run. */
  readonly lineOf: (
    step: number,
    end: "intended" | "completed",
    exchange: Exchange
  ) => Omit<EventDraft, "type" | "exchange">
}

/** The work, and the requests that it made, as they ended. */
export const durableRegistration = <A, E, R>(
  { lineOf, partyId, record }: DurableRegistration,
  work: Effect.Effect<A, E, R>
): Effect.Effect<
  { readonly done: A; readonly made: ReadonlyArray<Exchange> },
  E | StaleRun,
  Exclude<R, ExchangeRecorder>
> =>
  Effect.gen(function* () {
    const made: Array<Exchange> = []
    let step = -1
    let lost: StaleRun | undefined
    const write = (end: "intended" | "completed", exchange: Exchange) =>
      record([{ ...lineOf(step, end, exchange), type: `exchange.${end}`, exchange }])
    const done = yield* work.pipe(
      Effect.provideService(ExchangeRecorder, {
        partyId,
        // A request that cannot be written down is not sent.
        intended: (exchange) => {
          step += 1
          return Effect.orDie(write("intended", exchange))
        },
        // What the partner answered is kept by the party, whoever owns the run now: a token in it must not be lost.
        completed: (exchange) => {
          made.push(exchange)
          return Effect.catchAll(write("completed", exchange), (stale) =>
            Effect.sync(() => {
              lost = stale
            })
          )
        }
      }),
      Effect.catchSomeDefect((defect) =>
        defect instanceof StaleRun ? Option.some(Effect.fail(defect)) : Option.none()
      )
    )
    return lost === undefined ? { done, made } : yield* lost
  })
