import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Runtime, TestClock } from "effect"
import { RunId } from "../../schema/Ids.ts"
import { makeSharedPages } from "../../src/ledger/feed/sharedPages.ts"
import { makeViewer } from "../../src/ledger/feed/Viewer.ts"
import type { StoredLine } from "../../src/ledger/Ledger.ts"

const viewerAt = (cursor: number) =>
  makeViewer(RunId.make("run_a"), cursor, 1000, { wanted: () => {}, gone: () => {} })

const linesAfter = (after: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ sequence: after + index + 1, line: "{}" }) as StoredLine)

/** A run of 25 lines, read ten at a time; a read takes 10 ms. */
const fixture = Effect.map(Effect.runtime(), (runtime) => {
  const reads: Array<number> = []
  const pageFor = makeSharedPages(
    ({ cursor }) =>
      Effect.suspend(() => {
        reads.push(cursor)
        return Effect.succeed(linesAfter(cursor, Math.min(10, 25 - cursor)))
      }).pipe(Effect.delay("10 millis")),
    (lines) => lines.length < 10,
    Runtime.runFork(runtime)
  )
  return { pageFor, reads }
})

describe("shared pages", () => {
  it.effect("read once for all who wait for the same lines", () =>
    Effect.gen(function* () {
      const { pageFor, reads } = yield* fixture
      const company = new Set([viewerAt(20), viewerAt(20), viewerAt(20)])
      const asking = yield* Effect.fork(
        Effect.forEach([...company], (viewer) => pageFor(viewer, company), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("10 millis")
      const [one, two, three] = yield* Fiber.join(asking)
      assert.deepStrictEqual(reads, [20])
      assert.strictEqual(one, two)
      assert.strictEqual(two, three)
      assert.lengthOf(one?.lines ?? [], 5)
    })
  )

  it.effect("keep a full page for a second, and read again what may have grown", () =>
    Effect.gen(function* () {
      const { pageFor, reads } = yield* fixture
      const company = new Set([viewerAt(0)])
      const ask = (cursor: number) =>
        Effect.gen(function* () {
          const asking = yield* Effect.fork(pageFor(viewerAt(cursor), company))
          yield* TestClock.adjust("10 millis")
          return yield* Fiber.join(asking)
        })
      const first = yield* ask(0)
      yield* ask(20)
      assert.strictEqual(yield* ask(0), first)
      yield* ask(20)
      assert.deepStrictEqual(reads, [0, 20, 20])
      yield* TestClock.adjust("1 second")
      yield* ask(0)
      assert.deepStrictEqual(reads, [0, 20, 20, 0])
    })
  )

  it.effect("are not shared with those who were not told of the commits meanwhile", () =>
    Effect.gen(function* () {
      const { pageFor, reads } = yield* fixture
      const asking = yield* Effect.fork(
        Effect.all(
          [pageFor(viewerAt(0), new Set([viewerAt(0)])), pageFor(viewerAt(0), new Set([viewerAt(0)]))],
          {
            concurrency: "unbounded"
          }
        )
      )
      yield* TestClock.adjust("10 millis")
      yield* Fiber.join(asking)
      assert.deepStrictEqual(reads, [0, 0])
    })
  )
})
