/**
 * Which process works on what, over all processes on one database: runs, work that one process at a time carries on, and which
 * processes are alive. Whatever writes for a run is fenced by the run's epoch, not by what is said here.
 */
import { Context, type Effect, type Option, type Scope } from "effect"
import type { OwnerId, RunId } from "../../schema/Ids.ts"
import type { RunLease } from "../../schema/Machine.ts"
import type { RunKind } from "../../schema/RunReport.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"
import type { Channel } from "../database/Notifications.ts"
import type { Living } from "./presence/Presence.ts"

/** A run that this process works on, and the epoch of its claim. */
export interface PlacedRun {
  readonly runId: RunId
  readonly epoch: number
}

/** The result of a claim. */
export interface RunClaim extends PlacedRun {
  /** True: the former process released the run, so resume it. False: that process was lost, so interrupt it. */
  readonly released: boolean
}

/** Which leases to list: those of an owner's open runs, the newest run first. */
export interface LeaseQuery {
  readonly ownerId: OwnerId
  readonly kind?: RunKind
  /** Run id of the last item of the previous page. */
  readonly cursor?: string
  readonly limit: number
}

/** What the record of a work says of its process, and how this process gets into it. */
export interface WorkRecord<R> {
  /** Id of the process that the record names; undefined if it names none. */
  readonly by: string | undefined
  /** Writes this process into the record; false if the record has changed since it was read. */
  readonly take: Effect.Effect<boolean, never, R>
}

/** The port. Methods fail with `DatabaseDown` while Postgres is away. */
export class Placement extends Context.Tag("placement/Placement")<
  Placement,
  Living & {
    // Runs. Times are those of the database's clock. A process that creates a run owns it, at epoch 1.
    /**
     * Runs for this process to take up: no process works on them, they need one (not terminal, not interrupted), and they fall to this
     * process, or nobody has taken them up for three leases. The longest without one first.
     * `kind`: only runs of this kind. `except`: runs to leave out.
     */
    readonly claimable: (
      limit: number,
      kind?: RunKind,
      except?: ReadonlyArray<RunId>
    ) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /**
     * Takes the run with epoch + 1 if no process works on it. `kind`: only if it is of this kind. `fromInterrupted`: also a run
     * that waits for a decision. None: another process was faster, or there is no such run.
     */
    readonly claim: (
      runId: RunId,
      options?: { readonly kind?: RunKind; readonly fromInterrupted?: boolean }
    ) => Effect.Effect<Option.Option<RunClaim>, DatabaseDown>
    /**
     * Keeps the runs that this process works on, and returns those of them that it has lost. What it owns and has not worked on
     * for a lease's term is given up, as lost: runs that it dropped, and claims whose answer did not come.
     */
    readonly keep: (held: ReadonlyArray<PlacedRun>) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /** Notes that this process works on the run no more. */
    readonly dropped: (runId: RunId) => void
    /** Gives the run back, so that any process can claim it and resume it. */
    readonly release: (runId: RunId, epoch: number) => Effect.Effect<void, DatabaseDown>
    /** Lets any process claim the run from now on, as lost. */
    readonly giveUp: (runId: RunId, epoch: number) => Effect.Effect<void, DatabaseDown>
    readonly leases: (query: LeaseQuery) => Effect.Effect<ReadonlyArray<RunLease>, DatabaseDown>

    // Taking part. A process that has not joined, or has left, takes up nothing; it may still create and decide about runs.
    /** From now on runs fall to this process: it can be reached. */
    readonly join: Effect.Effect<void>
    /** From now on all runs fall to the other processes, as soon as this one releases them. */
    readonly leave: Effect.Effect<void>
    /**
     * Registers what gives runs of this process back, resumable, until the scope closes: called when other processes are to work
     * on those for which `isMoving` holds.
     */
    readonly onHandOver: (
      handOver: (isMoving: (runId: RunId) => boolean) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>

    // Messages to the process that works on a run.
    /**
     * Runs that are to stop: published by a process that does not work on them. It is told to the process to which the run falls; what
     * is published again within ten seconds to all. May be lost: repeat it until it shows.
     */
    readonly stop: Channel<RunId>

    // Work that one process at a time carries on, for as long as it is alive.
    /**
     * Works in one of the processes at a time (two for a moment, when it moves), until the scope closes: here or elsewhere. The work
     * has a scope of its own; where it moves to another process it is interrupted here. Work that fails begins again.
     */
    readonly singleton: <E, R>(
      name: string,
      work: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope>
    /**
     * True if this process carries on the work of that name from now on, or did before; false if another living process
     * does. `look` reads the work's record; undefined: there is no such work, and the answer is false.
     */
    readonly carryOn: <R>(
      name: string,
      look: Effect.Effect<WorkRecord<R> | undefined, never, R>
    ) => Effect.Effect<boolean, never, R>
  }
>() {}
