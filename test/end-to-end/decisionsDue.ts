/** What an interrupted `remote-start` must offer: the contract's table, read off the run's lines. Shares no code with src/. */
import type { Exchange } from "../../schema/Exchange.ts"
import type { Decision } from "../../schema/Recovery.ts"
import type { RunLines } from "./oracle.ts"

/** In order. `again`: only reads, or writes that may be sent twice. `optional`: no later stage depends on it. */
const stages: ReadonlyArray<{ readonly id: string; readonly again: boolean; readonly optional: boolean }> = [
  { id: "read-locations", again: true, optional: false },
  { id: "push-token", again: true, optional: true },
  { id: "start-session", again: false, optional: false },
  { id: "start-result", again: true, optional: true },
  { id: "session-active", again: true, optional: false },
  { id: "session-updates", again: true, optional: true },
  { id: "stop-session", again: false, optional: false },
  { id: "stop-result", again: true, optional: true },
  { id: "session-completed", again: true, optional: true },
  { id: "cdr", again: true, optional: true },
  { id: "consistency", again: true, optional: true }
]

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
export function decisionsDue(lines: RunLines): ReadonlyArray<Decision> {
  const ended = lines.filter(({ event }) => /^stage\.(completed|failed|skipped)$/.test(event.type)).length
  const stage = stages[ended]
  const unknown = unknownExchanges(lines)
  const graded = lines.some(({ event }) =>
    event.assertions.some(({ outcome }) => ["passed", "failed", "warned"].includes(outcome))
  )
  const due: Record<Decision, boolean> = {
    resume: unknown.length === 0,
    // What each of its three writes did can be read at the partner.
    verify_and_resume: unknown.some(({ request }) => request.method !== "GET"),
    retry_stage: stage?.again === true,
    finish: graded,
    skip_stage: stage?.optional === true,
    restart_as_new: true,
    abandon: true
  }
  return everyDecision.filter((decision) => due[decision])
}

/** Intended, and never completed. */
function unknownExchanges(lines: RunLines): ReadonlyArray<Exchange> {
  const exchangesOf = (type: string) =>
    lines.flatMap(({ event }) =>
      event.type === type && event.exchange !== undefined ? [event.exchange] : []
    )
  const completed = new Set(exchangesOf("exchange.completed").map(({ id }) => id))
  return exchangesOf("exchange.intended").filter(({ id }) => !completed.has(id))
}
