/**
 * Feeds of runs: replay and live events in one code path. The commits of a tick become one Buffer per run for
 * all viewers at the head; other viewers read pages after their cursor and then join.
 */
import type { Readable } from "node:stream"
import { Context, Effect, FiberSet, Layer, type Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { traced } from "../../telemetry/traced.ts"
import { Ledger } from "../Ledger.ts"
import { RunLogs } from "../run/RunLog.ts"
import { makeChannels } from "./channels.ts"
import { every } from "./every.ts"
import { makeFollowers } from "./follow.ts"
import { encode, farewell, greeting, heartbeat } from "./frames.ts"
import { hearCommits } from "./hearCommits.ts"
import { makePageReader } from "./pages.ts"
import { end, hand, makeViewer, type Viewer } from "./Viewer.ts"
import { makeWaits } from "./waits.ts"

const hello = encode(greeting)
const goodbye = encode(farewell)
const comment = encode(heartbeat)

/** Timing and sizes of feeds. */
export interface FeedOptions {
  /** Interval of heartbeat comments; default 15. */
  readonly heartbeatSeconds?: number
  /** A reader that takes nothing for this time is disconnected and can resume. Default 30. */
  readonly stalledSeconds?: number
  /** Interval at which the ledger is polled for lines of other processes. Default 1. */
  readonly pollSeconds?: number
  /** Most lines in a page, for a viewer behind the head. Default 500. */
  readonly pageSize?: number
  /**
   * A page ends with the line that reaches this size: so much is held for a reader that takes nothing. Default 64 KiB.
   */
  readonly pageBytes?: number
  /** Bytes that may wait in a viewer's stream before it counts as slow. Default 64 KiB. */
  readonly highWaterMark?: number
}

/** The events of runs, for whoever follows one inside the service, and for readers of server-sent events. */
export class Feed extends Context.Tag("ledger/Feed")<
  Feed,
  {
    /**
     * The run's events after the sequence `after`, oldest first, then each one that any process commits, up to and
     * including the terminal one; empty when `after` is the terminal one. It waits for a database that is away and never
     * fails. Laws, whatever is committed meanwhile: sequences are `after + 1`, `after + 2`, … without gap or repetition;
     * following to some event and then from its sequence gives the same as following once. The caller has checked that
     * the run exists and that `after` is not beyond its head.
     */
    readonly follow: (runId: RunId, after: number) => Stream.Stream<LedgerEvent>
    /**
     * `follow` as server-sent events for one of thousands of readers, one frame per event: readers at the head share the
     * encoded frame of the next event. There are heartbeat comments, and a last comment when the service drains. The caller
     * destroys the stream when its reader leaves.
     */
    readonly serve: (runId: RunId, after: number) => Effect.Effect<Readable>
    /**
     * Completes when the run has, or may have, a line after the sequence `after`, at a fraction of the cost of `follow`: for
     * a long poll, which needs no event and looks at the run again. After the terminal line there is nothing to wait for.
     */
    readonly next: (runId: RunId, after: number) => Effect.Effect<void>
    /** The number of viewers. */
    readonly count: Effect.Effect<number>
    /** Ends all streams with a last comment, and every later one at once. For the shutdown. */
    readonly drain: Effect.Effect<void>
  }
>() {
  static readonly layer = (options: FeedOptions = {}): Layer.Layer<Feed, never, Ledger | RunLogs> =>
    Layer.scoped(Feed, makeFeed(options))
}

const makeFeed = Effect.fnUntraced(function* (options: FeedOptions) {
  const { heartbeatSeconds = 15, pollSeconds = 1, stalledSeconds = 30 } = options
  const { highWaterMark = 65536, pageBytes = 65_536, pageSize = 500 } = options
  const ledger = yield* Ledger
  const runLogs = yield* RunLogs
  const clock = yield* Effect.clock
  const now = () => clock.unsafeCurrentTimeNanos()
  const fork = yield* FiberSet.makeRuntime<never>()
  const channels = makeChannels(now, (viewer) => pages.readOn(viewer))
  const pages = makePageReader(ledger, channels, fork, { pageBytes, pageSize })
  let draining = false

  const dismiss = (viewer: Viewer) => {
    channels.leave(viewer)
    hand(viewer, goodbye, now)
    end(viewer)
  }

  const serve = traced("Feed.serve")((runId: RunId, after: number) =>
    Effect.sync(() => {
      const viewer = makeViewer(runId, after, highWaterMark, {
        wanted: (slow) => {
          if (!slow.live) pages.readOn(slow)
        },
        gone: channels.leave
      })
      hand(viewer, hello, now)
      if (draining) dismiss(viewer)
      else {
        channels.enter(viewer)
        if (after === 0) pages.readOn(viewer)
        else fork(pages.endIfOver(viewer))
      }
      return viewer.stream
    })
  )

  const drain = Effect.sync(() => {
    draining = true
    for (const viewer of channels.everyone()) dismiss(viewer)
  })

  const waits = makeWaits(runLogs, ledger, 2 * pollSeconds)
  const followers = makeFollowers(ledger, { isLast: pages.isLast, pageBytes, pageSize })

  const beat = Effect.sync(() => {
    for (const viewer of channels.everyone()) {
      if (viewer.blockedSince === undefined) hand(viewer, comment, now)
    }
  })

  const stalled = BigInt(Math.round(stalledSeconds * 1e9))
  const closeStalled = Effect.sync(() => {
    for (const { blockedSince, stream } of channels.everyone()) {
      if (blockedSince !== undefined && now() - blockedSince >= stalled) stream.destroy()
    }
  })

  yield* hearCommits({ ledger, runLogs, channels, waits, followers, pollSeconds, pageSize })
  yield* every(heartbeatSeconds, beat)
  yield* every(stalledSeconds / 6, closeStalled)
  yield* Effect.addFinalizer(() => drain)

  return Feed.of({
    follow: followers.follow,
    serve,
    next: waits.next,
    drain,
    count: Effect.sync(() => channels.everyone().length)
  })
})
