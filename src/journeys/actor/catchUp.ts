/** Reads what the partner may have sent while this service was away, page by page; each page is evidence in the ledger. */

import { Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { Purpose } from "../../../schema/LedgerEvent.ts"
import { type JsonObject, objectsIn, textIn } from "../../findings/json.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { crawlStep } from "../../ocpi/paging.ts"
import { instantOf } from "../../party/wire/instants.ts"
import type { Call } from "../model/Act.ts"
import { lastAbsence } from "../model/absence.ts"
import type { CatchUp } from "../model/JourneyTemplate.ts"
import { dataOf, type RunHistory, readingsOf } from "../model/RunHistory.ts"
import type { RunContext, Stop } from "./RunContext.ts"

/** How many pages of one list are read at most. */
export const mostPages = 20

/** A list to read, and when to stop. */
interface PageOrder {
  readonly call: Call
  readonly stageId?: string
  /** Idempotency key, unique in the run; the number of the page is appended. */
  readonly key: string
  readonly purpose: Purpose
  /** Called with each page; true ends the reading. */
  readonly enough: (page: Exchange) => boolean
}

/** The pages that were read; none if the partner lists no such endpoint. */
interface PagesRead {
  readonly pages: ReadonlyArray<Exchange>
  /** The list has more pages: what is not on these may be on one of the others. */
  readonly isCut: boolean
}

/** Reads a list until `enough` holds or it ends, and no more than 20 pages. */
export const readPages = Effect.fnUntraced(function* (
  run: RunContext,
  order: PageOrder
): Effect.fn.Return<PagesRead, Stop | StaleRun> {
  const { call, enough, key, purpose, stageId } = order
  const pages: Array<Exchange> = []
  const visited: Array<string> = []
  let next: Call = call
  for (;;) {
    const page = yield* run.send({
      call: next,
      key: `${key}/${pages.length + 1}`,
      purpose,
      ...(stageId === undefined ? {} : { stageId })
    })
    if ("notSent" in page) return { pages, isCut: pages.length > 0 }
    pages.push(page)
    visited.push(page.request.url)
    if (enough(page)) return { pages, isCut: false }
    const step = crawlStep(page.response?.headers["link"], visited, mostPages)
    if (step.step !== "next") return { pages, isCut: step.step !== "end" }
    const { query: _, path: __, ...rest } = call
    next = { ...rest, url: step.url }
  }
})

/** Has a reading since our last absence shown the awaited object in the partner's list? */
function seenSinceAway(history: RunHistory, { isOurs, module }: Pick<CatchUp, "isOurs" | "module">): boolean {
  const back = lastAbsence(history.events)?.sequence ?? 0
  return readingsOf(history, module).some(
    ({ items, sequence }) => sequence > back && items.some((item) => isOurs(history, item))
  )
}

/** One reading of what may have been missed. */
interface CatchUpOrder extends Pick<PageOrder, "stageId"> {
  /** Idempotency key: unique in the run for each stage and clean-up. */
  readonly key: string
  /** Read again although a reading since our last absence has shown the object. */
  readonly again: boolean
}

/** Reads the object that may have been missed, and stores it as if it had been pushed, so that later PATCHes of it find it. */
export const catchUp = Effect.fnUntraced(function* (run: RunContext, wanted: CatchUp, order: CatchUpOrder) {
  const { again, key, stageId } = order
  const { call, isOurs, isSettled, module } = wanted
  if (isSettled(run.history()) || (!again && seenSinceAway(run.history(), wanted))) return
  const ourItem = (page: Exchange) => objectsIn(dataOf(page)).find((item) => isOurs(run.history(), item))
  for (const _ of [1, 2]) {
    const { pages } = yield* readPages(run, {
      call: call(run.history()),
      // The number of events so far makes the key of each reading unique.
      key: `${key}/catch-up/${run.log.events().length}`,
      purpose: "catch-up",
      enough: (page) => ourItem(page) !== undefined,
      ...(stageId === undefined ? {} : { stageId })
    })
    const found = pages.map(ourItem).findLast((item) => item !== undefined)
    if (found === undefined) return
    const isNew = yield* keep(run, module, found)
    // We refused a PATCH that came between reading and storing; a second reading shows its effect.
    if (!isNew || isSettled(run.history())) return
  }
})

/** Stores the object under the key of its pushes. Returns true if we had no copy of it. */
const keep = Effect.fnUntraced(function* (run: RunContext, module: string, json: JsonObject) {
  const path = ["country_code", "party_id", "id"].map((name) => textIn(json[name]))
  // Without owner and id it has no key, and no push can be about it.
  if (path.includes(undefined)) return false
  const key = path.join("/")
  const { party } = run
  const { store } = run.services
  const lastUpdated = instantOf(json["last_updated"]) ?? run.plan.createdAt
  yield* run.record([])
  for (;;) {
    const kept = Option.getOrUndefined(yield* store.object(party.id, module, "received", key))
    // A push that came meanwhile may be newer than what we read.
    if (kept !== undefined && kept.lastUpdated >= lastUpdated) return false
    const object = { module, side: "received", key, json, lastUpdated } as const
    if (yield* store.replaceObject(party.id, object, kept?.revision ?? null)) return kept === undefined
  }
})
