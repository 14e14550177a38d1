/** The point of a run that is shown: the last event, or the one that the URL names as `seq`. */
import { useDeferredValue, useMemo, useRef } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { useKeys } from "../elements/useKeys.ts"
import { useView } from "../elements/useView.ts"
import { filterEvents, foldRun, isBad, nothing, type RunAt } from "./foldRun.ts"

export interface RunPoint {
  readonly events: ReadonlyArray<LedgerEvent>
  /** The events that the filters of the URL leave. */
  readonly shown: ReadonlyArray<LedgerEvent>
  /** The run after the event. */
  readonly at: RunAt
  /** Sequence of the first event that the page has, of the one that is shown, and of the last one; 0: there is none yet. */
  readonly first: number
  readonly point: number
  readonly last: number
  /** Undefined: the last event is shown, whichever that is. */
  readonly selected: number | undefined
  readonly select: (sequence: number | undefined) => void
}

/** `start`: where the run was before the first of the events. Also gives the page its keys: `j` and `k` step through the events, `f` and `F` through failures. */
export function useRunPoint(events: ReadonlyArray<LedgerEvent>, start: RunAt = nothing): RunPoint {
  const [view, change] = useView()
  const selected = view["seq"] === undefined ? undefined : Number(view["seq"])
  const last = events.at(-1)?.sequence ?? 0
  const point = useDeferredValue(Math.max(selected ?? last, start.sequence))
  const newest = useRef<{ readonly events: ReadonlyArray<LedgerEvent>; readonly at: RunAt }>(undefined)
  const at = useMemo(() => {
    const before = newest.current
    const goesOn = before !== undefined && before.events[0] === events[0] && before.at.sequence <= point
    const folded = foldRun(events, point, goesOn ? before.at : start)
    if (folded.sequence === last) newest.current = { events, at: folded }
    return folded
  }, [events, point, last, start])
  const shown = useMemo(
    () => filterEvents(events, { kind: view["kind"], stage: view["stage"], state: view["state"] }),
    [events, view["kind"], view["stage"], view["state"]]
  )
  const select = (sequence: number | undefined) =>
    change({ seq: sequence === undefined ? undefined : String(sequence) })
  const move = (by: 1 | -1) => {
    const index = shown.findIndex(({ sequence }) => sequence === selected)
    const goal = index < 0 ? shown.at(by === 1 ? 0 : -1) : shown[index + by]
    if (goal !== undefined) select(goal.sequence)
  }
  const moveToFailure = (by: 1 | -1) => {
    const bad = events.filter(isBad)
    const goal =
      by === 1
        ? (bad.find(({ sequence }) => sequence > (selected ?? 0)) ?? bad[0])
        : (bad.findLast(({ sequence }) => sequence < (selected ?? last + 1)) ?? bad.at(-1))
    if (goal !== undefined) select(goal.sequence)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    f: () => moveToFailure(1),
    F: () => moveToFailure(-1)
  })
  const first = events[0]?.sequence ?? 0
  return { events, first, shown, at, point, last, selected, select }
}
