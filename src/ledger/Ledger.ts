/**
 * The ledger: append-only, gap-free, hash-chained lines per run, written by the run's owner only.
 *
 * One row per run stands beside its lines (head sequence, head hash, lease epoch, snapshot); an append moves the
 * head and inserts the lines in one statement, so machine and ledger cannot disagree.
 */
import { Context, Data, type Effect, type Option, type PubSub, type Queue, type Scope } from "effect"
import type { ConnectionId, OwnerId, ReportId, RunId } from "../../schema/Ids.ts"
import type { JourneyRunStatus } from "../../schema/JourneyRun.ts"
import type {
  LedgerEvent,
  LedgerEventOf,
  LedgerEventType,
  UnnumberedEvent
} from "../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { RunKind, RunReport, RunStatus } from "../../schema/RunReport.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"

/** An offer takes what it leaves out from the machine as it then stands (`RunKindOf.options`); its version is the one before + 1. */
type OfferDraft = Omit<Extract<UnnumberedEvent, { readonly type: "recovery.offered" }>, "data"> & {
  readonly data?: Partial<LedgerEventOf<"recovery.offered">["data"]>
}

/** An event before it has a number and a time. */
export type EventDraft = (Exclude<UnnumberedEvent, { readonly type: "recovery.offered" }> | OfferDraft) & {
  /**
   * What makes this event this event: unique in the run and the same when the step is tried again, e.g.
   * `start/1/exchange/intended`. The event id is a hash of run and key: appending it twice is absorbed.
   */
  readonly key: string
}

/** A line ready to be written: numbered, stamped, hashed. `line` is the JSON text that every reader gets. */
export interface Line {
  readonly event: LedgerEvent
  readonly eventId: string
  readonly line: string
  readonly hash: string
}

/** Constant facts about a run. */
export interface RunFacts {
  readonly runId: RunId
  readonly reportId: ReportId
  readonly ownerId: OwnerId
  readonly kind: RunKind
  readonly connectionId: ConnectionId
  readonly connectionLabel: string
  readonly ocpiVersion: OcpiVersion
  /** Suite id or journey template id. */
  readonly subjectId: string
  /** What was ordered, as JSON: inputs, plan version, profile, check selection, machine version. */
  readonly plan: Readonly<Record<string, unknown>>
  readonly predecessorRunId: RunId | null
  readonly createdAt: string
}

/** What changes with every append: a fold over the lines (runView.ts), stored beside them. */
export interface RunSnapshot {
  /** Persisted XState snapshot, plain JSON. */
  readonly machine: unknown
  readonly view: RunView
}

export interface RunView {
  readonly status: RunStatus
  readonly verdict: RunReport["verdict"]
  readonly summary: RunReport["summary"]
  readonly progress: RunReport["progress"]
  readonly stageId: string | null
  readonly stages: JourneyRunStatus["stages"]
  readonly recoveryVersion: number
  readonly recoveryOptions: JourneyRunStatus["recoveryOptions"]
  readonly waitingFor: JourneyRunStatus["waitingFor"]
  readonly machine: JourneyRunStatus["machine"]
  readonly successorRunId: RunId | null
  readonly lastSequence: number
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly updatedAt: string
  /** Outcome counts per stage (journeys) or module (conformance): a stage that is run again replaces its own. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface RunRow {
  readonly facts: RunFacts
  readonly snapshot: RunSnapshot
  readonly headHash: string
  readonly leaseEpoch: number
  /** Is the lease held by a live process, by the database's clock? */
  readonly leaseAlive: boolean
  /**
   * True when no process holds it: given back in an orderly way, never lost. In the row that `claim` answers it tells
   * how the run was found: true = given back (resume it), false = its owner was lost (interrupt it).
   */
  readonly released: boolean
}

/** Somebody else owns the run now, or has written since: the writer must stop and forget what it holds in memory. */
export class StaleRun extends Data.TaggedError("StaleRun")<{
  readonly runId: RunId
  readonly message: string
}> {}
export interface Append {
  readonly runId: RunId
  readonly expectedSequence: number
  readonly epoch: number
  readonly lines: ReadonlyArray<Line>
  readonly headHash: string
  readonly snapshot: RunSnapshot
}

export interface PageFilter {
  readonly type?: LedgerEventType
  readonly stageId?: string
  /** The page ends with the line that brings it to so many bytes. */
  readonly maxBytes?: number
}

export interface StoredLine {
  readonly sequence: number
  /** The event as one line of JSON. */
  readonly line: string
  /** Pages of the ledger carry both; what is only passed on may leave them out. */
  readonly eventId?: string
  readonly hash?: string
}

/** What was committed, in commit order: wakes followers. */
export interface Commit {
  readonly runId: RunId
  readonly lines: ReadonlyArray<StoredLine>
  readonly terminal: boolean
}

/** What is left of a run that was purged. */
export interface Tombstone {
  readonly runId: RunId
  readonly lines: number
  /** Of the last line: an export that somebody kept can be held against it. */
  readonly headHash: string
  readonly reason: string
  readonly purgedAt: string
}

export interface RunListQuery {
  readonly ownerId: OwnerId
  readonly kind?: RunKind
  readonly status?: RunStatus
  readonly verdict?: string
  readonly ocpiVersion?: OcpiVersion
  readonly connectionId?: ConnectionId
  /** Run id of the last item of the page before (ids are time-ordered). */
  readonly cursor?: string
  readonly limit: number
}

export class Ledger extends Context.Tag("ledger/Ledger")<
  Ledger,
  {
    /** Makes the run with its first lines, leased by this process at epoch 1. Idempotent by run id. */
    readonly create: (
      facts: RunFacts,
      append: Omit<Append, "runId" | "expectedSequence" | "epoch">
    ) => Effect.Effect<void, DatabaseDown>
    readonly append: (append: Append) => Effect.Effect<void, StaleRun | DatabaseDown>
    /** Lines of a run after `after`, oldest first. */
    readonly page: (
      runId: RunId,
      after: number,
      limit: number,
      filter?: PageFilter
    ) => Effect.Effect<ReadonlyArray<StoredLine>, DatabaseDown>
    readonly run: (ownerId: OwnerId, runId: RunId) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    readonly runByReport: (
      ownerId: OwnerId,
      reportId: ReportId
    ) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    /** Newest first. */
    readonly list: (query: RunListQuery) => Effect.Effect<ReadonlyArray<RunRow>, DatabaseDown>
    /** How many runs of the owner are not terminal. */
    readonly countOpen: (ownerId: OwnerId) => Effect.Effect<number, DatabaseDown>

    // Forgetting, run by run: lines never go alone.
    /** Runs that are over and ended more than `days` days ago by the database's clock; the oldest first. */
    readonly expired: (days: number, limit: number) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /**
     * Forgets a run with all its lines and leaves a tombstone. False: there is none, it is not over, or another process
     * forgets it at this instant.
     */
    readonly purge: (runId: RunId, reason: string) => Effect.Effect<boolean, DatabaseDown>
    /** What is left of a purged run of this owner, by run id or report id. */
    readonly tombstone: (
      ownerId: OwnerId,
      id: string
    ) => Effect.Effect<Option.Option<Tombstone>, DatabaseDown>

    /** Commits of this process from now on. Sliding: a slow subscriber loses old wake-ups, never lines. */
    readonly commits: Effect.Effect<PubSub.PubSub<Commit>>
    /**
     * Runs to which another process has written, from now on; null: any may be. Only a wake-up, and it may be lost: who
     * must not miss a line looks by itself now and then.
     */
    readonly wakes: Effect.Effect<Queue.Dequeue<RunId | null>, never, Scope.Scope>

    // Leases, by the database's clock.
    /**
     * Runs whose lease ran out or was given back, and that still want a worker (not terminal, not interrupted); the
     * longest waiting first. `kind`: only runs of this kind. `except`: runs that are left out.
     */
    readonly claimable: (
      limit: number,
      kind?: RunKind,
      except?: ReadonlyArray<RunId>
    ) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** Takes the lease with epoch + 1 when nobody holds it. `fromInterrupted` also takes an interrupted run. None: somebody was faster. */
    readonly claim: (
      runId: RunId,
      options?: { readonly fromInterrupted?: boolean }
    ) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    /** Renews the leases that this process holds; answers those that it no longer has. */
    readonly renew: (
      held: ReadonlyArray<{ readonly runId: RunId; readonly epoch: number }>
    ) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    readonly release: (runId: RunId, epoch: number) => Effect.Effect<void, DatabaseDown>
    /** The database's clock, ISO 8601 with milliseconds, kept by offset to this process's monotonic clock. */
    readonly now: Effect.Effect<string>
  }
>() {}
