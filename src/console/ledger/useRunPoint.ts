/** The point of a run that is shown: the last event, the one that the URL names as `seq`, or the one that is being dragged to. */
import { useQuery } from "@tanstack/react-query"
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { machineQuery } from "../data/queries.ts"
import { edgeOfMove } from "../format/edgesTaken.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useView } from "../hooks/useView.ts"
import { isBad } from "./eventText.ts"
import { nothing, type RunAt } from "./foldRun.ts"
import { filterEvents } from "./ledgerFilter.ts"
import { newSnapshots, runAt } from "./runSnapshots.ts"

type RunMachine = "journeyRun" | "suiteRun"

export interface RunPoint {
  readonly machineId: RunMachine
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
  /** Shows the run after that event while it is dragged to; nothing of it stands in the URL until it is selected. */
  readonly drag: (sequence: number) => void
}

/**
 * `start`: where the run was before the first of the events. Also gives the page its keys: `j` and `k` step through the events,
 * `f` and `F` through failures.
 */
export function useRunPoint(
  machineId: RunMachine,
  events: ReadonlyArray<LedgerEvent>,
  start: RunAt = nothing
): RunPoint {
  const [view, change] = useView()
  const machine = useQuery(machineQuery(machineId)).data
  const [dragged, drag] = useState<number>()
  const chosen = view["seq"] === undefined ? undefined : Number(view["seq"])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL has what was dragged to, or another place
  useEffect(() => drag(undefined), [chosen])
  const selected = dragged ?? chosen
  const last = events.at(-1)?.sequence ?? 0
  const wanted = Math.max(selected ?? last, start.sequence)
  const deferred = useDeferredValue(wanted)
  // What was shown before there were events is no point of the run: it would be queued until the page has time.
  const point = deferred < (events[0]?.sequence ?? 0) ? wanted : deferred
  const snapshots = useMemo(() => newSnapshots(start), [start])
  const at = useMemo(() => runAt(snapshots, events, point), [snapshots, events, point])
  const { edge, kind, stage, state, type } = view
  const shown = useMemo(
    () =>
      filterEvents(events, { edge, kind, stage, state, type }, (move) =>
        machine === undefined ? undefined : edgeOfMove(machine, move)
      ),
    [events, edge, kind, stage, state, type, machine]
  )
  const select = useCallback(
    (sequence: number | undefined) => {
      change({ seq: sequence === undefined ? undefined : String(sequence) })
      if (sequence === chosen) drag(undefined)
    },
    [change, chosen]
  )
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
  return { machineId, events, first, shown, at, point, last, selected, select, drag }
}
