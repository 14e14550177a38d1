import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Random, Ref } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { idsIn, inbound, live, read, upTo } from "../support/runs/feedFixture.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"

describe("the feed", () => {
  live("replays a finished run and ends", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      const text = yield* Effect.flatMap(feed.serve(runId, 0), read)
      assert.isTrue(text.startsWith("retry: 2000\n\n"))
      assert.deepStrictEqual(idsIn(text), [1, 2, 3])
      const lines = yield* ledger.page(runId, 0, 10)
      assert.include(text, `id: 3\ndata: ${lines[2]!.line}\n\n`)
      assert.strictEqual(yield* feed.count, 0)
    })
  )

  live("reads a page once for all who want it at the same time", ({ feed, ledger, pagesRead }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, ...upTo(50).map(inbound), draft("run.completed")]))
      const texts = yield* Effect.forEach(upTo(40), () => Effect.flatMap(feed.serve(runId, 0), read), {
        concurrency: "unbounded"
      })
      for (const text of texts) assert.deepStrictEqual(idsIn(text), upTo(53))
      assert.strictEqual(yield* Ref.get(pagesRead), 1)
    })
  )

  live("does not lose a page when the reader for whom it was read leaves", ({ feed, ledger, pagesRead }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      const first = yield* feed.serve(runId, 0)
      const reading = yield* Effect.fork(Effect.flatMap(feed.serve(runId, 0), read))
      yield* Effect.repeat(Ref.get(pagesRead), { until: (pages) => pages > 0 })
      first.destroy()
      assert.deepStrictEqual(idsIn(yield* Fiber.join(reading)), [1, 2, 3])
    })
  )

  live("ends at once for who has seen the terminal line", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started, draft("run.completed")]))
      assert.deepStrictEqual(idsIn(yield* Effect.flatMap(feed.serve(runId, 3), read)), [])
    })
  )

  live("goes from replay to live without a seam, for many viewers at any moment", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      const write = Effect.gen(function* () {
        for (let n = 2; n <= 200; n++) {
          yield* ledger.append(next(1, [inbound(n)]))
          if (n % 3 === 0) yield* Effect.yieldNow()
          if (n % 20 === 0) yield* Effect.sleep("1 millis")
        }
        yield* ledger.append(next(1, [draft("run.started"), draft("run.completed")]))
      })
      const viewers = Effect.forEach(
        upTo(40),
        (n) =>
          Effect.gen(function* () {
            yield* Effect.sleep(`${n % 12} millis`)
            return idsIn(yield* Effect.flatMap(feed.serve(runId, 0), read))
          }),
        { concurrency: "unbounded" }
      )
      const [seen] = yield* Effect.all([viewers, write], { concurrency: "unbounded" })
      for (const ids of seen) assert.deepStrictEqual(ids, upTo(202))
    })
  )

  live("loses and repeats nothing over reconnects at random bytes during appends", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      const write = Effect.gen(function* () {
        for (let n = 2; n <= 300; n++) {
          yield* ledger.append(next(1, [inbound(n)]))
          if (n % 10 === 0) yield* Effect.sleep("2 millis")
        }
        yield* ledger.append(next(1, [draft("run.started"), draft("run.completed")]))
      })
      let cuts = 0
      const client = Effect.gen(function* () {
        const ids: Array<number> = []
        while (ids.at(-1) !== 302) {
          const bytes = yield* Random.nextIntBetween(1, 6000)
          const stream = yield* feed.serve(runId, ids.at(-1) ?? 0)
          ids.push(...idsIn(yield* read(stream, bytes)))
          cuts += 1
        }
        return ids
      })
      const clients = Effect.forEach(upTo(10), () => client, { concurrency: "unbounded" })
      const [seen] = yield* Effect.all([clients, write], { concurrency: "unbounded" })
      for (const ids of seen) assert.deepStrictEqual(ids, upTo(302))
      assert.isAbove(cuts, 50)
    })
  )

  live(
    "lets a slow reader fall back to its cursor, and holds little for it",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        const slow = yield* feed.serve(runId, 0)
        const quick = yield* Effect.fork(Effect.flatMap(feed.serve(runId, 0), read))
        for (let n = 2; n <= 400; n++) {
          yield* ledger.append(next(1, [inbound(n)]))
          if (n % 10 === 0) yield* Effect.sleep("1 millis")
        }
        assert.isBelow(slow.readableLength, 16_000)
        yield* ledger.append(next(1, [draft("run.started"), draft("run.completed")]))
        assert.deepStrictEqual(idsIn(yield* read(slow)), upTo(402))
        assert.deepStrictEqual(idsIn(yield* quick), upTo(402))
      }),
    { highWaterMark: 2000, pageSize: 10 }
  )

  live(
    "holds little for a slow reader of many lines that are there already, and gives it all of them",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        for (let n = 2; n <= 400; n++) yield* ledger.append(next(1, [inbound(n)]))
        yield* ledger.append(next(1, [draft("run.started"), draft("run.completed")]))
        const slow = yield* feed.serve(runId, 0)
        yield* Effect.sleep("100 millis")
        assert.isBelow(slow.readableLength, 4000)
        assert.deepStrictEqual(idsIn(yield* read(slow)), upTo(402))
      }),
    { highWaterMark: 2000, pageBytes: 1000 }
  )

  live(
    "closes a reader that takes nothing for too long",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        const stream = yield* feed.serve(runId, 0)
        for (let n = 2; n <= 50; n++) yield* ledger.append(next(1, [inbound(n * 100)]))
        yield* Effect.repeat(Effect.delay(feed.count, "20 millis"), { until: (viewers) => viewers === 0 })
        assert.isTrue(stream.destroyed)
      }),
    { highWaterMark: 2000, stalledSeconds: 0.2 }
  )

  live(
    "shows within a poll what another process wrote",
    ({ elsewhere, feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        const reader = yield* Effect.fork(Effect.flatMap(feed.serve(runId, 0), read))
        yield* Effect.sleep("20 millis")
        yield* elsewhere.append(next(1, [started]))
        yield* Effect.sleep("120 millis")
        yield* ledger.append(next(1, [draft("run.completed")]))
        assert.deepStrictEqual(idsIn(yield* reader), [1, 2, 3])
      }),
    { pollSeconds: 0.05 }
  )

  for (const said of ["the run", "that anything may have been missed"]) {
    live(
      `reads at once what another process wrote when it says ${said}`,
      ({ elsewhere, feed, ledger, wake }) =>
        Effect.gen(function* () {
          const { next, runId } = yield* newRun(ledger)
          const reader = yield* Effect.fork(Effect.flatMap(feed.serve(runId, 0), read))
          yield* Effect.repeat(feed.count, { until: (viewers) => viewers === 1 })
          yield* Effect.sleep("20 millis")
          yield* elsewhere.append(next(1, [started, draft("run.completed")]))
          yield* wake("run_other" as RunId)
          yield* Effect.sleep("20 millis")
          assert.strictEqual(yield* feed.count, 1)
          yield* wake(said === "the run" ? runId : null)
          assert.deepStrictEqual(idsIn(yield* reader), [1, 2, 3])
        }),
      { pollSeconds: 60 }
    )
  }

  live(
    "sends heartbeats without an id",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { runId } = yield* newRun(ledger)
        const stream = yield* feed.serve(runId, 0)
        let text = ""
        stream.on("data", (chunk: Buffer) => {
          text += chunk.toString("latin1")
        })
        yield* Effect.repeat(Effect.sleep("20 millis"), {
          until: () => text.split(": heartbeat\n\n").length > 2
        })
        stream.destroy()
        assert.deepStrictEqual(idsIn(text), [1])
      }),
    { heartbeatSeconds: 0.05 }
  )

  live("says farewell to all when it drains, and to who comes later", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { runId } = yield* newRun(ledger)
      const follow = (id: RunId) => Effect.flatMap(feed.serve(id, 0), read)
      const reader = yield* Effect.fork(follow(runId))
      yield* Effect.repeat(feed.count, { until: (viewers) => viewers === 1 })
      yield* feed.drain
      assert.match(yield* reader, /retry: 500\n\n$/)
      assert.match(yield* follow(runId), /retry: 500\n\n$/)
      assert.strictEqual(yield* feed.count, 0)
    })
  )

  live("forgets a viewer whose reader left", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      const stream = yield* feed.serve(runId, 0)
      assert.strictEqual(yield* feed.count, 1)
      stream.destroy()
      yield* Effect.sleep("5 millis")
      assert.strictEqual(yield* feed.count, 0)
      yield* ledger.append(next(1, [started]))
    })
  )
})
