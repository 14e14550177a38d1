/** What an interrupted run must offer: the contract's table, read off the run's lines. Shares no code with src/. */
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import type { PlayStage } from "../../support/service/killPlays.ts"
import type { RunLines } from "../../support/service/oracle.ts"

/** Every decision that there is, in the order in which it is offered. */
export const everyDecision: ReadonlyArray<Decision> = [
  "resume",
  "verify_and_resume",
  "retry_stage",
  "finish",
  "skip_stage",
  "restart_as_new",
  "abandon"
]

/** Of a run that was never interrupted before; `lines`: those that stood when it was lost. */
export function decisionsDue(stages: ReadonlyArray<PlayStage>, lines: RunLines): ReadonlyArray<Decision> {
  const ended = lines.filter(({ event }) => /^stage\.(completed|failed|skipped)$/.test(event.type)).length
  const stage = stages[ended]
  const unknown = unknownExchanges(lines)
  const writes = unknown.filter(({ exchange }) => exchange.request.method !== "GET")
  const graded = lines.some(({ event }) =>
    event.assertions.some(({ outcome }) => ["passed", "failed", "warned"].includes(outcome))
  )
  const canBeRead = (stageId: string | undefined) =>
    stages.some(({ id, writes }) => id === stageId && writes === "readable")
  const due: Record<Decision, boolean> = {
    resume: unknown.length === 0,
    verify_and_resume: writes.length > 0 && writes.every(({ stageId }) => canBeRead(stageId)),
    retry_stage: stage?.again === true,
    finish: graded,
    skip_stage: stage?.optional === true,
    restart_as_new: true,
    abandon: true
  }
  return everyDecision.filter((decision) => due[decision])
}

/** Those that are due when a write of that stage is lost, and an earlier stage is graded. */
export const decisionsAtLostWrite = ({ again, optional, writes }: PlayStage): ReadonlyArray<Decision> => [
  ...(writes === "readable" ? (["verify_and_resume"] as const) : []),
  ...(again ? (["retry_stage"] as const) : []),
  "finish",
  ...(optional ? (["skip_stage"] as const) : []),
  "restart_as_new",
  "abandon"
]

/** Intended, and never completed. */
function unknownExchanges(lines: RunLines): ReadonlyArray<LedgerEventOf<"exchange.intended">> {
  const completed = new Set(
    lines.flatMap(({ event }) => (event.type === "exchange.completed" ? [event.exchange.id] : []))
  )
  return lines.flatMap(({ event }) =>
    event.type === "exchange.intended" && !completed.has(event.exchange.id) ? [event] : []
  )
}
