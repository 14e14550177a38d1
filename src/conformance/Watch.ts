/** The partner's calls: those since the run was armed go into its ledger as they are looked at. */
import { Effect } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { parseJson } from "../ocpi/envelope.ts"
import type { Party, PartyStore } from "../store/PartyStore.ts"
import type { Gathered, Seen } from "./Evidence.ts"
import type { Source } from "./Probe.ts"

export interface WatchOptions {
  readonly store: PartyStore["Type"]
  readonly party: Party
  /** Position of the newest call when the run began. */
  readonly armedAt: number
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  readonly stageId: () => string
}

export interface Watch {
  /** All calls since the run began, oldest first, up to a cap. */
  readonly pull: Effect.Effect<ReadonlyArray<Seen>, StaleRun>
  readonly source: (source: Source) => Effect.Effect<Gathered, StaleRun>
}

/** Calls of earlier times that are looked at: the latest ones. */
const earlierCap = 50
/** Calls during one run that are looked at: the first ones. */
const duringCap = 500
const page = 500
/** Exchanges of a party that are searched for its registration: the first ones, in pages. */
const registrationPages = 20

export const makeWatch = ({ armedAt, party, record, stageId, store }: WatchOptions): Watch => {
  const during: Array<Seen> = []
  let position = armedAt

  const turn = Effect.unsafeMakeSemaphore(1)
  const pull = turn.withPermits(1)(
    Effect.gen(function* () {
      while (during.length < duringCap) {
        const found = yield* store.inboundAfter(party.id, position, duringCap - during.length)
        const last = found.at(-1)
        if (last === undefined) break
        yield* record(
          found.map(({ exchange }) => ({
            type: "inbound.received",
            key: `inbound/${exchange.id}`,
            stageId: stageId(),
            exchange
          }))
        )
        during.push(...found.map(({ exchange }) => calledBy(exchange)))
        position = last.position
      }
      return during.slice()
    })
  )

  const source = (which: Source): Effect.Effect<Gathered, StaleRun> => {
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
        return Effect.map(lastRegistration(store, party), (seen) => ({ seen }))
    }
  }
  return { pull, source }
}

/** A call of the partner as evidence: its JSON is what the partner sent. */
export const calledBy = (exchange: Exchange): Seen => ({
  exchange,
  json: exchange.request.body === null ? undefined : parseJson(exchange.request.body),
  about: ""
})

/** The newest calls up to a position; positions are shared by all parties, so a quiet one needs the long look back. */
function earlier(store: PartyStore["Type"], party: Party, until: number): Effect.Effect<ReadonlyArray<Seen>> {
  const after = (position: number) =>
    Effect.map(store.inboundAfter(party.id, Math.max(0, position), page), (found) =>
      found.filter((one) => one.position <= until)
    )
  return Effect.gen(function* () {
    const recent = yield* after(until - page)
    const found = recent.length > 0 ? recent : yield* after(0)
    return found.slice(-earlierCap).map(({ exchange }) => calledBy(exchange))
  })
}

/**
 * The last accepted POST or PUT credentials of either side, and after it all calls of either side that began while it was
 * open, in the order of their beginning.
 */
function lastRegistration(store: PartyStore["Type"], party: Party): Effect.Effect<ReadonlyArray<Seen>> {
  return Effect.gen(function* () {
    let after = 0
    let kept: ReadonlyArray<Exchange> = []
    for (let pages = 0; pages < registrationPages; pages++) {
      const found = yield* store.exchanges(party.id, after, page)
      kept = [...kept, ...found.map(({ exchange }) => exchange).filter(isAboutRegistration)]
      const last = found.at(-1)
      if (last === undefined || found.length < page) break
      after = last.position
    }
    const opener = kept.findLast(handsOver)
    if (opener === undefined) return []
    const from = Date.parse(opener.startedAt)
    const until = from + opener.durationMs
    const meanwhile = kept
      .filter(
        (one) =>
          one.id !== opener.id && Date.parse(one.startedAt) >= from && Date.parse(one.startedAt) <= until
      )
      .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
    return [asSeen(opener), ...meanwhile.map(asSeen)]
  })
}

const isAboutRegistration = ({ module }: Exchange) => module === "credentials" || module === "versions"

const handsOver = ({ module, request, response }: Exchange) =>
  module === "credentials" &&
  (request.method === "POST" || request.method === "PUT") &&
  response !== null &&
  response.httpStatus < 300 &&
  response.ocpiStatusCode === 1000

const asSeen = (exchange: Exchange): Seen =>
  exchange.direction === "inbound" ? calledBy(exchange) : answeredTo(exchange)

/** One of our requests as evidence, read back from where it is kept. */
export const answeredTo = (exchange: Exchange, about = ""): Seen => {
  const body = exchange.response?.body ?? null
  return { exchange, json: body === null ? undefined : parseJson(body), about }
}
