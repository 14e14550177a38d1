/** Conformance runs, and the graded reports of all runs that a caller owns. */

import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { Assertion, Outcome } from "../../../schema/Assertion.ts"
import {
  Conflict,
  type Invalid,
  NotFound,
  type PlanRequired,
  type TooMany,
  type Unavailable,
  type Unsupported
} from "../../../schema/Errors.ts"
import { isTerminal, type RunKind, type RunReport } from "../../../schema/RunReport.ts"
import type { StartConformanceRun, SuiteDetail, SuiteView } from "../../../schema/Suite.ts"
import { SuiteRuns } from "../../conformance/run/SuiteRuns.ts"
import { meant } from "../../findings/nearest.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import { Feed } from "../../ledger/feed/feed.ts"
import { Ledger, type RunListQuery, type RunRow } from "../../ledger/Ledger.ts"
import { reportOf } from "../../ledger/run/runReport.ts"
import { standingAssertions } from "../../ledger/run/runView.ts"
import { traced } from "../../telemetry/traced.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { OwnedRuns } from "./OwnedRuns.ts"
import { makeSuiteOrders } from "./orders/startSuite.ts"
import { makeOwnerTurns } from "./ownerTurns.ts"

/** Limits of reading runs. */
interface RunsOptions {
  /** Seconds that `read` waits at most. */
  readonly waitMaxSeconds: number
}

/** How long to wait for a run, and for what. */
interface WaitOptions {
  readonly waitSeconds: number
  readonly since?: number
  readonly untilEnd?: boolean
}

/** Is this what a wait is for: the end of the run, or, unless `untilEnd`, another revision than `since`? */
export const isAwaited = (
  { snapshot: { view } }: RunRow,
  { since, untilEnd }: { readonly since: number; readonly untilEnd: boolean }
): boolean => isTerminal(view.status) || (!untilEnd && view.lastSequence !== since)

/** Starts conformance runs; lists, reads and cancels runs of both kinds. */
export class Runs extends Context.Tag("services/Runs")<
  Runs,
  {
    /** Seconds that `read` waits at most. */
    readonly waitMaxSeconds: number
    readonly suites: ReadonlyArray<SuiteView>
    readonly suite: (id: string) => Effect.Effect<SuiteDetail, NotFound>
    readonly start: (
      caller: Caller,
      input: StartConformanceRun
    ) => Effect.Effect<
      RunReport,
      Invalid | Conflict | NotFound | PlanRequired | TooMany | Unsupported | Unavailable
    >
    /** Newest first, unless `order` says otherwise. */
    readonly list: (
      caller: Caller,
      query: Omit<RunListQuery, "ownerId">
    ) => Effect.Effect<ReadonlyArray<RunRow>, Unavailable>
    /**
     * By report id or run id. With `waitSeconds` > 0 it returns when the revision differs from `since` (default: the
     * present one), or, with `untilEnd`, not before the run is over; in any case when the run is terminal or the time is over. It
     * holds no database connection while it waits.
     */
    readonly read: (
      caller: Caller,
      id: string,
      wait?: WaitOptions
    ) => Effect.Effect<RunRow, NotFound | Unavailable>
    readonly checks: (
      caller: Caller,
      id: string,
      filter: { readonly outcome?: Outcome; readonly module?: string }
    ) => Effect.Effect<ReadonlyArray<Assertion>, NotFound | Unavailable>
    readonly cancel: (
      caller: Caller,
      id: string
    ) => Effect.Effect<RunReport, NotFound | Conflict | Unavailable>
  }
>() {
  static readonly layer = (options: RunsOptions) =>
    Layer.effect(
      Runs,
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const suiteRuns = yield* SuiteRuns
        const journeyRuns = yield* JourneyRuns
        const owned = yield* OwnedRuns
        const feed = yield* Feed

        const suite = (id: string) =>
          Option.match(suiteRuns.suite(id), {
            onNone: () =>
              new NotFound({
                message: `There is no such suite; GET /testing/suites lists them${meant(
                  id,
                  suiteRuns.suites.map((one) => one.id)
                )}`
              }),
            onSome: Effect.succeed
          })

        const checks = traced("Runs.checks")(function* (
          caller: Caller,
          id: string,
          filter: { readonly outcome?: Outcome; readonly module?: string }
        ) {
          const { facts } = yield* owned.find(caller, id)
          return standingAssertions(yield* owned.events(facts.runId))
            .map(({ assertion }) => assertion)
            .filter(
              ({ module, outcome }) =>
                (filter.outcome === undefined || outcome === filter.outcome) &&
                (filter.module === undefined || module === filter.module)
            )
        })

        const start = yield* makeSuiteOrders({ suite, checks })

        const list = traced("Runs.list")(function* (caller: Caller, query: Omit<RunListQuery, "ownerId">) {
          const cursor =
            query.cursor === undefined ? {} : { cursor: yield* owned.cursor(caller, query.cursor) }
          return yield* ledger.list({ ...query, ...cursor, ownerId: caller.ownerId }).pipe(orUnavailable)
        })

        const read = traced("Runs.read")(function* (caller: Caller, id: string, wait?: WaitOptions) {
          const row = yield* owned.find(caller, id)
          const seconds = Math.min(wait?.waitSeconds ?? 0, options.waitMaxSeconds)
          if (seconds <= 0 || isTerminal(row.snapshot.view.status)) return row
          const { runId } = row.facts
          // Each event is followed, not looked up: that is cheaper for the end, and dearer for one event (decision 22).
          if (wait?.untilEnd === true) {
            const events = feed.follow(runId, row.snapshot.view.lastSequence)
            yield* Effect.timeoutOption(Stream.runDrain(events), seconds * 1000)
            return yield* owned.find(caller, runId)
          }
          const since = wait?.since ?? row.snapshot.view.lastSequence
          const until = (yield* Clock.currentTimeMillis) + seconds * 1000
          let now = row
          while (true) {
            const left = until - (yield* Clock.currentTimeMillis)
            if (isAwaited(now, { since, untilEnd: false }) || left <= 0) return now
            yield* Effect.timeoutOption(feed.next(runId, since), left)
            now = yield* owned.find(caller, runId)
          }
        })

        /** Who stops a run of each kind. */
        const hosts = { conformance: suiteRuns, journey: journeyRuns } satisfies Record<RunKind, unknown>
        const cancel = traced("Runs.cancel")(function* (caller: Caller, id: string) {
          const row = yield* owned.find(caller, id)
          const { kind, runId } = row.facts
          if (yield* owned.alreadyAppended(runId, "cancel.requested")) return reportOf(row)
          const { status } = row.snapshot.view
          if (isTerminal(status))
            return yield* new Conflict({ message: `The run is ${status}; there is nothing to cancel` })
          const stopping = hosts[kind].cancel(caller.ownerId, runId)
          return reportOf(yield* Effect.mapError(stopping, ({ message }) => new Conflict({ message })))
        })

        const suites = suiteRuns.suites.map(({ checks: _, ...view }) => view)
        // All lines of a run are in memory meanwhile.
        const inTurn = makeOwnerTurns()
        return Runs.of({
          waitMaxSeconds: options.waitMaxSeconds,
          suites,
          suite,
          start,
          list,
          read,
          checks: (caller, id, filter) => inTurn(caller.ownerId, checks(caller, id, filter)),
          cancel
        })
      })
    )
}
