/** A run as a stream of its events: what stands in the ledger, then what is committed. */
import { Chunk, Effect, Option, PubSub, Schedule, Stream } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { untilBack } from "../../database/retry.ts"
import type { Commit, Ledger, StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"

export interface FollowOptions {
  /** Most lines, and most bytes of them, read at once. */
  readonly pageSize: number
  readonly pageBytes: number
  /** Was there nothing behind that page when it was read? */
  readonly isLast: (lines: ReadonlyArray<StoredLine>) => boolean
  /** How often the ledger is looked at although nobody said anything. */
  readonly pollSeconds: number
}

/** What was heard: lines of this process, or that another one may have written. */
type Heard = Pick<Commit, "lines"> | undefined

export const makeFollow =
  (ledger: Ledger["Type"], { isLast, pageBytes, pageSize, pollSeconds }: FollowOptions) =>
  (runId: RunId, after: number): Stream.Stream<LedgerEvent> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        // Before the first page is read: what is committed meanwhile is heard.
        const commits = yield* PubSub.subscribe(yield* ledger.commits)
        const wakes = yield* ledger.wakes
        const page = (from: number) =>
          ledger
            .page(runId, from, pageSize, { maxBytes: pageBytes })
            .pipe(Effect.retry(untilBack), Effect.orDie) // it is tried again without end
        let cursor = after
        const taken = (lines: ReadonlyArray<StoredLine>) => {
          cursor = lines.at(-1)?.sequence ?? cursor
          return Chunk.fromIterable(lines)
        }

        // With the line at `after`, which says whether anything can follow it.
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
          // Lines that continue what was given are given as they are; whatever else there may be is read.
          return fresh?.[0]?.sequence === cursor + 1 ? Stream.fromChunk(taken(fresh)) : stored
        })
        return Stream.concat(isLast(first) ? replay : Stream.concat(replay, stored), committed)
      })
    ).pipe(
      Stream.takeUntil(({ line }) => isTerminalLine(line)),
      Stream.map(({ line }): LedgerEvent => JSON.parse(line))
    )
