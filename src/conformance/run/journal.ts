/** What the ledger of a run says about its scripts: which steps were taken, and what is not cleaned up yet. Pure. */
import type { Exchange, ExchangeResponse } from "../../../schema/Exchange.ts"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { numberIn } from "../../findings/answers.ts"
import { isObject } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import type { StepState } from "../../runs/durableStep.ts"
import type { ProbeRequest } from "../model/Probe.ts"

/** The `data` of an `exchange.intended` event that belongs to a script. */
export interface StepMark {
  /** `probe#step`. */
  readonly step: string
  /** The request that undoes this step at the partner. */
  readonly undo?: ProbeRequest
  /** `probe#step` that this request undoes. */
  readonly undoes?: string
}

/** A step that may have left something at the partner. */
interface Leftover {
  readonly step: string
  readonly stageId: string
  readonly undo: ProbeRequest
  /** How many clean-up requests were made for it. */
  readonly tries: number
}

/** A wait that was begun; `exchange` is the call that ended it. */
interface WaitState {
  readonly deadline: string
  readonly ended: boolean
  /** Why the wait is shorter than a partner may ask for. */
  readonly shortBecause?: string
  readonly exchange?: Exchange
  /** The failed attempts after which nothing better was awaited. */
  readonly nearMisses?: ReadonlyArray<string>
}

/** A wait for which nothing came. */
export interface Silence {
  /** `probe#step`. */
  readonly step: string
  /** How long it lasted. */
  readonly seconds: number
  /** Was it as long as the partner may take? */
  readonly isFull: boolean
}

interface Attempt {
  readonly mark: StepMark
  readonly stageId: string
  readonly intent: Exchange
  readonly completed?: Exchange
}

/** Every exchange of a script, oldest first. */
const attemptsIn = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<Attempt> => {
  const attempts = new Map<string, Attempt>()
  for (const event of events) {
    if (event.type === "exchange.intended" && typeof event.data?.step === "string") {
      const { exchange, stageId = "" } = event
      const { step, undo, undoes } = event.data
      const mark = {
        step,
        ...(isRequest(undo) ? { undo } : {}),
        ...(undoes === undefined ? {} : { undoes })
      }
      attempts.set(exchange.id, { mark, stageId, intent: exchange })
    }
    if (event.type === "exchange.completed") {
      const attempt = attempts.get(event.exchange.id)
      if (attempt !== undefined) attempts.set(event.exchange.id, { ...attempt, completed: event.exchange })
    }
  }
  return [...attempts.values()]
}

/** Is it what `Prober.write` has recorded as the request that undoes a step? */
const isRequest = (undo: unknown): undo is ProbeRequest =>
  isObject(undo) &&
  typeof undo["module"] === "string" &&
  typeof undo["operation"] === "string" &&
  (undo["interfaceRole"] === "SENDER" || undo["interfaceRole"] === "RECEIVER")

/** The state of the step `probe#step`. */
export const stepIn = (events: ReadonlyArray<LedgerEvent>, step: string): StepState => {
  const last = attemptsIn(events).findLast(({ mark }) => mark.step === step)
  if (last === undefined) return { is: "untouched" }
  return last.completed === undefined
    ? { is: "lost", intent: last.intent }
    : { is: "done", completion: last.completed }
}

/** The answers to the steps of scripts, each by its last request. */
export const stepAnswers = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<Exchange> => {
  const attempts = attemptsIn(events)
  return attempts.flatMap(({ completed, mark }, index) =>
    completed === undefined || attempts.some((later, at) => at > index && later.mark.step === mark.step)
      ? []
      : [completed]
  )
}

/** What may be left at the partner, newest first: by one probe's script, or by the whole run. */
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

/** The step id under which the clean-up of a step is recorded. */
export const undoOf = (step: string): string => `${step}~undo`

/** The wait of the step `probe#step`; undefined if it was not begun. `deadline` is ISO 8601 UTC. */
export const waitIn = (events: ReadonlyArray<LedgerEvent>, step: string): WaitState | undefined => {
  const begun = events.filter(isEventOf("wait.started")).find(({ data }) => data.step === step)
  if (begun === undefined) return undefined
  const ended = events
    .filter(isEventOf("wait.satisfied", "wait.expired"))
    .find(({ data }) => data?.step === step)
  const id = ended?.data?.exchangeId
  const misses = ended?.type === "wait.expired" ? ended.data?.nearMisses : undefined
  const found = events.filter(isEventOf("inbound.received")).find(({ exchange }) => exchange.id === id)
  return {
    deadline: begun.data.deadline,
    ended: ended !== undefined,
    ...(begun.data.shortBecause === undefined ? {} : { shortBecause: begun.data.shortBecause }),
    ...(found === undefined ? {} : { exchange: found.exchange }),
    ...(misses === undefined ? {} : { nearMisses: misses })
  }
}

/** Waits of one kind that ended in a row without the awaited call, the last ones of the run. */
export const silencesIn = (events: ReadonlyArray<LedgerEvent>, kind: string): ReadonlyArray<Silence> => {
  const begun = new Map<string, { readonly since: string; readonly isFull: boolean }>()
  let silences: ReadonlyArray<Silence> = []
  for (const event of events) {
    if (event.type === "wait.started" && event.data.kind === kind && event.data.step !== undefined)
      begun.set(event.data.step, {
        since: event.occurredAt,
        isFull: event.data.shortBecause === undefined
      })
    if (event.type !== "wait.satisfied" && event.type !== "wait.expired") continue
    const step = event.data?.step ?? ""
    const wait = begun.get(step)
    if (wait === undefined) continue
    if (event.type === "wait.satisfied") silences = []
    // A call that we did not serve may have been the awaited one, and one that we refused is none of silence.
    else if (event.data?.turnedAwayAt === undefined && event.data?.nearMisses === undefined)
      silences = [
        ...silences,
        {
          step,
          seconds: (Date.parse(event.occurredAt) - Date.parse(wait.since)) / 1000,
          isFull: wait.isFull
        }
      ]
  }
  return silences
}

/** HTTP 2xx, and no OCPI status code of 2000 or more. */
export const wasAccepted = ({ response }: Exchange): boolean =>
  response !== null && response.httpStatus >= 200 && response.httpStatus < 300 && !(codeIn(response) >= 2000)

/** Stored runs have exchanges of which a code that was written as a text was not recorded. */
function codeIn({ body, ocpiStatusCode }: ExchangeResponse): number {
  if (ocpiStatusCode !== null) return ocpiStatusCode
  const json = parseJson(body ?? "")
  return isObject(json) ? numberIn(json["status_code"]) : Number.NaN
}

/** The clean-up succeeded, or the object was gone already (404 to a DELETE). */
const isGone = (exchange: Exchange): boolean =>
  wasAccepted(exchange) || (exchange.request.method === "DELETE" && exchange.response?.httpStatus === 404)

/** The request was accepted, or its effect is unknown: it got no answer although it was sent, or HTTP 5xx. */
function mayHaveWorked(exchange: Exchange): boolean {
  if (exchange.response === null) return exchange.outcome !== "blocked" && exchange.outcome !== "refused"
  return wasAccepted(exchange) || exchange.response.httpStatus >= 500
}
