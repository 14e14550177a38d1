/** The context of the journey machine. It is plain JSON and complete: a stored snapshot needs nothing else. */
import type { Decision } from "../schema/Recovery.ts"
import type { RunProgress } from "./runProgress.ts"

/** What the machine must know about a stage to offer the right decisions. Part of a run's stored plan. */
export interface StagePlan {
  readonly id: string
  readonly name: string
  readonly act: "exchange" | "simulate" | "await" | "serve" | "wait" | "checkpoint" | "register" | "judge"
  /** The stage creates or changes something at the partner. */
  readonly writes: boolean
  /** Sending its writes twice has the same effect as sending them once. */
  readonly idempotent: boolean
  /** The effect of a write whose answer was lost can be read at the partner. */
  readonly readBack: boolean
  /** No later stage depends on this one. */
  readonly optionalForLater: boolean
  /** Its requests, such as `POST commands/START_SESSION`. */
  readonly sends: ReadonlyArray<string>
}

/** Input of the journey machine. */
export interface JourneyRunInput {
  readonly stages: ReadonlyArray<StagePlan>
}

/** An exchange with a recorded intent and no completion: its outcome is unknown if the process was lost. */
export interface OpenExchange {
  readonly id: string
  /** Null for exchanges outside of stages (clean-up). */
  readonly stageId: string | null
  readonly write: boolean
  readonly readBack: boolean
}

/** What the journey machine remembers of its events. */
export interface JourneyRunContext {
  readonly stages: ReadonlyArray<StagePlan>
  /** Index of the current or next stage; `stages.length` after the last. */
  readonly index: number
  /** Latest attempt of each started stage, by stage id; the first is 1. */
  readonly attempts: Readonly<Record<string, number>>
  readonly open: ReadonlyArray<OpenExchange>
  /** Number of assertions that passed, failed or warned, by stage id; a repeated stage replaces its number. */
  readonly graded: Readonly<Record<string, number>>
  readonly inboundCount: number
  readonly recoveries: number
  readonly recoveryVersion: number
  /** True from `recovery.offered` until a decision, a stop request or another interruption. */
  readonly offered: boolean
  readonly decision: Decision | null
  /** A stop was requested: decisions that continue the run are no longer offered. */
  readonly stopAsked: boolean
  readonly progress: RunProgress
}

/** After this many decisions a run can only be ended. */
export const maxRecoveries = 3

/** The stage at work, or next; undefined after the last. */
export const currentStage = (context: JourneyRunContext): StagePlan | undefined =>
  context.stages[context.index]

/** May the caller take this decision now? The rules of recovery are defined here only. */
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
