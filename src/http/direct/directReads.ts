/**
 * The routes that are answered directly, by their path in the contract: how each is read, without a query where that is
 * possible. The contract's handlers answer the same; `test/http/direct/direct.test.ts` compares both.
 */
import { Effect } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { RunId } from "../../../schema/Ids.ts"
import { isCursor } from "../../api/queries.ts"
import type { RunRow } from "../../ledger/Ledger.ts"
import { type NextPage, readPage, readPageOfLines } from "../../services/requests/readPage.ts"
import { Journeys } from "../../services/runs/Journeys.ts"
import { OwnedRuns } from "../../services/runs/OwnedRuns.ts"
import { isAwaited, Runs } from "../../services/runs/Runs.ts"
import { listText, okText } from "../answer/bodies.ts"
import { reportText, statusesText, statusText } from "../answer/runTexts.ts"
import { waitSeconds } from "../request/waitSeconds.ts"
import { type LiveWait, makeLiveWaits } from "./liveWaits.ts"

/** The body of a 200, as JSON, and what comes after it where it is a page of a list. */
export interface DirectAnswer {
  readonly body: string
  readonly next?: NextPage | undefined
}

/** What a request asks of a route: the id in its path, and its query, each parameter once. */
export interface Asked {
  readonly id: string
  readonly query: Readonly<Record<string, string>>
}

/** How a route is read. */
export interface DirectRead {
  /** The query parameters that it takes here; with any other one the general way answers. */
  readonly takes: ReadonlyArray<string>
  /** The answer without a query to the database; undefined: `read` has it. */
  readonly atOnce?: (caller: Caller, asked: Asked) => DirectAnswer | undefined
  /**
   * Waits, and calls `done` with what makes the answer, or with what makes undefined where the general way answers. Returns what ends the
   * wait. Undefined: nothing is waited for here.
   */
  readonly wait?: (
    caller: Caller,
    asked: Asked,
    done: (answerOf: () => DirectAnswer | undefined) => void
  ) => (() => void) | undefined
  /** Undefined: the general way answers. */
  readonly read: (
    caller: Caller,
    asked: Asked
  ) => Effect.Effect<DirectAnswer, { readonly _tag: string }> | undefined
}

const defaultRuns = 25
const mostRuns = 100
const defaultEvents = 100
const mostEvents = 1000

/** The routes, by the path in the contract. */
export const directReads = Effect.gen(function* () {
  const journeys = yield* Journeys
  const owned = yield* OwnedRuns
  const runs = yield* Runs
  const waits = yield* makeLiveWaits

  const status = (row: RunRow): DirectAnswer => ({ body: okText(statusText(row)) })
  const report = (row: RunRow): DirectAnswer => ({ body: okText(reportText(row)) })

  const readStatus: DirectRead = {
    takes: [],
    atOnce: (caller, { id }) => {
      const row = owned.findAtOnce(caller, id)
      return row?.facts.kind === "journey" ? status(row) : undefined
    },
    read: (caller, { id }) => Effect.map(journeys.read(caller, RunId.make(id)), status)
  }

  const readReport: DirectRead = {
    takes: ["wait", "since", "until"],
    atOnce: (caller, { id, query }) => {
      const row = owned.findAtOnce(caller, id)
      if (row === undefined || !isWait(query)) return undefined
      const isDue = query["wait"] === undefined || isAwaited(row, waitOf(row, query))
      return isDue ? report(row) : undefined
    },
    wait: (caller, { id, query }, done) => {
      const row = owned.findAtOnce(caller, id)
      if (row === undefined || !isWait(query)) return undefined
      return waits(caller, row, waitOf(row, query), (now) =>
        done(() => (now === undefined ? undefined : report(now)))
      )
    },
    read: (caller, { id, query }) =>
      query["wait"] === undefined && isWait(query) ? Effect.map(runs.read(caller, id), report) : undefined
  }

  const listJourneys: DirectRead = {
    takes: ["limit", "cursor"],
    read: (caller, { query }) => {
      const limit = limitOf(query["limit"], defaultRuns, mostRuns)
      if (limit === undefined) return undefined
      const { cursor } = query
      if (cursor !== undefined && !isCursor(cursor)) return undefined
      const page = readPage(
        limit,
        (limit) => journeys.list(caller, { limit, ...(cursor === undefined ? {} : { cursor }) }),
        ({ facts }) => facts.runId
      )
      return Effect.map(page, ({ items, next }) => ({ body: okText(statusesText(items)), next }))
    }
  }

  const readEvents: DirectRead = {
    takes: ["after", "limit"],
    read: (caller, { id, query }) => {
      const limit = limitOf(query["limit"], defaultEvents, mostEvents)
      if (limit === undefined || !isCount(query["after"])) return undefined
      const after = Number(query["after"] ?? 0)
      const page = readPageOfLines(limit, (limit) =>
        journeys.events(caller, RunId.make(id), { after, limit, filter: {} })
      )
      return Effect.map(page, ({ items, next }) => ({
        body: okText(listText(items.map(({ line }) => line))),
        next
      }))
    }
  }

  return new Map<string, DirectRead>([
    ["/api/v1/testing/journey-runs", listJourneys],
    ["/api/v1/testing/journey-runs/{id}", readStatus],
    ["/api/v1/testing/journey-runs/{id}/events", readEvents],
    ["/api/v1/testing/runs/{id}", readReport]
  ])
})

/** The query of a report, in values that are taken here. */
const isWait = ({ since, until }: Asked["query"]) =>
  isCount(since) && (until === undefined || until === "end")

const waitOf = ({ snapshot }: RunRow, { since, until, wait }: Asked["query"]): LiveWait => ({
  seconds: waitSeconds(wait),
  since: Number(since ?? snapshot.view.lastSequence),
  untilEnd: until === "end"
})

/** A sequence or a revision of less than ten digits, or none: more is left to the contract. */
const isCount = (text: string | undefined) => text === undefined || /^\d{1,9}$/.test(text)

function limitOf(text: string | undefined, otherwise: number, most: number): number | undefined {
  if (text === undefined) return otherwise
  return /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), most) : undefined
}
