/** Finds runs that the caller owns, reads their ledgers, and starts runs within the account's quota. */
import { Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { NotFound, type TooMany, type Unavailable } from "../../../schema/Errors.ts"
import { type OwnerId, ReportId, RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent, LedgerEventType } from "../../../schema/LedgerEvent.ts"
import { yieldWhenDue } from "../../findings/yieldToEventLoop.ts"
import { Ledger, type RunRow, type StoredLine, type Tombstone } from "../../ledger/Ledger.ts"
import { RunLogs } from "../../ledger/run/RunLog.ts"
import { readLines } from "../../ledger/run/readLines.ts"
import { traced } from "../../telemetry/traced.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { earlierAttemptsSince } from "../requests/IdempotentRequest.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { makeEndedRuns } from "./endedRuns.ts"

const purged = ({ headHash, lines, purgedAt, reason, runId }: Tombstone) =>
  new NotFound({
    message: `The run ${runId} was purged at ${purgedAt} (${reason}); it had ${lines} lines, the last with hash ${headHash}`
  })

/** Events of one type that are looked at, to find one that was appended lately. */
const mostLooked = 1000

/** Access to runs by owner. */
export class OwnedRuns extends Context.Tag("services/OwnedRuns")<
  OwnedRuns,
  {
    /** A run by run id or report id; from memory while this process works on it. */
    readonly find: (caller: Caller, id: string) => Effect.Effect<RunRow, NotFound | Unavailable>
    /**
     * The same without a query: a run that this process works on, or one that was over when `find` read it less than a
     * second ago (it can only have been purged since). undefined: `find` decides.
     */
    readonly findAtOnce: (caller: Caller, id: string) => RunRow | undefined
    /** All events of a run, oldest first. Does not check the owner: call `find` first. */
    readonly events: (id: RunId) => Effect.Effect<ReadonlyArray<LedgerEvent>, Unavailable>
    /** The same as stored lines, with their hashes. */
    readonly lines: (id: RunId) => Effect.Effect<ReadonlyArray<StoredLine>, Unavailable>
    /** The run id of a list cursor, which may be a report id. */
    readonly cursor: (caller: Caller, cursor: string) => Effect.Effect<string, Unavailable>
    /** For idempotent retries: whether an earlier attempt of the current request already appended an event of this type. */
    readonly alreadyAppended: (id: RunId, type: LedgerEventType) => Effect.Effect<boolean, Unavailable>
    /** Starts a run, or TooMany when the account has reached its quota of open runs; one start at a time per account. */
    readonly withinQuota: <A, E>(
      owner: OwnerId,
      start: Effect.Effect<A, E>
    ) => Effect.Effect<A, E | TooMany | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    OwnedRuns,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const logs = yield* RunLogs
      const limits = yield* RateLimits
      const clock = yield* Effect.clock
      const over = makeEndedRuns(clock)
      const missing = new NotFound({ message: "There is no such run among those of this key's owner" })

      const stored = (caller: Caller, id: string) =>
        (id.startsWith("rep_")
          ? ledger.runByReport(caller.ownerId, ReportId.make(id))
          : ledger.run(caller.ownerId, RunId.make(id))
        ).pipe(orUnavailable)

      const find = traced("OwnedRuns.find")(function* (caller: Caller, id: string) {
        const live = logs.live(id)
        if (live !== undefined) return live.facts.ownerId === caller.ownerId ? live : yield* missing
        const row = yield* stored(caller, id)
        if (Option.isSome(row)) {
          over.keep(row.value)
          return logs.live(row.value.facts.runId) ?? row.value
        }
        const tombstone = yield* ledger.tombstone(caller.ownerId, id).pipe(orUnavailable)
        return yield* Option.match(tombstone, { onNone: () => missing, onSome: purged })
      })

      const findAtOnce = (caller: Caller, id: string) => {
        const row = logs.live(id) ?? over.find(id)
        return row?.facts.ownerId === caller.ownerId ? row : undefined
      }

      const lines = traced("OwnedRuns.lines")((id: RunId) =>
        readLines((after, limit) => ledger.page(id, after, limit).pipe(orUnavailable))
      )
      const events = Effect.fnUntraced(function* (id: RunId) {
        const read = yield* lines(id)
        const turn = yield* yieldWhenDue
        return yield* Effect.forEach(read, ({ line }) => Effect.as(turn, JSON.parse(line) as LedgerEvent))
      })

      const cursor = traced("OwnedRuns.cursor")(function* (caller: Caller, id: string) {
        if (!id.startsWith("rep_")) return id
        const row = yield* stored(caller, id)
        return Option.match(row, { onNone: () => id, onSome: ({ facts }) => facts.runId })
      })

      const alreadyAppended = traced("OwnedRuns.alreadyAppended")(function* (
        id: RunId,
        type: LedgerEventType
      ) {
        const since = yield* earlierAttemptsSince
        if (Option.isNone(since)) return false
        const told = yield* ledger.page(id, 0, mostLooked, { type }).pipe(orUnavailable)
        return told.some(({ line }) => (JSON.parse(line) as LedgerEvent).occurredAt >= since.value)
      })

      const withinQuota = <A, E>(owner: OwnerId, start: Effect.Effect<A, E>) =>
        limits.withinQuota("runs", owner, ledger.countOpen(owner).pipe(orUnavailable), start)

      return OwnedRuns.of({ find, findAtOnce, events, lines, cursor, alreadyAppended, withinQuota })
    })
  )
}
