/**
 * `data` of ledger events, per type: what the fold over a run (runView.ts) reads. Writers may add keys of their own.
 * Types that are not named here have nothing that the fold needs.
 */
import type { Actor } from "../../../schema/Journey.ts"
import type { ExpectedRequest } from "../../../schema/JourneyRun.ts"
import type { RecoveryOption } from "../../../schema/Recovery.ts"

/** First line of a run. */
export interface RunCreated {
  /** Stage ids of a journey or modules of a suite, in order: each begins as `pending`. */
  readonly stages: ReadonlyArray<string>
  /**
   * Steps of the run, for `progress.of`; default: the number of stages. A conformance run gives its number of checks
   * and counts assertions as done; a journey counts stages that ended.
   */
  readonly of?: number
}

/** `wait.started` (with `stageId`): somebody else must act. Ends with `wait.satisfied` or `wait.expired`. */
export interface WaitStarted {
  readonly party: Actor
  /** Who must do what, in words a newcomer can follow. */
  readonly instruction: string
  /** ISO 8601 UTC. */
  readonly deadline: string
  /** A request that would do. */
  readonly expects?: ExpectedRequest
  /** What almost fits of what came before. */
  readonly nearMisses?: ReadonlyArray<string>
}

/** `checkpoint.requested` (with `stageId`): an operator must answer. Ends with `checkpoint.answered`. */
export interface CheckpointRequested {
  readonly instruction: string
  readonly deadline: string
  readonly answers: ReadonlyArray<string>
  /** How to answer. */
  readonly expects?: ExpectedRequest
}

/** `checkpoint.answered` (with `stageId`). */
export interface CheckpointAnswered {
  /** One of the answers that were to choose from. */
  readonly answer: string
  readonly note?: string
}

/** `inbound.received`: the exchange rides on the event itself. */
export interface InboundReceived {
  /** It came while the run waited and almost fit: what was off, in one sentence. */
  readonly nearMiss?: string
  /**
   * How it stands to the run, where it is not simply a part of it. `late`: what it brings was awaited, and is no longer.
   * `duplicate`: the same was sent before. `foreign`: it is about something that this run has nothing to do with.
   */
  readonly relation?: Relation
  /** Of a late one: the stage that had waited for it. */
  readonly lateFor?: string
}

export type Relation = "late" | "duplicate" | "foreign"

/** `run.interrupted` */
export interface RunInterrupted {
  /** Why, in words: a lost lease, a write whose outcome is unknown, storage. */
  readonly reason: string
  /** Ids of exchanges that were intended and never completed. */
  readonly unknown?: ReadonlyArray<string>
}

/**
 * `recovery.offered`. Both keys are filled in by the run's log when the draft leaves them out: `options` from the
 * machine's state after the events before it (`RunKindOf.options`), `version` as the one before + 1.
 */
export interface RecoveryOffered {
  readonly version: number
  /** Recommended first. */
  readonly options: ReadonlyArray<RecoveryOption>
}

/** `recovery.applied` */
export interface RecoveryApplied {
  readonly decision: RecoveryOption["decision"]
  /** The version that was decided upon. */
  readonly version: number
  /** `restart_as_new`: the run that goes on instead. */
  readonly successorRunId?: string
}

/** `run.completed`, `run.cancelled`, `run.failed`: the verdict is settled with it. */
export interface RunEnded {
  /** `run.cancelled` by `restart_as_new`: the run that goes on instead; null: it could not be started. */
  readonly successorRunId?: string | null
  /**
   * Not everything that was planned was done: without a failure the verdict is then `inconclusive`.
   * Always so for `run.cancelled` and `run.failed`.
   */
  readonly cutShort?: boolean
  /** In words, for people. */
  readonly reason?: string
}

/** The keys by event type. */
export interface EventData {
  readonly "run.created": RunCreated
  readonly "wait.started": WaitStarted
  readonly "checkpoint.requested": CheckpointRequested
  readonly "checkpoint.answered": CheckpointAnswered
  readonly "inbound.received": InboundReceived
  readonly "run.interrupted": RunInterrupted
  readonly "recovery.offered": RecoveryOffered
  readonly "recovery.applied": RecoveryApplied
  readonly "run.completed": RunEnded
  readonly "run.cancelled": RunEnded
  readonly "run.failed": RunEnded
}
