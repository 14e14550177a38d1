/** What the ledger of a run tells of its scripts: steps that were taken, and what is not cleaned up yet. Pure. */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
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
  for (const { data, exchange, stageId = "", type } of events) {
    if (exchange === undefined) continue
    if (type === "exchange.intended" && typeof data?.["step"] === "string")
      // What we wrote ourselves, in `Prober.write`.
      attempts.set(exchange.id, { mark: data as unknown as StepMark, stageId, intent: exchange })
    const attempt = attempts.get(exchange.id)
    if (type === "exchange.completed" && attempt !== undefined)
      attempts.set(exchange.id, { ...attempt, completed: exchange })
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
  const about = events.filter(({ data }) => data?.["step"] === step)
  const begun = about.find(({ type }) => type === "wait.started")
  if (begun === undefined) return undefined
  const ended = about.find(({ type }) => type === "wait.satisfied" || type === "wait.expired")
  const id = ended?.data?.["exchangeId"]
  const exchange = events.find(
    (event) => event.type === "inbound.received" && event.exchange?.id === id
  )?.exchange
  return {
    deadline: String(begun.data?.["deadline"]),
    ended: ended !== undefined,
    ...(exchange === undefined || id === undefined ? {} : { exchange })
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
