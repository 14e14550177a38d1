/** Reads the partner's calls. Those received since the run began are recorded in its ledger when they are read. */

import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { readKept } from "../../ocpi/keptBody.ts"
import { readCalls } from "../../runs/readCalls.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { Gathered, Observation } from "../model/Evidence.ts"
import type { Source } from "../model/Probe.ts"
import { registrationTraffic } from "./registrationTraffic.ts"

/** The party whose calls are read, and the run that records them. */
export interface WatchOptions {
  readonly store: PartyStore["Type"]
  readonly party: Party
  /** Position of the party's newest call when the run began. */
  readonly armedAt: number
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  readonly stageId: () => string
  /** Data of each recorded event, for calls to another connection than the run's own. */
  readonly data?: LedgerEventOf<"inbound.received">["data"]
}

/** The partner's calls to one party, as evidence. */
export interface Watch {
  readonly partyId: PartyId
  /** All calls since the run began, oldest first, at most 500. */
  readonly pull: Effect.Effect<ReadonlyArray<Observation>, StaleRun>
  /** The evidence of a probe that reads calls or registration traffic. */
  readonly source: (source: Exclude<Source, "answers">) => Effect.Effect<Gathered, StaleRun>
}

/** How many calls from before the run are read: the newest ones. */
const earlierCap = 50
/** How many calls during the run are read: the first ones. */
const duringCap = 500
const page = 500

/** Watches the calls to one party. `pull` may be called concurrently; each call is recorded once. */
export const makeWatch = ({ armedAt, data, party, record, stageId, store }: WatchOptions): Watch => {
  const during: Array<Observation> = []
  let position = armedAt

  const turn = Effect.unsafeMakeSemaphore(1)
  const pull = turn.withPermits(1)(
    Effect.gen(function* () {
      const most = duringCap - during.length
      yield* readCalls({ store, partyId: party.id, after: position, page, most }, (calls) =>
        Effect.tap(
          record(
            calls.map(({ exchange }) => ({
              type: "inbound.received",
              key: `inbound/${exchange.id}`,
              stageId: stageId(),
              exchange,
              ...(data === undefined ? {} : { data })
            }))
          ),
          () => {
            during.push(...calls.map(({ exchange }) => calledBy(exchange)))
            position = calls.at(-1)?.position ?? position
          }
        )
      )
      return during.slice()
    })
  )

  const source: Watch["source"] = (which): Effect.Effect<Gathered, StaleRun> => {
    switch (which) {
      case "inbound":
        return Effect.map(pull, (seen) => seen).pipe(
          Effect.flatMap((seen) =>
            Effect.map(earlier(store, party, armedAt), (before) => ({ seen: [...before, ...seen] }))
          )
        )
      case "inbound.run":
        return Effect.map(pull, (seen) => ({ seen }))
      case "registration":
      case "registration.theirs":
      case "registration.looked-back":
        return Effect.map(registrationTraffic(store, party, which), (found) => ({ seen: found.map(asSeen) }))
    }
  }
  return { partyId: party.id, pull, source }
}

/** A call of the partner as evidence; `json` is the body of its request. */
export const calledBy = (exchange: Exchange): Observation => ({
  exchange,
  ...readKept(exchange.request),
  about: ""
})

/** The newest calls up to a position, oldest first. */
const earlier = (
  store: PartyStore["Type"],
  { id }: Party,
  upTo: number
): Effect.Effect<ReadonlyArray<Observation>> =>
  Effect.map(store.exchangesBefore(id, { direction: "inbound", limit: earlierCap, upTo }), (found) =>
    found.map(({ exchange }) => calledBy(exchange)).reverse()
  )

const asSeen = (exchange: Exchange): Observation =>
  exchange.direction === "inbound" ? calledBy(exchange) : answeredTo(exchange)

/** One of our recorded requests as evidence; `json` is the body of its response. */
export const answeredTo = (exchange: Exchange, about = ""): Observation => ({
  exchange,
  ...(exchange.response === null ? { json: undefined } : readKept(exchange.response)),
  about
})
