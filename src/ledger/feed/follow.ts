/**
 * A run as a stream of its events: first those in the ledger, then those that are committed. A follower hears of its own run
 * only, so that a commit costs nothing for the followers of all others.
 */
import { Chunk, Effect, Option, Queue, type Scope, Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { untilBack } from "../../database/retry.ts"
import type { Ledger, StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"

/** Sizes of pages. */
export interface FollowPages {
  /** Most lines of a page, and the bytes after which it ends. */
  readonly pageSize: number
  readonly pageBytes: number
  /** Did the page reach the end of the run when it was read? */
  readonly isLast: (lines: ReadonlyArray<StoredLine>) => boolean
}

/** Lines that this process committed, or the sequence of the run's last line; undefined: any process may have written. */
export type Heard = ReadonlyArray<StoredLine> | number | undefined

/** The followers of this process. */
export interface Followers {
  /** Implements `Feed.follow`. */
  readonly follow: (runId: RunId, after: number) => Stream.Stream<LedgerEvent>
  /** Tells the followers of a run. What a slow one has no place for is lost; it reads the ledger when it hears of more. */
  readonly tell: (runId: RunId, heard: Heard) => void
  /** The runs that are followed. */
  readonly followed: () => ReadonlyArray<RunId>
}

/** What a slow follower has place for. */
const remembered = 256

/** Nobody follows yet. */
export const makeFollowers = (
  ledger: Ledger["Type"],
  { isLast, pageBytes, pageSize }: FollowPages
): Followers => {
  const byRun = new Map<RunId, Set<Queue.Queue<Heard>>>()

  const listen = (runId: RunId): Effect.Effect<Queue.Queue<Heard>, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.map(Queue.sliding<Heard>(remembered), (heard) => {
        const company = byRun.get(runId) ?? new Set()
        byRun.set(runId, company.add(heard))
        return heard
      }),
      (heard) =>
        Effect.sync(() => {
          const company = byRun.get(runId)
          if (company?.delete(heard) && company.size === 0) byRun.delete(runId)
        })
    )

  const follow = (runId: RunId, after: number): Stream.Stream<LedgerEvent> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        // Listen before reading the first page, so that no commit in between is missed.
        const heard = yield* listen(runId)
        const page = (from: number) =>
          ledger
            .page(runId, from, pageSize, { maxBytes: pageBytes })
            .pipe(Effect.retry(untilBack), Effect.orDie) // retried without end
        let cursor = after
        const taken = (lines: ReadonlyArray<StoredLine>) => {
          cursor = lines.at(-1)?.sequence ?? cursor
          return Chunk.fromIterable(lines)
        }

        // Reads the line at `after` too: if it is terminal, none can follow it.
        const first = yield* page(Math.max(0, after - 1))
        if (after > 0 && first[0] !== undefined && isTerminalLine(first[0].line)) return Stream.empty
        const replay = Stream.fromChunk(taken(first.filter(({ sequence }) => sequence > after)))

        const stored = Stream.paginateChunkEffect(undefined, () =>
          Effect.map(
            Effect.suspend(() => page(cursor)),
            (lines) => [taken(lines), isLast(lines) ? Option.none() : Option.some(undefined)] as const
          )
        )
        const committed = Stream.flatMap(Stream.fromQueue(heard), (said) => {
          if (said === undefined) return stored
          if (typeof said === "number") return said > cursor ? stored : Stream.empty
          const fresh = said.filter(({ sequence }) => sequence > cursor)
          if (fresh.length === 0) return Stream.empty
          // Lines that directly follow the cursor are emitted as they are; otherwise the ledger is read.
          return fresh[0]?.sequence === cursor + 1 ? Stream.fromChunk(taken(fresh)) : stored
        })
        return Stream.concat(isLast(first) ? replay : Stream.concat(replay, stored), committed)
      })
    ).pipe(
      Stream.takeUntil(({ line }) => isTerminalLine(line)),
      Stream.map(({ line }): LedgerEvent => JSON.parse(line))
    )

  return {
    follow,
    tell: (runId, heard) => {
      for (const queue of byRun.get(runId) ?? []) queue.unsafeOffer(heard)
    },
    followed: () => [...byRun.keys()]
  }
}
