/** What the ledger of a run tells of its scripts: steps that were taken, and what is not cleaned up yet. Pure. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { isOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { ProbeRequest } from "../model/Probe.ts"

/** Rides as `data` on the intent of an exchange that a script makes. */
export interface StepMark {
  /** `probe#step`. */
  readonly step: string
  /** How the partner is brought back to neutral. */
  readonly undo?: ProbeRequest
  /** `probe#step` that this request cleans up after. */
  readonly undoes?: string
}

/** How far a step got, as the ledger has it. `lost`: sent, and nobody wrote down what came of it. */
export type StepState =
  | { readonly is: "untouched" }
  | { readonly is: "lost"; readonly exchange: Exchange }
  | { readonly is: "done"; readonly exchange: Exchange }

/** Something that the run may have left at the partner. */
export interface Leftover {
  readonly step: string
  readonly stageId: string
  readonly undo: ProbeRequest
  /** Requests that were made to clean it up. */
  readonly tries: number
}

/** A wait that was begun; `exchangeId` is the call that ended it. */
export interface WaitState {
  readonly deadline: string
  readonly ended: boolean
  readonly exchange?: Exchange
}

interface Attempt {
  readonly mark: StepMark
  readonly stageId: string
  readonly intent: Exchange
  readonly completed?: Exchange
}

/** Every exchange that a script made, oldest first. */
const attemptsIn = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<Attempt> => {
  const attempts = new Map<string, Attempt>()
  for (const event of events) {
    if (event.type === "exchange.intended" && typeof event.data?.step === "string") {
      const { data, exchange, stageId = "" } = event
      // What we wrote ourselves, in `Prober.write`.
      attempts.set(exchange.id, { mark: data as StepMark, stageId, intent: exchange })
    }
    if (event.type === "exchange.completed") {
      const attempt = attempts.get(event.exchange.id)
      if (attempt !== undefined) attempts.set(event.exchange.id, { ...attempt, completed: event.exchange })
    }
  }
  return [...attempts.values()]
}

export const stepIn = (events: ReadonlyArray<LedgerEvent>, step: string): StepState => {
  const tries = attemptsIn(events).filter(({ mark }) => mark.step === step)
  const done = tries.find(({ completed }) => completed !== undefined)?.completed
  if (done !== undefined) return { is: "done", exchange: done }
  const [first] = tries
  return first === undefined ? { is: "untouched" } : { is: "lost", exchange: first.intent }
}

/** What may still stand at the partner, the newest first. Of the script of a probe, or of the whole run. */
export const leftovers = (events: ReadonlyArray<LedgerEvent>, probe?: string): ReadonlyArray<Leftover> => {
  const attempts = attemptsIn(events)
  return attempts
    .flatMap(({ completed, mark, stageId }): ReadonlyArray<Leftover> => {
      const { step, undo } = mark
      if (undo === undefined || (completed !== undefined && !mayHaveWorked(completed))) return []
      if (probe !== undefined && !step.startsWith(`${probe}#`)) return []
      const cleaning = attempts.filter((one) => one.mark.undoes === step)
      return cleaning.some((one) => one.completed !== undefined && isGone(one.completed))
        ? []
        : [{ step, stageId, undo, tries: cleaning.filter((one) => one.mark.step === undoOf(step)).length }]
    })
    .filter(({ step }, index, all) => all.findIndex((one) => one.step === step) === index)
    .toReversed()
}

/** The step under which the clean-up of a step is written down. */
export const undoOf = (step: string): string => `${step}~undo`

export const waitIn = (events: ReadonlyArray<LedgerEvent>, step: string): WaitState | undefined => {
  const begun = events.filter(isOf("wait.started")).find(({ data }) => data.step === step)
  if (begun === undefined) return undefined
  const ended = events.filter(isOf("wait.satisfied", "wait.expired")).find(({ data }) => data?.step === step)
  const id = ended?.data?.exchangeId
  const found = events.filter(isOf("inbound.received")).find(({ exchange }) => exchange.id === id)
  return {
    deadline: begun.data.deadline,
    ended: ended !== undefined,
    ...(found === undefined ? {} : { exchange: found.exchange })
  }
}

/** HTTP 2xx, and no OCPI code that says otherwise. */
export const wasAccepted = ({ response }: Exchange): boolean =>
  response !== null &&
  response.httpStatus >= 200 &&
  response.httpStatus < 300 &&
  (response.ocpiStatusCode === null || response.ocpiStatusCode < 2000)

/** Cleaned up, or another step has done it before: there is nothing any more. */
const isGone = (exchange: Exchange): boolean =>
  wasAccepted(exchange) || (exchange.request.method === "DELETE" && exchange.response?.httpStatus === 404)

/** Accepted, or nobody knows: the answer is missing although the request went out, or the partner failed over it. */
function mayHaveWorked(exchange: Exchange): boolean {
  if (exchange.response === null) return exchange.outcome !== "blocked" && exchange.outcome !== "refused"
  return wasAccepted(exchange) || exchange.response.httpStatus >= 500
}
