/** Journey runs of a caller: start, list, read, recover, answer, cancel. */
import { Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import {
  Conflict,
  Invalid,
  NotFound,
  type PlanRequired,
  type TooMany,
  type Unavailable,
  Unsupported
} from "../../../schema/Errors.ts"
import { RunId } from "../../../schema/Ids.ts"
import type { JourneyRunStatus } from "../../../schema/JourneyRun.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import type { NotAccepted } from "../../journeys/NotAccepted.ts"
import {
  Ledger,
  type PageFilter,
  type RunListQuery,
  type RunRow,
  type StoredLine
} from "../../ledger/Ledger.ts"
import { statusOf } from "../../ledger/run/runReport.ts"
import { traced } from "../../telemetry/traced.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import { mostPageBytes } from "../requests/readPage.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { OwnedRuns } from "./OwnedRuns.ts"
import { makeJourneyOrders, type StartOrder } from "./orders/startJourney.ts"

type StartFailure = Invalid | NotFound | Conflict | PlanRequired | TooMany | Unsupported | Unavailable

/** Starts and controls journey runs. */
export class Journeys extends Context.Tag("services/Journeys")<
  Journeys,
  {
    readonly start: (caller: Caller, order: StartOrder) => Effect.Effect<JourneyRunStatus, StartFailure>
    /** Newest first, unless `order` says otherwise. */
    readonly list: (
      caller: Caller,
      query: Omit<RunListQuery, "ownerId" | "kind">
    ) => Effect.Effect<ReadonlyArray<RunRow>, Unavailable>
    readonly read: (caller: Caller, id: RunId) => Effect.Effect<RunRow, NotFound | Unavailable>
    /** The row of a run of either kind, for reading and following its ledger. */
    readonly run: (caller: Caller, id: RunId) => Effect.Effect<RunRow, NotFound | Unavailable>
    /** A page of lines, which `readBoundedPage` tells from the last one: it also ends after `mostPageBytes`. */
    readonly events: (
      caller: Caller,
      id: RunId,
      page: { readonly after: number; readonly limit: number; readonly filter: PageFilter }
    ) => Effect.Effect<ReadonlyArray<StoredLine>, NotFound | Unavailable>
    readonly recover: (
      caller: Caller,
      id: RunId,
      request: { readonly decision?: Decision; readonly recoveryVersion?: number }
    ) => Effect.Effect<JourneyRunStatus, Invalid | NotFound | Conflict | Unsupported | Unavailable>
    /** Answers a checkpoint; Conflict while the run waits for no operator. */
    readonly attest: (
      caller: Caller,
      id: RunId,
      attested: { readonly answer: string; readonly note?: string }
    ) => Effect.Effect<JourneyRunStatus, Invalid | NotFound | Conflict | Unsupported | Unavailable>
    readonly cancel: (
      caller: Caller,
      id: RunId
    ) => Effect.Effect<JourneyRunStatus, Invalid | NotFound | Conflict | Unsupported | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Journeys,
    Effect.gen(function* () {
      const journeys = yield* JourneyRuns
      const ledger = yield* Ledger
      const runs = yield* OwnedRuns

      const accept = yield* makeJourneyOrders

      const start = traced("Journeys.start")(function* (caller: Caller, order: StartOrder) {
        const before = yield* alreadyMade("run", (id) =>
          ledger.run(caller.ownerId, RunId.make(id)).pipe(orUnavailable)
        )
        if (Option.isSome(before)) return statusOf(before.value)
        const { accepted, afterStart, notExcluded, undo } = yield* accept(caller, order)
        const started = journeys
          .start({ ...accepted, runId: RunId.make(yield* idOf("run")) })
          .pipe(Effect.mapError(refusal))
        const row = yield* runs
          .withinQuota(caller.ownerId, Effect.zipRight(notExcluded, started))
          .pipe(Effect.onError(() => undo))
        yield* afterStart
        return statusOf(row)
      })

      const list = traced("Journeys.list")(function* (
        caller: Caller,
        query: Omit<RunListQuery, "ownerId" | "kind">
      ) {
        return yield* ledger.list({ ...query, kind: "journey", ownerId: caller.ownerId }).pipe(orUnavailable)
      })

      const journey = (caller: Caller, id: RunId) =>
        Effect.filterOrFail(
          runs.find(caller, id),
          ({ facts }) => facts.kind === "journey",
          () => new NotFound({ message: "There is no such run among those of this key's owner" })
        )

      const events = traced("Journeys.events")(function* (
        caller: Caller,
        id: RunId,
        page: { readonly after: number; readonly limit: number; readonly filter: PageFilter }
      ) {
        const { facts, snapshot } = runs.findAtOnce(caller, id) ?? (yield* runs.find(caller, id))
        const isOpen = !isTerminal(snapshot.view.status)
        const filter = { ...page.filter, isOpen, maxBytes: mostPageBytes }
        return yield* ledger.page(facts.runId, page.after, page.limit, filter).pipe(orUnavailable)
      })

      const recover = traced("Journeys.recover")(function* (
        caller: Caller,
        id: RunId,
        request: { readonly decision?: Decision; readonly recoveryVersion?: number }
      ) {
        const before = yield* journey(caller, id)
        if (yield* runs.alreadyAppended(before.facts.runId, "recovery.applied")) return statusOf(before)
        const row = yield* journeys
          .recover(caller.ownerId, before.facts.runId, request)
          .pipe(Effect.mapError(refusal))
        return statusOf(row)
      })

      const attest = traced("Journeys.attest")(function* (
        caller: Caller,
        id: RunId,
        attested: { readonly answer: string; readonly note?: string }
      ) {
        const before = yield* journey(caller, id)
        if (yield* runs.alreadyAppended(before.facts.runId, "checkpoint.answered")) return statusOf(before)
        const row = yield* journeys
          .answer(caller.ownerId, before.facts.runId, attested)
          .pipe(Effect.mapError(refusal))
        return statusOf(row)
      })

      const cancel = traced("Journeys.cancel")(function* (caller: Caller, id: RunId) {
        const before = yield* journey(caller, id)
        if (yield* runs.alreadyAppended(before.facts.runId, "cancel.requested")) return statusOf(before)
        const row = yield* journeys
          .cancel(caller.ownerId, before.facts.runId)
          .pipe(Effect.mapError(({ message }) => new Conflict({ message })))
        return statusOf(row)
      })

      return Journeys.of({ start, list, read: journey, run: runs.find, events, recover, attest, cancel })
    })
  )
}

function refusal({ kind, message }: NotAccepted): Invalid | Conflict | Unsupported {
  switch (kind) {
    case "state":
    case "stale":
      return new Conflict({ message })
    case "not_offered":
      return new Unsupported({ message })
    case "choose":
      return new Invalid({ message })
  }
}
