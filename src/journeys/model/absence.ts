/**
 * When nobody worked on a run. What the partner sent then may have found nobody at home, so it is not to be blamed for
 * what did not arrive. All of it follows from the ledger: the order of its lines, not anybody's clock, decides.
 */
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { intentSequence, type RunHistory } from "./RunHistory.ts"

/** `from`: the last line before; `to`: the line with which somebody took the run up again. ISO 8601 UTC. */
export interface Absence {
  readonly from: string
  readonly to: string
  /** Sequence of the line with which it ended. */
  readonly sequence: number
}

/** The latest time without a worker, or in which a call was turned away; undefined when there was none. */
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

/** When we did not serve a call while the run waited: one of its partner, or one of which nobody knows whose it was. */
const turnedAwayIn = (event: LedgerEvent) =>
  event.type === "wait.expired" ? event.data?.turnedAwayAt : undefined

/** Lost and found; or given back in an orderly way and taken up without a decision. Either way we were not there. */
const isTakeOver = (event: LedgerEvent) =>
  event.type === "run.interrupted" || (event.type === "run.resumed" && event.data?.decision === undefined)

/**
 * The latest absence since that stage sent its request: whatever the request set off may have been said to nobody.
 * undefined: there was none, or nothing was sent.
 */
export function awaySince(history: RunHistory, stageId: string): Absence | undefined {
  const sent = intentSequence(history, stageId)
  const absence = lastAbsence(history.events)
  return sent !== undefined && absence !== undefined && absence.sequence > sent ? absence : undefined
}

/** The latest absence since what the stage hears of was set off. */
export function stageAway(
  history: RunHistory,
  { setOffBy }: { readonly setOffBy?: (history: RunHistory) => string }
): Absence | undefined {
  return setOffBy === undefined ? undefined : awaySince(history, setOffBy(history))
}

/** A call turned away in the wait of a stage that nothing of ours sets off, where the wait ended without what it was for. */
export function waitBroken({ events }: RunHistory, stageId: string): Absence | undefined {
  const last = events.findLast((event) => event.stageId === stageId && event.type.startsWith("wait."))
  const at = last === undefined ? undefined : turnedAwayIn(last)
  return last === undefined || at === undefined ? undefined : { from: at, to: at, sequence: last.sequence }
}

/** For assertions about messages that we may have missed. */
export const awayReason = ({ from, to }: Absence): string =>
  from === to
    ? `We could not serve a call that came at ${from}, and the partner may have sent it then`
    : `We were away at some time between ${from} and ${to}, and the partner may have sent it then`
