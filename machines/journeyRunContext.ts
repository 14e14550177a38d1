/** What the journey machine knows and hears: plain JSON in, plain JSON out, so that a stored snapshot is the whole truth. */
import type { Decision } from "../schema/Recovery.ts"
import type { RunProgress } from "./runProgress.ts"

/** What the machine must know of a stage to offer the right decisions. Part of a run's stored plan. */
export interface StagePlan {
  readonly id: string
  readonly name: string
  readonly act: "exchange" | "simulate" | "await" | "serve" | "wait" | "checkpoint" | "register" | "judge"
  /** Creates or changes something at the partner. */
  readonly writes: boolean
  /** Sending its writes twice leaves the same as sending them once. */
  readonly idempotent: boolean
  /** What an unknown write did can be read at the partner. */
  readonly readBack: boolean
  /** No later stage depends on it. */
  readonly optionalForLater: boolean
  /** Its requests in words, e.g. `POST commands/START_SESSION`. */
  readonly sends: ReadonlyArray<string>
}

export interface JourneyRunInput {
  readonly stages: ReadonlyArray<StagePlan>
}

/** Intended, and no completion heard. */
export interface OpenExchange {
  readonly id: string
  /** Null: not of a stage (clean-up). */
  readonly stageId: string | null
  readonly write: boolean
  readonly readBack: boolean
}

export interface JourneyRunContext {
  readonly stages: ReadonlyArray<StagePlan>
  /** The stage at work, or next; `stages.length` after the last. */
  readonly index: number
  /** Latest attempt of each stage that was ever started, from 1. */
  readonly attempts: Readonly<Record<string, number>>
  readonly open: ReadonlyArray<OpenExchange>
  /** Assertions that passed, failed or warned, by stage: a stage run again replaces its own. */
  readonly graded: Readonly<Record<string, number>>
  readonly inboundCount: number
  readonly recoveries: number
  readonly recoveryVersion: number
  /** An offer stands: true from `recovery.offered` until a decision or another interruption. */
  readonly offered: boolean
  readonly decision: Decision | null
  /** A stop was asked for; going on is no longer on offer. */
  readonly stopAsked: boolean
  readonly progress: RunProgress
}

/** After this many decisions a run can only be brought to an end. */
export const maxRecoveries = 3

export const currentStage = (context: JourneyRunContext): StagePlan | undefined =>
  context.stages[context.index]

/** Is this decision open to the caller? The one place where the rules of recovery stand. */
export function mayDecide(context: JourneyRunContext, decision: Decision): boolean {
  const stage = currentStage(context)
  const unknownWrites = context.open.filter(({ write }) => write)
  const mayGoOn = context.recoveries < maxRecoveries && !context.stopAsked
  switch (decision) {
    case "resume":
      return mayGoOn && context.open.length === 0
    case "verify_and_resume":
      return mayGoOn && unknownWrites.length > 0 && unknownWrites.every(({ readBack }) => readBack)
    case "retry_stage":
      return mayGoOn && stage !== undefined && (!stage.writes || stage.idempotent)
    case "skip_stage":
      return mayGoOn && stage?.optionalForLater === true
    case "restart_as_new":
      return context.recoveries < maxRecoveries
    case "finish":
      return Object.values(context.graded).some((count) => count > 0)
    case "abandon":
      return true
  }
}
