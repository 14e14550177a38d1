/**
 * A change of the registration as durable steps of a run. The party's own handshake makes the requests; each is in the
 * run's ledger before it is sent, and its answer afterwards.
 */
import { Effect, Option } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import type { PartyId } from "../../schema/Ids.ts"
import { type EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { ExchangeRecorder } from "../party/outbound/ExchangeRecorder.ts"

/** The party that registers, and how its requests are recorded in the run's ledger. */
interface DurableRegistration {
  readonly partyId: PartyId
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  /** The event of one request: `step` counts the requests of this change from 0. The key must be unique in the run. */
  readonly lineOf: (
    step: number,
    end: "intended" | "completed",
    exchange: Exchange
  ) => Omit<EventDraft, "type" | "exchange">
}

/**
 * Runs the work with its requests recorded. Returns its result and its completed exchanges; fails with `StaleRun` if the run was
 * lost meanwhile.
 */
export const durableRegistration = Effect.fnUntraced(function* <A, E, R>(
  { lineOf, partyId, record }: DurableRegistration,
  work: Effect.Effect<A, E, R>
): Effect.fn.Return<
  { readonly done: A; readonly made: ReadonlyArray<Exchange> },
  E | StaleRun,
  Exclude<R, ExchangeRecorder>
> {
  const made: Array<Exchange> = []
  let step = -1
  let lost: StaleRun | undefined
  const write = (end: "intended" | "completed", exchange: Exchange) =>
    record([{ ...lineOf(step, end, exchange), type: `exchange.${end}`, exchange }])
  const done = yield* work.pipe(
    Effect.provideService(ExchangeRecorder, {
      partyId,
      // A request whose intent cannot be recorded is not sent.
      intended: (exchange) => {
        step += 1
        return Effect.orDie(write("intended", exchange))
      },
      // If another process owns the run, the work still goes on: the party must store a token in the partner's answer.
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
