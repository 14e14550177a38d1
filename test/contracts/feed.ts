/** The laws of following a run, for both forms of the port: events of a `Stream`, and frames of a reader. */
import { assert, describe } from "@effect/vitest"
import { Effect, Ref, Stream } from "effect"
import fc from "fast-check"
import type { RunId } from "../../schema/Ids.ts"
import { DatabaseDown } from "../../src/database/DatabaseDown.ts"
import type { Feed } from "../../src/ledger/feed/feed.ts"
import { feedOn, idsIn, inbound, liveOn, read, type TwoLedgers, upTo } from "../support/runs/feedFixture.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"

/** Sequences of all that is given until the end. */
type Follow = (feed: Feed["Type"], runId: RunId, after: number) => Effect.Effect<ReadonlyArray<number>>

const follow: Follow = (feed, runId, after) =>
  Effect.map(Stream.runCollect(feed.follow(runId, after)), (events) =>
    [...events].map(({ sequence }) => sequence)
  )
const serve: Follow = (feed, runId, after) =>
  Effect.map(Effect.flatMap(feed.serve(runId, after), read), idsIn)

/** The laws, on two processes of one store. */
export const feedContract = (name: string, two: TwoLedgers) => {
  const live = liveOn(two)

  for (const [form, followed] of Object.entries({ follow, serve }))
    describe(`${name}, Feed.${form}`, () => {
      live("gives a run that is over and ends", ({ feed, ledger }) =>
        Effect.gen(function* () {
          const { next, runId } = yield* newRun(ledger)
          yield* ledger.append(next(1, [started, draft("run.completed")]))
          assert.deepStrictEqual(yield* followed(feed, runId, 0), [1, 2, 3])
          assert.deepStrictEqual(yield* followed(feed, runId, 2), [3])
          assert.deepStrictEqual(yield* followed(feed, runId, 3), [])
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
                // Every third notification of another process is lost.
                if (other && n % 3 !== 0) yield* wake(n % 2 === 0 ? runId : null)
                if (n % 3 === 0) yield* Effect.yieldNow()
                if (n % 20 === 0) yield* Effect.sleep("1 millis")
              }
              yield* ledger.append(next(1, [draft("run.completed")]))
            })
            const followers = Effect.forEach(
              upTo(30),
              (n) => Effect.delay(followed(feed, runId, n % 2), `${n % 12} millis`),
              { concurrency: "unbounded" }
            )
            const [seen] = yield* Effect.all([followers, write], { concurrency: "unbounded" })
            seen.forEach((ids, n) => assert.deepStrictEqual(ids, upTo(121).slice((n + 1) % 2)))
          })
      )

      live(
        "gives what another process wrote although its notification was lost",
        ({ elsewhere, feed, ledger }) =>
          Effect.gen(function* () {
            const { next, runId } = yield* newRun(ledger)
            const late = elsewhere.append(next(1, [started, draft("run.completed")]))
            const [ids] = yield* Effect.all([followed(feed, runId, 0), Effect.delay(late, "30 millis")], {
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
              assert.deepStrictEqual(yield* followed(feed, runId, after), upTo(63).slice(after))
            }
          }),
        { pageBytes: 700, pageSize: 4 }
      )

      live("waits for a database that is away, and never fails", ({ ledger }) =>
        Effect.gen(function* () {
          const losses = yield* Ref.make(3)
          const feed = yield* feedOn({
            ...ledger,
            page: (...wanted) =>
              Effect.flatMap(
                Ref.getAndUpdate(losses, (n) => n - 1),
                (n) => (n > 0 ? new DatabaseDown({ message: "away" }) : ledger.page(...wanted))
              )
          })
          const { next, runId } = yield* newRun(ledger)
          yield* ledger.append(next(1, [started, draft("run.completed")]))
          assert.lengthOf(yield* followed(feed, runId, 0), 3)
          assert.isAtMost(yield* Ref.get(losses), 0)
        })
      )
    })

  describe(`${name}, Feed.follow`, () => {
    live("gives the same in pieces as at once, wherever it is cut", ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        yield* ledger.append(next(1, [started, ...upTo(40).map(inbound), draft("run.completed")]))
        const whole = [...(yield* Stream.runCollect(feed.follow(runId, 0)))]
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1 }), async (sizes) => {
              const pieces: Array<(typeof whole)[number]> = []
              for (const size of [...sizes, 100])
                pieces.push(
                  ...(await Effect.runPromise(
                    Stream.runCollect(Stream.take(feed.follow(runId, pieces.at(-1)?.sequence ?? 0), size))
                  ))
                )
              assert.deepStrictEqual(pieces, whole)
            }),
            { numRuns: 20 }
          )
        )
      })
    )
  })
}
