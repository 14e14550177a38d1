/** A run at any point of its ledger: the service's own folds of its events up to that point, and the moves of its machine. */
import { type Counts, countsAfter } from "../../../machines/runCounts.ts"
import { noProgress, progressAfter, type RunProgress } from "../../../machines/runProgress.ts"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { statePath } from "../format/statePath.ts"
import type { Wait } from "../runs/Wait.ts"

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
  /** The wait that goes on, or went on last. */
  readonly lastWait: OpenWait | undefined
  readonly counts: Counts
  readonly context: RunMemory
}

/** What a run remembers beside its stages and its wait. */
interface RunMemory {
  /** How often the stage under way was begun; 0: none was. */
  readonly attempt: number
  /** The requests that were about to be sent and have no outcome, by the id of the exchange. */
  readonly open: Readonly<Record<string, string>>
  /** Requests of ours with an outcome, and calls of the partner. */
  readonly requests: number
  readonly calls: number
  /** Decisions that were applied after an interruption. */
  readonly decisions: number
}

const noContext: RunMemory = { attempt: 0, open: {}, requests: 0, calls: 0, decisions: 0 }

/** A wait that is open; `answers`: those of a question to an operator. */
interface OpenWait extends Wait {
  readonly answers: ReadonlyArray<string>
}

/** A run before its first event. */
export const nothing: RunAt = {
  sequence: 0,
  state: "queued",
  moves: {},
  progress: noProgress,
  waitingSince: "",
  lastWait: undefined,
  counts: {},
  context: noContext
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

/**
 * With the events of `batch`, which follow. Of more than `most` and a quarter only the newest `most` are kept: the page of a run
 * that never ends does not grow for ever.
 */
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
  const after = {
    ...at,
    sequence: event.sequence,
    state,
    moves: state === at.state ? at.moves : { ...at.moves, [move]: (at.moves[move] ?? 0) + 1 },
    progress: progressAfter(at.progress, event),
    waitingSince: at.progress.waitingFor === null ? event.occurredAt : at.waitingSince,
    counts: countsAfter(at.counts, event),
    context: contextAfter(at.context, event)
  }
  return { ...after, lastWait: waitAt(after) ?? at.lastWait }
}

function contextAfter(context: RunMemory, event: LedgerEvent): RunMemory {
  switch (event.type) {
    case "stage.started":
      return { ...context, attempt: event.data?.attempt ?? 1 }
    case "exchange.intended": {
      const { id, operation, request } = event.exchange
      const name = operation.startsWith(request.method) ? operation : `${request.method} ${operation}`
      return { ...context, open: { ...context.open, [id]: name } }
    }
    case "exchange.completed": {
      const { [event.exchange.id]: _, ...open } = context.open
      return { ...context, open, requests: context.requests + 1 }
    }
    case "inbound.received":
      return { ...context, calls: context.calls + 1 }
    case "recovery.applied":
      return { ...context, decisions: context.decisions + 1 }
    default:
      return context
  }
}

/**
 * What is awaited. A journey that is interrupted or goes on waits for nobody; the waits of a suite have steps, and go on beside
 * its work.
 */
export function waitAt({ progress, state, waitingSince }: RunAt): OpenWait | undefined {
  const { waitingFor, waits } = progress
  if (waitingFor === null || !(waits !== undefined || /^waiting\b/.test(state))) return undefined
  const { answers = [], expects, since = waitingSince, ...how } = waitingFor
  const request = expects === undefined ? undefined : `${expects.method} ${expects.url}`
  return { ...how, since, request, curl: expects?.curl, answers }
}
