/**
 * One reader of one run: a cursor and a Node stream, without a queue. At the head it gets the bytes that all others get;
 * behind the head (new, resumed or slow) it reads pages at its own pace and joins again.
 */
import type { RunId } from "../../../schema/Ids.ts"
import { FeedStream } from "./FeedStream.ts"
import type { Frames } from "./frames.ts"

/** The state of one reader. */
export interface Viewer {
  readonly runId: RunId
  readonly stream: FeedStream
  /** Sequence of the last line handed over. */
  cursor: number
  /** At the head: gets lines as they are committed. */
  live: boolean
  /** A fiber is reading pages for it. */
  reading: boolean
  /** Since when its reader takes nothing, in nanoseconds of the monotonic clock; undefined while it takes bytes. */
  blockedSince: bigint | undefined
  ended: boolean
}

/** Called when the state of a viewer's reader changes. */
interface ViewerEvents {
  /** The reader takes bytes again. */
  readonly wanted: (viewer: Viewer) => void
  /** The stream has ended, from either side. */
  readonly gone: (viewer: Viewer) => void
}

/**
 * A viewer at the cursor `after`. `highWaterMark`: bytes that may wait in the stream before the reader counts as slow.
 */
export function makeViewer(
  runId: RunId,
  after: number,
  highWaterMark: number,
  { gone, wanted }: ViewerEvents
): Viewer {
  const stream = new FeedStream(highWaterMark, {
    wanted: () => {
      if (viewer.blockedSince === undefined) return
      viewer.blockedSince = undefined
      wanted(viewer)
    },
    gone: () => {
      viewer.ended = true
      gone(viewer)
    }
  })
  const viewer: Viewer = {
    runId,
    stream,
    cursor: after,
    live: false,
    reading: false,
    blockedSince: undefined,
    ended: false
  }
  return viewer
}

/** Hands frames over; false when the reader is slow and should get no more for now. Calls `now` only then. */
export function hand(viewer: Viewer, frames: Frames, now: () => bigint): boolean {
  if (viewer.ended) return false
  const more = viewer.stream.hand(frames)
  if (!more) viewer.blockedSince ??= now()
  return more
}

/** Ends the stream after the bytes that were handed over. */
export function end(viewer: Viewer): void {
  if (viewer.ended) return
  viewer.ended = true
  viewer.stream.finish()
}
