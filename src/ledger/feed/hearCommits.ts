/**
 * Delivers new ledger lines. This process's own commits are delivered at the end of each tick; those of other processes after a
 * notification, or by polling.
 */
import { Chunk, Effect, Queue, type Scope } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { Commit, Ledger, StoredLine } from "../Ledger.ts"
import type { RunLogs } from "../run/RunLog.ts"
import type { Channels } from "./channels.ts"
import { every } from "./every.ts"
import type { Followers } from "./follow.ts"
import type { Waits } from "./waits.ts"

interface Hearing {
  readonly ledger: Ledger["Type"]
  readonly runLogs: RunLogs["Type"]
  readonly channels: Channels
  readonly waits: Waits
  readonly followers: Followers
  readonly pollSeconds: number
  readonly pageSize: number
}

/** Wakes the waits, the followers and the viewers at the head of a run at each of its commits, for as long as the scope is open. */
export const hearCommits = Effect.fnUntraced(function* ({
  channels,
  followers,
  ledger,
  pageSize,
  pollSeconds,
  runLogs,
  waits
}: Hearing): Effect.fn.Return<void, never, Scope.Scope> {
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
})
