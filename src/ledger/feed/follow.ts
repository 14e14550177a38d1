/**
 * A run as a stream of its events: those in the ledger, then those of the run's `PubSub`, to which each commit is published.
 * A follower subscribes to its own run only, so that a commit costs nothing for the followers of all others.
 */
import { Chunk, Effect, PubSub, type Queue, type Scope, Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { untilBack } from "../../database/retry.ts"
import type { Ledger, StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"

/** Sizes of pages. */
interface FollowPages {
  /** Most lines of a page, and the bytes after which it ends. */
  readonly pageSize: number
  readonly pageBytes: number
  /** Did the page reach the end of the run when it was read? */
  readonly isLast: (lines: ReadonlyArray<StoredLine>) => boolean
}

/** Lines that this process committed, or the sequence of the run's last line; undefined: any process may have written. */
type News = ReadonlyArray<StoredLine> | number | undefined

/** The followers of this process. */
export interface Followers {
  /** Implements `Feed.follow`. */
  readonly follow: (runId: RunId, after: number) => Stream.Stream<LedgerEvent>
  /** Publishes to the followers of a run. A slow one loses the oldest news; it reads the ledger when more is published. */
  readonly publish: (runId: RunId, news: News) => void
  /** The runs that are followed. */
  readonly followed: () => ReadonlyArray<RunId>
}

/** How much news a slow follower can have waiting. */
const mostWaiting = 256

/** Nobody follows yet. */
export const makeFollowers = (
  ledger: Pick<Ledger["Type"], "page">,
  { isLast, pageBytes, pageSize }: FollowPages
): Followers => {
  const byRun = new Map<RunId, { readonly hub: PubSub.PubSub<News>; followers: number }>()

  const subscribe = (runId: RunId): Effect.Effect<Queue.Dequeue<News>, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.map(PubSub.sliding<News>(mostWaiting), (hub) => {
        const run = byRun.get(runId) ?? { hub, followers: 0 }
        run.followers += 1
        byRun.set(runId, run)
        return run
      }),
      (run) =>
        Effect.sync(() => {
          run.followers -= 1
          if (run.followers === 0) byRun.delete(runId)
        })
    ).pipe(Effect.flatMap(({ hub }) => PubSub.subscribe(hub)))

  /** The lines after a sequence: those in the ledger, then those of the news, and of the ledger again where news was lost. */
  const linesAfter = (runId: RunId, after: number, news: Queue.Dequeue<News>): Stream.Stream<StoredLine> => {
    let cursor = after
    let isBehind = true
    const taken = (lines: ReadonlyArray<StoredLine>) => {
      cursor = lines.at(-1)?.sequence ?? cursor
      return lines
    }
    const stored = Effect.suspend(() => ledger.page(runId, cursor, pageSize, { maxBytes: pageBytes })).pipe(
      Effect.retry({ schedule: untilBack, while: ({ _tag }) => _tag !== "ArchiveDamaged" }),
      Effect.orDie, // retried without end, but for an archive that is damaged
      Effect.map((lines) => {
        isBehind = !isLast(lines)
        return taken(lines)
      })
    )
    const committed = Effect.flatMap(news.take, (said) => {
      if (said === undefined) return stored
      if (typeof said === "number") return said > cursor ? stored : Effect.succeed([])
      const fresh = said.filter(({ sequence }) => sequence > cursor)
      const isNext = fresh[0] === undefined || fresh[0].sequence === cursor + 1
      return isNext ? Effect.succeed(taken(fresh)) : stored
    })
    return Stream.repeatEffectChunk(
      Effect.map(
        Effect.suspend(() => (isBehind ? stored : committed)),
        Chunk.unsafeFromArray
      )
    )
  }

  return {
    follow: (runId, after) =>
      // Subscribes before the first page is read, so that no commit in between is missed. The line at `after` is read too:
      // if it is the terminal one, none can follow it.
      Stream.unwrapScoped(
        Effect.map(subscribe(runId), (news) => linesAfter(runId, Math.max(0, after - 1), news))
      ).pipe(
        Stream.takeUntil(({ line }) => isTerminalLine(line)),
        Stream.filter(({ sequence }) => sequence > after),
        Stream.map(({ line }): LedgerEvent => JSON.parse(line))
      ),
    publish: (runId, news) => byRun.get(runId)?.hub.unsafeOffer(news),
    followed: () => [...byRun.keys()]
  }
}
