/** Reading what the partner may have sent while we were away: page by page, each of them evidence in the ledger. */

import { Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { Purpose } from "../../../schema/LedgerEvent.ts"
import { type JsonObject, objectsIn, textIn } from "../../findings/json.ts"
import { crawlStep } from "../../ocpi/paging.ts"
import { instantOf } from "../../party/wire/instants.ts"
import type { Call } from "../model/Act.ts"
import { lastAbsence } from "../model/absence.ts"
import type { CatchUp } from "../model/JourneyTemplate.ts"
import { dataOf, type RunHistory, readingsOf } from "../model/RunHistory.ts"
import type { RunContext } from "./RunContext.ts"

/** Pages read of one list; a list that is longer has ours somewhere else. */
const mostPages = 20

export interface PageOrder {
  readonly call: Call
  readonly stageId?: string
  /** Unique in the run; the page's number is put behind it. */
  readonly key: string
  readonly purpose: Purpose
  /** Heard after each page. */
  readonly enough: (page: Exchange) => boolean
}

/** Reads a list until there is enough, or it ends. Answers the pages; none where the partner has no such endpoint. */
export const readPages = Effect.fnUntraced(function* (run: RunContext, order: PageOrder) {
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
    if ("notSent" in page) return pages
    pages.push(page)
    visited.push(page.request.url)
    if (enough(page)) return pages
    const step = crawlStep(page.response?.headers["link"], visited, mostPages)
    if (step.step !== "next") return pages
    const { query: _, path: __, ...rest } = call
    next = { ...rest, url: step.url }
  }
})

/** Was what we look for in the partner's list since we came back? */
export function seenSinceAway(
  history: RunHistory,
  { isOurs, module }: Pick<CatchUp, "isOurs" | "module">
): boolean {
  const back = lastAbsence(history.events)?.sequence ?? 0
  return readingsOf(history, module).some(
    ({ items, sequence }) => sequence > back && items.some((item) => isOurs(history, item))
  )
}

export interface CatchUpOrder extends Pick<PageOrder, "stageId"> {
  /** What it is for; no two stages of a run have the same. */
  readonly key: string
  /** Read although it was seen since we came back. */
  readonly again: boolean
}

/** Reads what may have been missed, and keeps it as if it had been pushed: later changes of it can then be taken. */
export const catchUp = Effect.fnUntraced(function* (run: RunContext, wanted: CatchUp, order: CatchUpOrder) {
  const { again, key, stageId } = order
  const { call, isOurs, isSettled, module } = wanted
  if (isSettled(run.history()) || (!again && seenSinceAway(run.history(), wanted))) return
  const ourItem = (page: Exchange) => objectsIn(dataOf(page)).find((item) => isOurs(run.history(), item))
  for (const _ of [1, 2]) {
    const pages = yield* readPages(run, {
      call: call(run.history()),
      // Whatever was read before, this is another reading: the number of lines so far tells them apart.
      key: `${key}/catch-up/${run.log.events().length}`,
      purpose: "catch-up",
      enough: (page) => ourItem(page) !== undefined,
      ...(stageId === undefined ? {} : { stageId })
    })
    const found = pages.map(ourItem).findLast((item) => item !== undefined)
    if (found === undefined) return
    const isNew = yield* keep(run, module, found)
    // A change that was pushed after we read and before we kept was refused by our side: it shows in a second reading.
    if (!isNew || isSettled(run.history())) return
  }
})

/** Under the key that its pushes have. Answers whether our side had nothing of it. */
const keep = Effect.fnUntraced(function* (run: RunContext, module: string, json: JsonObject) {
  const path = ["country_code", "party_id", "id"].map((name) => textIn(json[name]))
  // It does not say whose and which it is: no push can be about it.
  if (path.includes(undefined)) return false
  const key = path.join("/")
  const { party } = run
  const { store } = run.services
  const lastUpdated = instantOf(json["last_updated"]) ?? run.plan.createdAt
  for (;;) {
    const kept = Option.getOrUndefined(yield* store.object(party.id, module, "received", key))
    // A push that came in the meantime may be newer than what was read.
    if (kept !== undefined && kept.lastUpdated >= lastUpdated) return false
    const object = { module, side: "received", key, json, lastUpdated } as const
    if (yield* store.replaceObject(party.id, object, kept?.revision ?? null)) return kept === undefined
  }
})
