/**
 * Absences: times in which no process worked on a run. The partner is not blamed for messages that may have been lost
 * then. Computed from the ledger: the order of its lines decides, no clock does.
 */
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { intentSequence, lastOfWaits, type RunHistory } from "./RunHistory.ts"

/**
 * A time without a worker. `from`: time of the last line before it; `to`: time of the line with which a process resumed
 * the run. ISO 8601 UTC.
 */
interface Absence {
  readonly from: string
  readonly to: string
  /** Sequence of the line that ended it. */
  readonly sequence: number
}

/** The latest absence, or refused call; undefined when there was none. */
export function lastAbsence(events: ReadonlyArray<LedgerEvent>): Absence | undefined {
  const at = events.findLastIndex((event) => isTakeOver(event) || turnedAwayIn(event) !== undefined)
  const end = events[at]
  if (end === undefined) return undefined
  const turnedAway = turnedAwayIn(end)
  return {
    from: turnedAway ?? (events[at - 1] ?? end).occurredAt,
    to: turnedAway ?? end.occurredAt,
    sequence: end.sequence
  }
}

/** When we failed to serve a call while the run waited: a call of its partner, or of an unknown caller. */
const turnedAwayIn = (event: LedgerEvent) =>
  event.type === "wait.expired" ? event.data?.turnedAwayAt : undefined

/** The run was interrupted, or given back and resumed without a decision: either way no process was there. */
const isTakeOver = (event: LedgerEvent) =>
  event.type === "run.interrupted" || (event.type === "run.resumed" && event.data?.decision === undefined)

/**
 * The latest absence since that stage sent its request: messages that the request triggered may be lost. Undefined: there
 * was none, or nothing was sent.
 */
export function awaySince(history: RunHistory, stageId: string): Absence | undefined {
  const sent = intentSequence(history, stageId)
  const absence = lastAbsence(history.events)
  return sent !== undefined && absence !== undefined && absence.sequence > sent ? absence : undefined
}

/** The latest absence since the request that triggers what the stage awaits. */
export function stageAway(
  history: RunHistory,
  { setOffBy }: { readonly setOffBy?: (history: RunHistory) => string }
): Absence | undefined {
  return setOffBy === undefined ? undefined : awaySince(history, setOffBy(history))
}

/** A refused call in an expired wait of a stage that no request of ours triggers. */
export function waitBroken(history: RunHistory, stageId: string): Absence | undefined {
  const last = lastOfWaits(history, stageId)
  const at = last === undefined ? undefined : turnedAwayIn(last)
  return last === undefined || at === undefined ? undefined : { from: at, to: at, sequence: last.sequence }
}

/** The reason of `unobservable`, for messages that we may have missed. */
export const awayReason = ({ from, to }: Absence): string =>
  from === to
    ? `plugfest could not serve a call at ${from}, or had lost a process by then, and the awaited message may have been lost so`
    : `plugfest did not work on the run at some time between ${from} and ${to}, and the partner may have sent the awaited message then`
