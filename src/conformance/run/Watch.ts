/** Reads the partner's calls. Those received since the run began are recorded in its ledger when they are read. */

import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { readCalls } from "../../store/parties/exchanges/readCalls.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { Inbound, PartyStore } from "../../store/parties/PartyStore.ts"
import { earlierCalls, type Gathered, noModule, type Observation } from "../model/Evidence.ts"
import type { Source } from "../model/Probe.ts"
import { callSeen, exchangeSeen } from "./observations.ts"
import { registrationTraffic } from "./registration/registrationTraffic.ts"

/** The party whose calls are read, and the run that records them. */
interface WatchOptions {
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
  /** The calls since the run began that are kept, oldest first: the first 500 of each module. */
  readonly pull: Effect.Effect<ReadonlyArray<Observation>, StaleRun>
  /**
   * An effect that looks for a call since the run began, whether it is kept or not; undefined: it has not come. It is run again after
   * each wake-up, and looks only at what is new. Of calls that are not kept and came before its first run it knows the newest 5,000.
   */
  readonly finder: (
    wanted: (call: Observation) => boolean
  ) => Effect.Effect<Observation | undefined, StaleRun>
  /** The evidence of a probe that reads calls or registration traffic. */
  readonly source: (source: Exclude<Source, "answers">) => Effect.Effect<Gathered, StaleRun>
}

/** How many calls of each module during the run are kept: the first ones. A flood of one leaves the others whole. */
const duringCap = 500
/** A wait also searches calls that are not kept: at its first look the newest ones, so many. */
const lookedBack = 5000
const page = 500

/** Watches the calls to one party. Its effects may run concurrently; each call is recorded once. */
export const makeWatch = ({ armedAt, data, party, record, stageId, store }: WatchOptions): Watch => {
  const { modules } = profileOf(party.version)
  const during: Array<Observation> = []
  const counts = new Map<string, number>()
  /** Positions of the calls that are not kept. */
  const others: Array<number> = []
  let position = armedAt

  const recorded = (calls: ReadonlyArray<Observation>) =>
    record(
      calls.map(({ exchange }) => ({
        type: "inbound.received",
        key: `inbound/${exchange.id}`,
        stageId: stageId(),
        exchange,
        ...(data === undefined ? {} : { data })
      }))
    )
  const take = (calls: ReadonlyArray<Inbound>) => {
    const fresh: Array<Observation> = []
    for (const { exchange, position: at } of calls) {
      // A partner may make up as many names as it likes.
      const module = modules.find((one) => one === exchange.module) ?? noModule
      const count = (counts.get(module) ?? 0) + 1
      counts.set(module, count)
      if (count <= duringCap) fresh.push(callSeen(exchange))
      else others.push(at)
    }
    position = calls.at(-1)?.position ?? position
    if (fresh.length === 0) return Effect.void
    return Effect.map(recorded(fresh), () => {
      during.push(...fresh)
    })
  }

  const turn = Effect.unsafeMakeSemaphore(1)
  const pulled = Effect.suspend(() => readCalls({ store, partyId: party.id, after: position, page }, take))
  const pull = turn.withPermits(1)(Effect.map(pulled, () => during.slice()))

  const finder: Watch["finder"] = (wanted) => {
    let after: number | undefined
    const look = Effect.gen(function* () {
      yield* pulled
      const kept = during.find(wanted)
      if (kept !== undefined || others.length === 0) return kept
      after ??= others[Math.max(0, others.length - lookedBack)]! - 1
      let found: Observation | undefined
      yield* readCalls({ store, partyId: party.id, after, page }, (calls) =>
        Effect.sync(() => {
          for (const { exchange } of calls) {
            const call = found === undefined ? callSeen(exchange) : undefined
            if (call !== undefined && wanted(call)) found = call
          }
          after = calls.at(-1)?.position
        })
      )
      // It is not added to `during`: checks compare the calls there with each other, and those next to it are missing.
      if (found !== undefined) yield* recorded([found])
      return found
    })
    return turn.withPermits(1)(look)
  }
  const gathered = (seen: ReadonlyArray<Observation>): Gathered => {
    const cut = [...counts].flatMap(([module, count]) => (count > duringCap ? [module] : []))
    return cut.length === 0 ? { seen } : { seen, cut }
  }

  const source: Watch["source"] = (which): Effect.Effect<Gathered, StaleRun> => {
    switch (which) {
      case "inbound":
        return Effect.flatMap(pull, (seen) =>
          Effect.map(earlier(store, party, armedAt), (before) => gathered([...before, ...seen]))
        )
      case "inbound.run":
        return Effect.map(pull, gathered)
      case "registration":
      case "registration.theirs":
      case "registration.looked-back":
        return Effect.map(registrationTraffic(store, party, which), (found) => ({
          seen: found.map(exchangeSeen)
        }))
    }
  }
  return { partyId: party.id, pull, finder, source }
}

/** The newest calls up to a position, oldest first. */
const earlier = (
  store: PartyStore["Type"],
  { id }: Party,
  upTo: number
): Effect.Effect<ReadonlyArray<Observation>> =>
  Effect.map(store.exchangesBefore(id, { direction: "inbound", limit: earlierCalls, upTo }), (found) =>
    found.map(({ exchange }) => callSeen(exchange)).reverse()
  )
