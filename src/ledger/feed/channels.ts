/**
 * The viewers of this process by run, and the cursor of each. Everything is synchronous: a viewer joins, and lines are
 * handed out, each within one tick, so no line is lost between a page and live lines.
 */
import type { RunId } from "../../../schema/Ids.ts"
import type { StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"
import { type Frames, framesOf } from "./frames.ts"
import { end, hand, type Viewer } from "./Viewer.ts"

/** `head`: sequence of the last line handed out live. A viewer that has read a page may be ahead of it. */
interface Channel {
  readonly viewers: Set<Viewer>
  head: number
}

/** `behind` is called for a viewer that must read pages from now on. `now`: monotonic nanoseconds. */
export const makeChannels = (now: () => bigint, behind: (viewer: Viewer) => void) => {
  const channels = new Map<RunId, Channel>()

  const leave = (viewer: Viewer): void => {
    const channel = channels.get(viewer.runId)
    viewer.live = false
    if (channel?.viewers.delete(viewer) && channel.viewers.size === 0) channels.delete(viewer.runId)
  }

  /** Hands over the lines after the viewer's cursor. False: its reader is slow, or it got the terminal line. */
  const deliver = (
    viewer: Viewer,
    lines: ReadonlyArray<StoredLine>,
    frames: Frames,
    over = isOver(lines)
  ): boolean => {
    const last = lines[lines.length - 1]!
    const more = hand(viewer, frames, now)
    viewer.cursor = last.sequence
    if (!over) return more
    leave(viewer)
    end(viewer)
    return false
  }

  /** Hands out one tick's lines of one run, oldest first, as one Buffer for all viewers at their start. */
  const broadcast = (runId: RunId, lines: ReadonlyArray<StoredLine>): void => {
    const channel = channels.get(runId)
    const fresh = lines.filter(({ sequence }) => sequence > (channel?.head ?? 0))
    const first = fresh[0]
    if (channel === undefined || first === undefined) return
    channel.head = fresh[fresh.length - 1]!.sequence
    const whole = fresh.every(({ sequence }, index) => sequence === first.sequence + index)
    // The same for all viewers, so computed once.
    const over = isOver(fresh)
    let shared: Frames | undefined
    for (const viewer of channel.viewers) {
      if (!viewer.live || viewer.cursor >= channel.head) continue
      if (!whole || viewer.cursor + 1 < first.sequence) {
        // Notifications were lost; the lines are in the ledger.
        viewer.live = false
        behind(viewer)
      } else if (viewer.cursor + 1 === first.sequence) {
        shared ??= framesOf(fresh)
        viewer.live = deliver(viewer, fresh, shared, over)
      } else {
        const rest = fresh.slice(viewer.cursor + 1 - first.sequence)
        viewer.live = deliver(viewer, rest, framesOf(rest))
      }
    }
  }

  return {
    leave,
    deliver,
    broadcast,
    /**
     * Must be called before the viewer's first page is read: lines committed after it advance the head that the viewer
     * must reach.
     */
    enter: (viewer: Viewer): void => {
      const channel = channels.get(viewer.runId) ?? { viewers: new Set<Viewer>(), head: 0 }
      channels.set(viewer.runId, channel)
      channel.viewers.add(viewer)
    },
    /** Makes the viewer live if it has every line that was handed out live. */
    join: (viewer: Viewer): boolean => {
      viewer.live = viewer.cursor >= (channels.get(viewer.runId)?.head ?? Number.POSITIVE_INFINITY)
      return viewer.live
    },
    holds: (viewer: Viewer): boolean => channels.get(viewer.runId)?.viewers.has(viewer) === true,
    /** The viewers of the same run, this one included; empty when it has left. */
    companyOf: (viewer: Viewer): ReadonlySet<Viewer> => channels.get(viewer.runId)?.viewers ?? new Set(),
    isWatched: (runId: RunId): boolean => channels.has(runId),
    everyone: (): ReadonlyArray<Viewer> => [...channels.values()].flatMap(({ viewers }) => [...viewers]),
    /** Runs with live viewers, and the lowest cursor among them. */
    awaited: (): ReadonlyArray<{ readonly runId: RunId; readonly after: number }> =>
      [...channels.entries()].flatMap(([runId, { viewers }]) => {
        const cursors = [...viewers].filter(({ live }) => live).map(({ cursor }) => cursor)
        return cursors.length === 0 ? [] : [{ runId, after: Math.min(...cursors) }]
      })
  }
}

const isOver = (lines: ReadonlyArray<StoredLine>) => isTerminalLine(lines[lines.length - 1]!.line)

/** What `makeChannels` makes. */
export type Channels = ReturnType<typeof makeChannels>
