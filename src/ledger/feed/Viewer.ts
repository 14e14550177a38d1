/**
 * One reader of one run: a cursor and a Node stream, never a queue. At the head it is handed the bytes that all
 * others get; behind the head (new, resumed or slow) it reads pages at its own pace and joins again.
 */
import type { RunId } from "../../../schema/Ids.ts"
import { FeedStream } from "./FeedStream.ts"
import type { Frames } from "./frames.ts"

export interface Viewer {
  readonly runId: RunId
  readonly stream: FeedStream
  /** Sequence of the last line that was handed over. */
  cursor: number
  /** At the head: gets what is committed as it comes. */
  live: boolean
  /** A fiber reads pages for it. */
  reading: boolean
  /** Since when its reader takes nothing, in monotonic nanoseconds; undefined while it does. */
  blockedSince: bigint | undefined
  ended: boolean
}

export interface ViewerEvents {
  /** The reader takes bytes again. */
  readonly wanted: (viewer: Viewer) => void
  /** The stream is over, whoever ended it. */
  readonly gone: (viewer: Viewer) => void
}

/** `highWaterMark`: bytes that may lie in the stream before the reader counts as slow. */
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

/** Hands frames over; false when the reader should be left alone for now. The clock is only asked then. */
export function hand(viewer: Viewer, frames: Frames, now: () => bigint): boolean {
  if (viewer.ended) return false
  const more = viewer.stream.hand(frames)
  if (!more) viewer.blockedSince ??= now()
  return more
}

/** Nothing more comes: what was handed over is still read to its end. */
export function end(viewer: Viewer): void {
  if (viewer.ended) return
  viewer.ended = true
  viewer.stream.finish()
}
