/** The laws of following a run. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { DatabaseDown } from "../../src/database/DatabaseDown.ts"
import { Feed } from "../../src/ledger/feed/feed.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory } from "../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { idsIn, inbound, live, read, upTo } from "./support/feedFixture.ts"
import { draft, newRun, started } from "./support/sampleRun.ts"

/** Sequences of all that is given until the end. */
const follow = (feed: Feed["Type"], runId: RunId, after: number): Effect.Effect<ReadonlyArray<number>> =>
  Effect.map(Effect.flatMap(feed.serve(runId, after), read), idsIn)

describe("following a run", () => {
  live("gives a run that is over and ends", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      assert.deepStrictEqual(yield* follow(feed, runId, 0), [1, 2, 3])
      assert.deepStrictEqual(yield* follow(feed, runId, 2), [3])
      assert.deepStrictEqual(yield* follow(feed, runId, 3), [])
    })
  )

  live(
    "goes from replay to live without a seam, whoever writes, from wherever one was",
    ({ elsewhere, feed, ledger, wake }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        const write = Effect.gen(function* () {
          for (let n = 2; n <= 120; n++) {
            const other = n % 7 === 0
            yield* (other ? elsewhere : ledger).append(next(1, [inbound(n)]))
            // Every third word of another process is lost.
            if (other && n % 3 !== 0) yield* wake(n % 2 === 0 ? runId : null)
            if (n % 3 === 0) yield* Effect.yieldNow()
            if (n % 20 === 0) yield* Effect.sleep("1 millis")
          }
          yield* ledger.append(next(1, [draft("run.completed")]))
        })
        const followers = Effect.forEach(
          upTo(30),
          (n) => Effect.delay(follow(feed, runId, n % 2), `${n % 12} millis`),
          { concurrency: "unbounded" }
        )
        const [seen] = yield* Effect.all([followers, write], { concurrency: "unbounded" })
        seen.forEach((ids, n) => assert.deepStrictEqual(ids, upTo(121).slice((n + 1) % 2)))
      })
  )

  live(
    "hears of what another process wrote although nobody said so",
    ({ elsewhere, feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        const late = elsewhere.append(next(1, [started, draft("run.completed")]))
        const [ids] = yield* Effect.all([follow(feed, runId, 0), Effect.delay(late, "30 millis")], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(ids, [1, 2, 3])
      }),
    { pollSeconds: 0.05 }
  )

  live(
    "gives all of a run whose lines do not fit into a page",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        yield* ledger.append(next(1, [started, ...upTo(60).map(inbound), draft("run.completed")]))
        for (const after of [0, 1, 30, 62]) {
          assert.deepStrictEqual(yield* follow(feed, runId, after), upTo(63).slice(after))
        }
      }),
    { pageBytes: 700, pageSize: 4 }
  )

  it.scopedLive("waits for a database that is away, and never fails", () =>
    Effect.gen(function* () {
      const losses = yield* Ref.make(3)
      const flaky = Layer.map(LedgerMemory.layer(), (context) => {
        const ledger = Context.get(context, Ledger)
        return Context.make(Ledger, {
          ...ledger,
          page: (...wanted) =>
            Effect.flatMap(
              Ref.getAndUpdate(losses, (n) => n - 1),
              (n) => (n > 0 ? new DatabaseDown({ message: "away" }) : ledger.page(...wanted))
            )
        })
      })
      const context = yield* Layer.build(
        Feed.layer().pipe(
          Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 })),
          Layer.provideMerge(flaky)
        )
      )
      const ledger = Context.get(context, Ledger)
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      assert.lengthOf(yield* follow(Context.get(context, Feed), runId, 0), 3)
      assert.isAtMost(yield* Ref.get(losses), 0)
    })
  )
})
