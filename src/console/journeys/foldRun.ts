/** A run at any point of its ledger: the service's own folds of its events up to that point, and the moves of its machine. */
import { type Counts, countsAfter } from "../../../machines/runCounts.ts"
import { noProgress, progressAfter, type RunProgress } from "../../../machines/runProgress.ts"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { statePath } from "../format/statePath.ts"
import type { Wait } from "../format/Wait.ts"

/** Where a run was after an event. */
export interface RunAt {
  /** Of the last event; 0 before the first. */
  readonly sequence: number
  /** Id of the machine's state, e.g. `waiting.partner`. */
  readonly state: string
  /** How often an event led from one state to another, by `from>to event`. */
  readonly moves: Readonly<Record<string, number>>
  readonly progress: RunProgress
  /** When the wait of `progress` was written down. */
  readonly waitingSince: string
  readonly counts: Counts
}

/** A wait that is open; `answers`: those of a question to an operator. */
export interface OpenWait extends Wait {
  readonly answers: ReadonlyArray<string>
}

/** A run before its first event. */
export const nothing: RunAt = {
  sequence: 0,
  state: "queued",
  moves: {},
  progress: noProgress,
  waitingSince: "",
  counts: {}
}

/**
 * The run after the last event whose sequence is at most `upTo`. `from`: where it was after an earlier event, so that a run that
 * is followed is not folded anew with each; the events begin at the next one at the latest.
 */
export function foldRun(
  events: ReadonlyArray<LedgerEvent>,
  upTo = Number.POSITIVE_INFINITY,
  from: RunAt = nothing
): RunAt {
  let at = from
  // The sequences of a run have no gaps.
  const first = Math.max(0, at.sequence + 1 - (events[0]?.sequence ?? 1))
  for (let index = first; index < events.length; index++) {
    const event = events[index]!
    if (event.sequence > upTo) break
    at = next(at, event)
  }
  return at
}

/** The events of a run that a page keeps, and where the run was before the first of them. */
export interface Kept {
  readonly events: ReadonlyArray<LedgerEvent>
  readonly before: RunAt
}

/** With the events of `batch`, which follow. Of more than `most` and a quarter only the newest `most` are kept: the page of a run that never ends does not grow for ever. */
export function keepNewest({ before, events }: Kept, batch: ReadonlyArray<LedgerEvent>, most: number): Kept {
  const all = [...events, ...batch]
  if (all.length <= 1.25 * most) return { before, events: all }
  const gone = all.slice(0, all.length - most)
  return { before: foldRun(gone, Number.POSITIVE_INFINITY, before), events: all.slice(gone.length) }
}

/** The run after one more event. */
export function next(at: RunAt, event: LedgerEvent): RunAt {
  const state = event.machine === undefined ? at.state : statePath(event.machine)
  const move = `${at.state}>${state} ${event.type}`
  return {
    sequence: event.sequence,
    state,
    moves: state === at.state ? at.moves : { ...at.moves, [move]: (at.moves[move] ?? 0) + 1 },
    progress: progressAfter(at.progress, event),
    waitingSince: at.progress.waitingFor === null ? event.occurredAt : at.waitingSince,
    counts: countsAfter(at.counts, event)
  }
}

/** What is awaited. A journey that is interrupted or goes on waits for nobody; the waits of a suite have steps, and go on beside its work. */
export function waitAt({ progress, state, waitingSince }: RunAt): OpenWait | undefined {
  const { waitingFor, waits } = progress
  if (waitingFor === null || !(waits !== undefined || /^waiting\b/.test(state))) return undefined
  const { answers = [], expects, since = waitingSince, ...how } = waitingFor
  return { ...how, since, curl: expects?.curl, answers }
}

/**
 * What happened, as one line without its type. The switch is exhaustive: a new event type must be added here to compile. Of a
 * type that a later release wrote nothing is told.
 */
export function lineOf(event: LedgerEvent): string {
  switch (event.type) {
    case "exchange.intended":
    case "exchange.completed":
    case "inbound.received": {
      const { direction, outcome, request, response } = event.exchange
      const who = direction === "outbound" ? "plugfest" : "partner"
      const path = /^https?:\/\/[^/]+(\/.*)$/.exec(request.url)?.[1] ?? request.url
      const answer =
        event.type === "exchange.intended"
          ? "is about to be sent"
          : response === null
            ? outcome.replaceAll("_", " ")
            : `HTTP ${response.httpStatus}${response.ocpiStatusCode === null ? "" : `, ${response.ocpiStatusCode}`}`
      return `${who}: ${request.method} ${path} → ${answer}`
    }
    case "assertions.recorded": {
      const bad = event.assertions.find(({ outcome }) => outcome === "failed")
      return bad === undefined
        ? `${event.assertions.length} recorded: ${event.assertions[0]?.title ?? ""}`
        : `failed: ${bad.title}`
    }
    case "wait.started":
    case "checkpoint.requested":
      return event.data.instruction
    case "checkpoint.answered":
      return `answered: ${event.data.answer}`
    case "run.interrupted":
      return event.data.reason
    case "recovery.offered":
      return `offer ${event.data.version}: ${event.data.options.map(({ label }) => label).join(", ")}`
    case "recovery.applied":
      return `decided: ${event.data.decision}`
    case "stage.failed":
    case "stage.skipped":
    case "run.resumed":
    case "run.completed":
    case "run.cancelled":
    case "run.failed":
      return event.data?.reason ?? ""
    // The type and the stage, which stand beside it, say it all.
    case "run.created":
    case "run.started":
    case "stage.started":
    case "stage.completed":
    case "wait.satisfied":
    case "wait.expired":
    case "cancel.requested":
      return ""
    default:
      event satisfies never
      return ""
  }
}

/** Whether something went wrong with it. */
export const isBad = ({ assertions, type }: LedgerEvent): boolean =>
  type === "stage.failed" ||
  type === "run.interrupted" ||
  assertions.some(({ outcome }) => outcome === "failed")

/** What a filter of the ledger asks for: a group of types, by the word before the dot, and a stage or a state. */
export interface LedgerFilter {
  readonly kind?: string | undefined
  readonly stage?: string | undefined
  readonly state?: string | undefined
}

/** The events that the filter leaves. */
export const filterEvents = (
  events: ReadonlyArray<LedgerEvent>,
  { kind, stage, state }: LedgerFilter
): ReadonlyArray<LedgerEvent> =>
  kind === undefined && stage === undefined && state === undefined
    ? events
    : events.filter(
        (event) =>
          (kind === undefined || kindOf(event) === kind) &&
          (stage === undefined || event.stageId === stage) &&
          (state === undefined || (event.machine !== undefined && statePath(event.machine) === state))
      )

/** The kinds of events that the ledger can be filtered by. */
export const kinds = ["exchange", "assertions", "wait", "stage", "run"] as const

export function kindOf({ type }: LedgerEvent): (typeof kinds)[number] {
  const word = type.split(".")[0]
  if (word === "exchange" || word === "inbound") return "exchange"
  if (word === "assertions" || word === "stage") return word
  return word === "wait" || word === "checkpoint" ? "wait" : "run"
}
