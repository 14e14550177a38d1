/** A run at any point of its ledger: a pure fold of its events up to that point. */
import type { Data, LedgerEvent } from "../../client/plugfest.ts"
import { statePath } from "../format/statePath.ts"
import type { Wait } from "../format/Wait.ts"

type Journey = Data<"journeyRuns.read">
type EventOf<Type extends LedgerEvent["type"]> = Extract<LedgerEvent, { readonly type: Type }>

/** Where a run was after an event. */
export interface RunAt {
  /** Of the last event; 0 before the first. */
  readonly sequence: number
  /** Id of the machine's state, e.g. `waiting.partner`. */
  readonly state: string
  /** Stages in order. */
  readonly stages: Journey["stages"]
  /** How often an event led from one state to another, by `from>to event`. */
  readonly moves: Readonly<Record<string, number>>
  /** What is awaited. */
  readonly waiting: OpenWait | undefined
  readonly passed: number
  readonly failed: number
  readonly warned: number
}

/** A wait that is open; `answers`: those of a question to an operator. */
export interface OpenWait extends Wait {
  readonly answers: ReadonlyArray<string>
}

/** A run before its first event. */
export const nothing: RunAt = {
  sequence: 0,
  state: "queued",
  stages: [],
  moves: {},
  waiting: undefined,
  passed: 0,
  failed: 0,
  warned: 0
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
  const count = (outcome: string) =>
    event.assertions.reduce((sum, each) => sum + (each.outcome === outcome ? 1 : 0), 0)
  return {
    sequence: event.sequence,
    state,
    stages: stagesAfter(at.stages, event),
    moves: state === at.state ? at.moves : { ...at.moves, [move]: (at.moves[move] ?? 0) + 1 },
    waiting: waitAfter(at.waiting, event),
    passed: at.passed + count("passed"),
    failed: at.failed + count("failed"),
    warned: at.warned + count("warned")
  }
}

const stageStates: Readonly<Partial<Record<LedgerEvent["type"], Journey["stages"][number]["state"]>>> = {
  "stage.started": "active",
  "wait.started": "waiting",
  "checkpoint.requested": "waiting",
  "wait.satisfied": "active",
  "wait.expired": "active",
  "checkpoint.answered": "active",
  "stage.completed": "completed",
  "stage.failed": "failed",
  "stage.skipped": "skipped"
}

function stagesAfter(stages: RunAt["stages"], event: LedgerEvent): RunAt["stages"] {
  if (event.type === "run.created") return event.data.stages.map((id) => ({ id, state: "pending" }))
  const state = stageStates[event.type]
  return state === undefined || event.stageId === undefined
    ? stages
    : stages.map((stage) => (stage.id === event.stageId ? { ...stage, state } : stage))
}

function waitAfter(waiting: OpenWait | undefined, event: LedgerEvent): OpenWait | undefined {
  switch (event.type) {
    case "wait.started":
      return waitOf(event, event.data.party, [], event.data.nearMisses ?? [], event.data.since)
    case "checkpoint.requested":
      return waitOf(event, "operator", event.data.answers, [], undefined)
    case "inbound.received": {
      const miss = event.data?.nearMiss
      return waiting === undefined || miss === undefined
        ? waiting
        : { ...waiting, nearMisses: [...waiting.nearMisses, miss] }
    }
    case "wait.satisfied":
    case "wait.expired":
    case "checkpoint.answered":
    case "stage.completed":
    case "stage.failed":
    case "run.completed":
    case "run.cancelled":
    case "run.failed":
      return undefined
    default:
      return waiting
  }
}

const waitOf = (
  { data, occurredAt }: EventOf<"wait.started"> | EventOf<"checkpoint.requested">,
  party: string,
  answers: ReadonlyArray<string>,
  nearMisses: ReadonlyArray<string>,
  since: string | undefined
): OpenWait => ({
  party,
  instruction: data.instruction,
  since: since ?? occurredAt,
  deadline: data.deadline,
  curl: data.expects?.curl,
  answers,
  nearMisses
})

/** What happened, as one line without its type. */
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
    default:
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
