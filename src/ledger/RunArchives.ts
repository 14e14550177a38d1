/** What the ledger knows of the archive: which runs are in it, and which objects may be in it that no run needs. */
import { Context, type Effect, type Option } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"
import type { ArchiveNote, RunRow, WholeLine } from "./Ledger.ts"

/** A line as it is put back, with what the table of lines has in columns of its own. */
interface RestoredLine extends WholeLine {
  readonly type: string
  readonly stageId: string | null
}

/** An object that may be in the store, and that no run needs. */
export interface ArchiveLeftover {
  readonly name: string
  readonly runId: RunId
}

/** An unfinished object is removed so long after its run was last begun to be archived. */
export const unfinishedMinutes = 60
/** For so long a run that one process has begun to archive is left to it. */
export const begunMinutes = 2

/**
 * The port. Lines leave the tables and come back by functions of the database alone, each in one transaction with the note that
 * says where they are (migration 0024).
 */
export class RunArchives extends Context.Tag("ledger/RunArchives")<
  RunArchives,
  {
    /** Runs that ended more than `days` days ago and are not archived, by the database's clock; the oldest first. */
    readonly due: (days: number, limit: number) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** A run of any owner, and its note if it is archived. */
    readonly find: (
      runId: RunId
    ) => Effect.Effect<
      Option.Option<{ readonly row: RunRow; readonly note: Option.Option<ArchiveNote> }>,
      DatabaseDown
    >
    /**
     * To be called before an object is written, so that the object of a process that is killed is known. False: another process
     * has begun to archive this run less than `begunMinutes` ago, unless `evenIfBegun`.
     */
    readonly begin: (
      object: ArchiveLeftover,
      options: { readonly evenIfBegun: boolean }
    ) => Effect.Effect<boolean, DatabaseDown>
    /**
     * Notes where the run is and deletes its lines. False, and nothing is changed: the run is not over, does not end with this line,
     * is archived already, is being changed by another process, or its object was not begun or is being removed.
     */
    readonly archive: (note: ArchiveNote) => Effect.Effect<boolean, DatabaseDown>
    /**
     * Puts all lines of an archived run back and forgets the note; the object becomes a leftover. False: it is not archived. Dies of
     * lines that the note does not belong to.
     */
    readonly restore: (
      runId: RunId,
      lines: ReadonlyArray<RestoredLine>
    ) => Effect.Effect<boolean, DatabaseDown>
    /** All objects that no run needs; those that are being written right now are among them. */
    readonly leftovers: (limit: number) => Effect.Effect<ReadonlyArray<ArchiveLeftover>, DatabaseDown>
    /**
     * Those to remove: of purged and restored runs at once, unfinished ones after `unfinishedMinutes`. From now on `archive` refuses
     * them.
     */
    readonly claimLeftovers: (limit: number) => Effect.Effect<ReadonlyArray<ArchiveLeftover>, DatabaseDown>
    /** Makes an object that `begin` named one to remove, at once. */
    readonly giveUp: (name: string) => Effect.Effect<void, DatabaseDown>
    /** To be called when the object is removed. */
    readonly forget: (name: string) => Effect.Effect<void, DatabaseDown>
  }
>() {}
