/**
 * The ledger: append-only, gap-free, hash-chained lines per run, written only by the run's owner.
 *
 * Each run has one row beside its lines (head sequence, head hash, lease epoch, snapshot). An append updates the row and
 * inserts the lines in one statement, so machine and ledger cannot disagree.
 */
import { Context, Data, type Effect, type Option, type Queue, type Scope } from "effect"
import type { Counts } from "../../machines/runCounts.ts"
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
import type { ArchiveError } from "../archive/ArchiveStore.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"

/** An offer gets absent fields from the machine's state (`RunKindOf.options`), and the version after the last one. */
type OfferDraft = Omit<Extract<UnnumberedEvent, { readonly type: "recovery.offered" }>, "data"> & {
  readonly data?: Partial<LedgerEventOf<"recovery.offered">["data"]>
}

/** An event to append, before it has a number and a time. */
export type EventDraft = (Exclude<UnnumberedEvent, { readonly type: "recovery.offered" }> | OfferDraft) & {
  /**
   * Identifies the event in its run, and is the same at every attempt of a step, e.g. `start/1/exchange/intended`. The
   * event id is a hash of run and key: appending it twice has no effect.
   */
  readonly key: string
}

/** A line ready to append: numbered, with time and hash. `line` is the JSON text that every reader gets. */
export interface Line {
  readonly event: LedgerEvent
  readonly eventId: string
  readonly line: string
  readonly hash: string
}

/** The facts about a run that never change. */
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
  /** The order as JSON: inputs, plan version, profile, check selection, machine version. */
  readonly plan: Readonly<Record<string, unknown>>
  readonly predecessorRunId: RunId | null
  readonly createdAt: string
}

/** The fold of the lines (runView.ts), stored beside them; it changes with every append. */
export interface RunSnapshot {
  /** Persisted XState snapshot, plain JSON. */
  readonly machine: unknown
  readonly view: RunView
}

/** What the API shows of a run's state: status, verdict, counts and stages. */
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
  /** Time of the event that led into the machine's state. Absent in the view of a run that was last written by a release before it. */
  readonly stateSince?: string
  readonly counts: Counts
}

/** A run's row: its facts, snapshot and lease. */
export interface RunRow {
  readonly facts: RunFacts
  readonly snapshot: RunSnapshot
  readonly headHash: string
  readonly leaseEpoch: number
  /** Is the lease held by a live process, by the database's clock? */
  readonly leaseAlive: boolean
  /** True when the owner gave the lease back. */
  readonly released: boolean
  /** True when the lines are in the archive (decision 36); `page` reads them from there. */
  readonly archived: boolean
}

/** Another owner has the run, or has written to it: this writer must stop and discard its state of the run. */
export class StaleRun extends Data.TaggedError("StaleRun")<{
  readonly runId: RunId
  readonly message: string
}> {}
/** Lines to append to a run, with the head that the writer expects and the state after them. */
export interface Append {
  readonly runId: RunId
  readonly expectedSequence: number
  readonly epoch: number
  readonly lines: ReadonlyArray<Line>
  readonly headHash: string
  readonly snapshot: RunSnapshot
}

/** Restricts a page to lines of a type or stage, or by size. */
export interface PageFilter {
  readonly type?: LedgerEventType
  readonly stageId?: string
  /** The page ends with the line that brings it to this size. */
  readonly maxBytes?: number
  /**
   * The caller knows that the run was not over a moment ago, and comes again: where there is no line, the archive is not asked for. It
   * saves polls of open runs a statement.
   */
  readonly isOpen?: boolean
}

/** A line as it was stored. */
export interface StoredLine {
  readonly sequence: number
  /** The event as one line of JSON. */
  readonly line: string
  /** Present in pages of the ledger; may be absent in lines that are only forwarded to followers. */
  readonly eventId?: string
  readonly hash?: string
}

/** Where the lines of an archived run are, and what is checked of them whenever they are read. */
export interface ArchiveNote {
  readonly runId: RunId
  /** Name of the object in the archive (`isObjectName`). */
  readonly name: string
  readonly lines: number
  /** Hash of the last line. */
  readonly headHash: string
  /** Size of the object. */
  readonly bytes: number
  /** Size of what is compressed in it. */
  readonly textBytes: number
  /** SHA-256 of the object, 64 hex digits. */
  readonly sha256: string
}

/** A line with all that a ledger holds of it. */
export type WholeLine = Required<StoredLine>

/** Reads and checks all lines of an archived run, oldest first: the same array for as long as this process remembers it. */
export type ReadArchive = (note: ArchiveNote) => Effect.Effect<ReadonlyArray<WholeLine>, ArchiveError>

/** Lines that were committed, published in commit order to wake followers. */
export interface Commit {
  readonly runId: RunId
  readonly lines: ReadonlyArray<StoredLine>
  readonly terminal: boolean
}

/** The remains of a purged run. */
export interface Tombstone {
  readonly runId: RunId
  readonly lines: number
  /** Hash of the last line, by which an earlier export can be verified. */
  readonly headHash: string
  readonly reason: string
  readonly purgedAt: string
}

/** Which runs to list, newest first. */
export interface RunListQuery {
  readonly ownerId: OwnerId
  readonly kind?: RunKind
  readonly status?: RunStatus
  readonly verdict?: string
  readonly ocpiVersion?: OcpiVersion
  readonly connectionId?: ConnectionId
  /** By the time at which they were created; default: the newest first. */
  readonly order?: "oldest" | "newest"
  /** Run id of the last item of the previous page (ids are time-ordered). */
  readonly cursor?: string
  readonly limit: number
}

/** The port. Methods fail with `DatabaseDown` while Postgres is away, writes of a former owner with `StaleRun`. */
export class Ledger extends Context.Tag("ledger/Ledger")<
  Ledger,
  {
    /** Creates the run with its first lines, placed at this process at epoch 1. Idempotent by run id. */
    readonly create: (
      facts: RunFacts,
      append: Omit<Append, "runId" | "expectedSequence" | "epoch">
    ) => Effect.Effect<void, DatabaseDown>
    readonly append: (append: Append) => Effect.Effect<void, StaleRun | DatabaseDown>
    /** Lines of a run after `after`, oldest first, wherever they are: those of an archived run come from the archive. */
    readonly page: (
      runId: RunId,
      after: number,
      limit: number,
      filter?: PageFilter
    ) => Effect.Effect<ReadonlyArray<StoredLine>, DatabaseDown | ArchiveError>
    /** The row of a run that this process has claimed. */
    readonly claimed: (runId: RunId) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    readonly run: (ownerId: OwnerId, runId: RunId) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    readonly runByReport: (
      ownerId: OwnerId,
      reportId: ReportId
    ) => Effect.Effect<Option.Option<RunRow>, DatabaseDown>
    /** Newest first. */
    readonly list: (query: RunListQuery) => Effect.Effect<ReadonlyArray<RunRow>, DatabaseDown>
    /** How many runs of the owner are not terminal. */
    readonly countOpen: (ownerId: OwnerId) => Effect.Effect<number, DatabaseDown>
    /** The runs of the owner on this connection that are not terminal, newest first. */
    readonly openOn: (
      ownerId: OwnerId,
      connectionId: ConnectionId
    ) => Effect.Effect<ReadonlyArray<RunFacts>, DatabaseDown>

    // Purging, always of a whole run.
    /** Runs that ended more than `days` days ago, by the database's clock; the oldest first. */
    readonly expired: (days: number, limit: number) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /**
     * Deletes a run with all its lines and leaves a tombstone. False: it does not exist, is not over, or another process
     * is deleting it.
     */
    readonly purge: (runId: RunId, reason: string) => Effect.Effect<boolean, DatabaseDown>
    /**
     * Purges all runs of an ended month at once, when all of them ended more than `days` days ago, and returns them. None: there
     * is no such month, or it is in use.
     */
    readonly purgeMonth: (days: number, reason: string) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** The tombstone of a purged run of this owner, by run id or report id. */
    readonly tombstone: (
      ownerId: OwnerId,
      id: string
    ) => Effect.Effect<Option.Option<Tombstone>, DatabaseDown>

    /**
     * Calls the listener with the commits of this process, in their order and before the appends are acknowledged, until the
     * scope closes. It puts off what takes its time. What it throws is logged, and stops neither the writing nor other listeners.
     */
    readonly onCommit: (
      listener: (commits: ReadonlyArray<Commit>) => void
    ) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Ids of runs to which another process has written, from now on; null: any run may have new lines. Notifications can
     * be lost: a subscriber that must not miss a line also polls.
     */
    readonly wakes: Effect.Effect<Queue.Dequeue<RunId | null>, never, Scope.Scope>

    /** The database's time, ISO 8601 with milliseconds, carried on by this process's monotonic clock. */
    readonly now: Effect.Effect<string>
  }
>() {}
