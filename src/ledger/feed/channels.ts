/**
 * The viewers of this process by run, and what each of them has seen. All of it is synchronous: a viewer joins, and
 * lines are handed out, each within one tick, so no line falls between a page and what comes live.
 */
import type { RunId } from "../../../schema/Ids.ts"
import type { StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"
import { type Frames, framesOf } from "./frames.ts"
import { end, hand, type Viewer } from "./Viewer.ts"

/** `head`: last line that was handed out live. A viewer may be ahead of it by what it read in a page. */
interface Channel {
  readonly viewers: Set<Viewer>
  head: number
}

/** `behind`: the viewer must read pages from now on. `now`: monotonic nanoseconds. */
export const makeChannels = (now: () => bigint, behind: (viewer: Viewer) => void) => {
  const channels = new Map<RunId, Channel>()

  const leave = (viewer: Viewer): void => {
    const channel = channels.get(viewer.runId)
    viewer.live = false
    if (channel?.viewers.delete(viewer) && channel.viewers.size === 0) channels.delete(viewer.runId)
  }

  /** Hands over lines that follow its cursor. False: its reader is slow, or it has seen the terminal line. */
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

  /** One tick's lines of one run, oldest first: one Buffer for all who stand where they begin. */
  const broadcast = (runId: RunId, lines: ReadonlyArray<StoredLine>): void => {
    const channel = channels.get(runId)
    const fresh = lines.filter(({ sequence }) => sequence > (channel?.head ?? 0))
    const first = fresh[0]
    if (channel === undefined || first === undefined) return
    channel.head = fresh[fresh.length - 1]!.sequence
    const whole = fresh.every(({ sequence }, index) => sequence === first.sequence + index)
    // The same for everybody, so found out once.
    const over = isOver(fresh)
    let shared: Frames | undefined
    for (const viewer of channel.viewers) {
      if (!viewer.live || viewer.cursor >= channel.head) continue
      if (!whole || viewer.cursor + 1 < first.sequence) {
        // Wake-ups were lost; the lines themselves are in the ledger.
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
    /** Before its first page is read: what is committed meanwhile then moves the head that it must reach. */
    enter: (viewer: Viewer): void => {
      const channel = channels.get(viewer.runId) ?? { viewers: new Set<Viewer>(), head: 0 }
      channels.set(viewer.runId, channel)
      channel.viewers.add(viewer)
    },
    /** Live from now on, if it has seen all that was handed out live. */
    join: (viewer: Viewer): boolean => {
      viewer.live = viewer.cursor >= (channels.get(viewer.runId)?.head ?? Number.POSITIVE_INFINITY)
      return viewer.live
    },
    holds: (viewer: Viewer): boolean => channels.get(viewer.runId)?.viewers.has(viewer) === true,
    /** All who follow the same run with it since it entered; nobody when it has left. */
    companyOf: (viewer: Viewer): ReadonlySet<Viewer> => channels.get(viewer.runId)?.viewers ?? new Set(),
    isWatched: (runId: RunId): boolean => channels.has(runId),
    everyone: (): ReadonlyArray<Viewer> => [...channels.values()].flatMap(({ viewers }) => [...viewers]),
    /** Watched runs with the line from which somebody live waits. */
    awaited: (): ReadonlyArray<{ readonly runId: RunId; readonly after: number }> =>
      [...channels.entries()].flatMap(([runId, { viewers }]) => {
        const cursors = [...viewers].filter(({ live }) => live).map(({ cursor }) => cursor)
        return cursors.length === 0 ? [] : [{ runId, after: Math.min(...cursors) }]
      })
  }
}

const isOver = (lines: ReadonlyArray<StoredLine>) => isTerminalLine(lines[lines.length - 1]!.line)
