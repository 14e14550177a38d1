/** A run as a stream of its events: first those in the ledger, then those that are committed. */
import { Chunk, Effect, Option, PubSub, Schedule, Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { untilBack } from "../../database/retry.ts"
import type { Commit, Ledger, StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"

/** Sizes of pages and the interval of polling. */
export interface FollowOptions {
  /** Most lines of a page, and the bytes after which it ends. */
  readonly pageSize: number
  readonly pageBytes: number
  /** Did the page reach the end of the run when it was read? */
  readonly isLast: (lines: ReadonlyArray<StoredLine>) => boolean
  /** Interval at which the ledger is polled without a notification. */
  readonly pollSeconds: number
}

/** Lines that this process committed; undefined: another process may have written. */
type Heard = Pick<Commit, "lines"> | undefined

/** Implements `Feed.follow`. */
export const makeFollow =
  (ledger: Ledger["Type"], { isLast, pageBytes, pageSize, pollSeconds }: FollowOptions) =>
  (runId: RunId, after: number): Stream.Stream<LedgerEvent> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        // Subscribe before reading the first page, so that no commit in between is missed.
        const commits = yield* PubSub.subscribe(yield* ledger.commits)
        const wakes = yield* ledger.wakes
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
        const heard: Stream.Stream<Heard> = Stream.mergeAll(
          [
            Stream.filter(Stream.fromQueue(commits), (commit) => commit.runId === runId),
            Stream.filter(Stream.fromQueue(wakes), (id) => id === null || id === runId).pipe(
              Stream.as(undefined)
            ),
            Stream.as(Stream.fromSchedule(Schedule.spaced(`${pollSeconds} seconds`)), undefined)
          ],
          { concurrency: "unbounded" }
        )
        const committed = Stream.flatMap(heard, (said) => {
          const fresh = said?.lines.filter(({ sequence }) => sequence > cursor)
          if (fresh?.length === 0) return Stream.empty
          // Lines that directly follow the cursor are emitted as they are; otherwise the ledger is read.
          return fresh?.[0]?.sequence === cursor + 1 ? Stream.fromChunk(taken(fresh)) : stored
        })
        return Stream.concat(isLast(first) ? replay : Stream.concat(replay, stored), committed)
      })
    ).pipe(
      Stream.takeUntil(({ line }) => isTerminalLine(line)),
      Stream.map(({ line }): LedgerEvent => JSON.parse(line))
    )
