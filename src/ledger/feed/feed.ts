/**
 * Feeds of runs: replay and live events in one code path. The commits of a tick become one Buffer per run for
 * all viewers at the head; other viewers read pages after their cursor and then join.
 */
import type { Readable } from "node:stream"
import { Chunk, Context, Effect, FiberSet, Layer, Queue, Schedule, type Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { untilBack } from "../../database/retry.ts"
import { traced } from "../../telemetry/traced.ts"
import { type Commit, Ledger, type StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"
import { RunLogs } from "../run/RunLog.ts"
import { makeChannels } from "./channels.ts"
import { makeFollowers } from "./follow.ts"
import { encode, farewell, greeting, heartbeat } from "./frames.ts"
import { makeSharedPages, type Page } from "./sharedPages.ts"
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
  const channels = makeChannels(now, (viewer) => readOn(viewer))
  let draining = false

  /**
   * A page for a viewer. While the database or the archive is away it is tried again for as long as the viewer is connected;
   * undefined when the viewer has disconnected. When the archived object is damaged, the stream is closed: the viewer's next
   * request is answered with the reason.
   */
  const linesFor = (viewer: Viewer, after: number, limit: number) =>
    Effect.retry(ledger.page(viewer.runId, after, limit, { maxBytes: pageBytes }), {
      schedule: untilBack,
      while: ({ _tag }) => _tag !== "ArchiveDamaged" && channels.holds(viewer)
    }).pipe(
      Effect.tapErrorTag("ArchiveDamaged", () => Effect.sync(() => viewer.stream.destroy())),
      Effect.orElseSucceed(() => undefined)
    )

  /** Did the page reach the end of the run when it was read? */
  const isLast = (lines: ReadonlyArray<StoredLine>) =>
    lines.length < pageSize &&
    lines.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), 0) < pageBytes

  const pageFor = makeSharedPages((viewer) => linesFor(viewer, viewer.cursor, pageSize), isLast, fork)

  /** Hands over one page; true: read another one. Clears `reading` in the same tick in which it decides to stop. */
  const takePage = (viewer: Viewer, page: Page | undefined): boolean => {
    const goOn =
      channels.holds(viewer) &&
      (page === undefined ||
        ((page.frames === undefined || channels.deliver(viewer, page.lines, page.frames)) &&
          !(isLast(page.lines) && channels.join(viewer))))
    viewer.reading = goOn
    return goOn
  }

  const readOn = (viewer: Viewer): void => {
    if (viewer.reading || !channels.holds(viewer)) return
    viewer.reading = true
    fork(
      Effect.repeat(
        Effect.map(
          Effect.suspend(() => pageFor(viewer, channels.companyOf(viewer))),
          (page) => takePage(viewer, page)
        ),
        { while: (goOn) => goOn }
      ).pipe(Effect.tapDefect(() => Effect.sync(() => viewer.stream.destroy())))
    )
  }

  /** Ends a viewer that resumed at the terminal line, after which there is nothing. */
  const endIfOver = (viewer: Viewer) =>
    Effect.map(linesFor(viewer, viewer.cursor - 1, 1), (lines) => {
      const at = lines?.[0]
      if (at === undefined || !isTerminalLine(at.line)) return readOn(viewer)
      channels.leave(viewer)
      end(viewer)
    })

  const dismiss = (viewer: Viewer) => {
    channels.leave(viewer)
    hand(viewer, goodbye, now)
    end(viewer)
  }

  const serve = traced("Feed.serve")((runId: RunId, after: number) =>
    Effect.sync(() => {
      const viewer = makeViewer(runId, after, highWaterMark, {
        wanted: (slow) => {
          if (!slow.live) readOn(slow)
        },
        gone: channels.leave
      })
      hand(viewer, hello, now)
      if (draining) dismiss(viewer)
      else {
        channels.enter(viewer)
        if (after === 0) readOn(viewer)
        else fork(endIfOver(viewer))
      }
      return viewer.stream
    })
  )

  const drain = Effect.sync(() => {
    draining = true
    for (const viewer of channels.everyone()) dismiss(viewer)
  })

  const waits = makeWaits(runLogs, ledger, 2 * pollSeconds)
  const followers = makeFollowers(ledger, { isLast, pageBytes, pageSize })

  const deliverTick = (tick: Iterable<Commit>) => {
    const byRun = new Map<RunId, Array<StoredLine>>()
    for (const { lines, runId } of tick) {
      waits.wake(runId)
      followers.publish(runId, lines)
      if (!channels.isWatched(runId)) continue
      const known = byRun.get(runId)
      if (known === undefined) byRun.set(runId, [...lines])
      else known.push(...lines)
    }
    for (const [runId, lines] of byRun) channels.broadcast(runId, lines)
  }

  /**
   * Reads lines that other processes may have written to followed runs; `which`: only to these. Every tenth look also finds those of a
   * run that has ended and was archived since the look before.
   */
  let looks = 0
  const look = (which?: ReadonlySet<RunId>) => {
    looks += 1
    const isOpen = looks % 10 !== 0
    return Effect.forEach(
      channels.awaited().filter(({ after, runId }) => {
        if (which !== undefined && !which.has(runId)) return false
        const live = runLogs.live(runId)
        return live === undefined || live.snapshot.view.lastSequence > after
      }),
      ({ after, runId }) =>
        Effect.map(Effect.option(ledger.page(runId, after, pageSize, { isOpen })), (page) => {
          if (page._tag === "Some") channels.broadcast(runId, page.value)
        }),
      { concurrency: 4, discard: true }
    )
  }

  // Notifications that arrive during a read are gathered and handled together.
  const heed = (said: Chunk.Chunk<RunId | null>) => {
    const which = new Set([...said].filter((runId) => runId !== null))
    const all = Chunk.contains(said, null)
    for (const runId of all ? followers.followed() : which) followers.publish(runId, undefined)
    if (all) waits.wakeAll()
    else for (const runId of which) waits.wake(runId)
    return look(all ? undefined : which)
  }

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

  // No queue and no fiber: they would cost more per commit than writing to a few viewers.
  let due: Array<Commit> = []
  yield* ledger.onCommit((commits) => {
    if (due.length === 0)
      queueMicrotask(() => {
        const tick = due
        due = []
        deliverTick(tick)
      })
    due.push(...commits)
  })
  const wakes = yield* ledger.wakes
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.takeBetween(wakes, 1, 1024), heed)))
  // Polling, because notifications can be lost.
  yield* every(
    pollSeconds,
    Effect.suspend(() => look())
  )
  yield* every(
    2 * pollSeconds,
    Effect.sync(() => {
      // A follower of a run of this process that has received the run's last line need not read the ledger.
      for (const runId of followers.followed())
        followers.publish(runId, runLogs.live(runId)?.snapshot.view.lastSequence)
    })
  )
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

const every = (seconds: number, work: Effect.Effect<void>) =>
  Effect.forkScoped(Effect.schedule(work, Schedule.spaced(`${seconds * 1000} millis`)))
