/** Runs that are followed while, or after, they move into the archive. */
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Context, Effect, Fiber, Layer, Stream } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { ArchiveStore } from "../../src/archive/ArchiveStore.ts"
import { memoryArchive } from "../../src/archive/memoryArchive.ts"
import { makeReadArchive } from "../../src/ledger/archive/readArchive.ts"
import { Feed } from "../../src/ledger/feed/feed.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { Archiving } from "../../src/services/runs/Archiving.ts"
import { SigningKeys } from "../../src/store/secrets/SigningKeys.ts"
import { endedRun, signingKey } from "../support/runs/archives.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"

/** Two processes on one ledger and one archive; lines of one reach the other's followers by polling alone. */
const processes = Effect.gen(function* () {
  const objects = new Map<string, Buffer>()
  const store = memoryStore()
  const boot = Effect.gen(function* () {
    const archive = memoryArchive(objects)
    const readArchive = yield* makeReadArchive(archive)
    const context = yield* Layer.build(
      Layer.merge(Archiving.layer, Feed.layer({ pollSeconds: 0.02 })).pipe(
        Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 60 })),
        Layer.provideMerge(LedgerMemory.layer({ store, readArchive })),
        Layer.provide(Layer.succeed(ArchiveStore, archive)),
        Layer.provide(SigningKeys.layer({ keys: signingKey, dataDir: "" }))
      )
    )
    return {
      feed: Context.get(context, Feed),
      ledger: Context.get(context, Ledger),
      archiving: Context.get(context, Archiving)
    }
  })
  return { a: yield* boot, b: yield* boot, objects }
})

const sequences = (feed: Feed["Type"], runId: RunId, after: number) =>
  Effect.map(Stream.runCollect(feed.follow(runId, after)), (events) =>
    Chunk.toReadonlyArray(events).map(({ sequence }) => sequence)
  )
const frames = (feed: Feed["Type"], runId: RunId, after: number) =>
  Effect.flatMap(feed.serve(runId, after), (stream) => Effect.promise(() => text(stream)))

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

describe("the feed of an archived run", () => {
  it.scopedLive("is the same as before, from every position, and ends", () =>
    Effect.gen(function* () {
      const { a, b } = yield* processes
      const { runId } = yield* endedRun(a.ledger)
      const before = yield* Effect.forEach([0, 5, 11], (after) => frames(b.feed, runId, after))
      yield* a.archiving.archive(runId)
      assert.deepStrictEqual(
        yield* Effect.forEach([0, 5, 11], (after) => frames(b.feed, runId, after)),
        before
      )
      assert.deepStrictEqual(yield* sequences(b.feed, runId, 0), from(1, 12))
      assert.deepStrictEqual(yield* sequences(b.feed, runId, 5), from(6, 12))
      assert.deepStrictEqual(yield* sequences(b.feed, runId, 12), [])
    })
  )

  it.scopedLive("goes on for who had followed the run when it was open", () =>
    Effect.gen(function* () {
      const { a, b } = yield* processes
      const run = yield* newRun(a.ledger)
      yield* a.ledger.append(run.next(1, [started]))
      const followed = yield* Effect.fork(sequences(b.feed, run.runId, 0))
      const served = yield* Effect.fork(frames(b.feed, run.runId, 0))
      yield* Effect.sleep("100 millis")
      // Ended and archived between two looks of the other process.
      yield* a.ledger.append(run.next(1, [draft("run.completed")]))
      assert.strictEqual(yield* a.archiving.archive(run.runId), "done")
      assert.deepStrictEqual(yield* Fiber.join(followed), [1, 2, 3])
      assert.match(yield* Fiber.join(served), /id: 1\n[\s\S]*id: 3\n/)
    })
  )

  it.scopedLive("cuts a reader off when the object is damaged, and waits for nothing", () =>
    Effect.gen(function* () {
      const { a, b, objects } = yield* processes
      const { runId } = yield* endedRun(a.ledger)
      yield* a.archiving.archive(runId)
      objects.clear()
      const stream = yield* b.feed.serve(runId, 3)
      const ended = yield* Effect.either(
        Effect.timeout(
          Effect.tryPromise(() => text(stream)),
          "15 seconds"
        )
      )
      assert.strictEqual(ended._tag, "Left")
      assert.include(
        String((ended as { readonly left: { readonly cause?: unknown } }).left.cause),
        "Premature close"
      )
      assert.strictEqual(yield* b.feed.count, 0)
      const follow = yield* Effect.exit(Effect.timeout(sequences(b.feed, runId, 3), "15 seconds"))
      assert.include(String(follow), "is damaged: it is not there")
    })
  )
})
