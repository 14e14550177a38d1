import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, Option } from "effect"
import { RunId } from "../../schema/Ids.ts"
import { memoryArchive } from "../../src/archive/memoryArchive.ts"
import { linesOf } from "../../src/ledger/archive/archiveObject.ts"
import { makeReadArchive } from "../../src/ledger/archive/readArchive.ts"
import { endedRun, groundInMemory } from "../support/runs/archives.ts"

describe("the object of an archived run", () => {
  it.live("is not decompressed beyond what was noted, also where its sum is right", () =>
    Effect.gen(function* () {
      const object = gzipSync(Buffer.alloc(50_000_000))
      const before = process.memoryUsage().arrayBuffers
      const found = yield* Effect.promise(() =>
        linesOf(
          {
            runId: RunId.make("run_a"),
            name: "",
            lines: 1,
            headHash: "",
            bytes: object.length,
            textBytes: 1000,
            sha256: createHash("sha256").update(object).digest("hex")
          },
          object
        )
      )
      assert.deepStrictEqual(found, Either.left("it cannot be decompressed to what was written"))
      assert.isBelow(process.memoryUsage().arrayBuffers - before, 10_000_000)
    })
  )
})

describe("readArchive", () => {
  /** Archived runs, and a store that counts how often their objects are read. */
  const archived = (count: number, mostBytes?: number) =>
    Effect.gen(function* () {
      const ground = yield* groundInMemory
      const { archives, archiving, ledger } = yield* ground.boot()
      const runs = yield* Effect.forEach(Array.from({ length: count }), () => endedRun(ledger))
      const notes = yield* Effect.forEach(runs, ({ runId }) =>
        Effect.gen(function* () {
          yield* archiving.archive(runId)
          return Option.getOrThrow(Option.getOrThrow(yield* archives.find(runId)).note)
        })
      )
      const gate = yield* Deferred.make<void>()
      let reads = 0
      const store = memoryArchive(ground.objects)
      const read = yield* makeReadArchive(
        {
          ...store,
          get: (name, most) => {
            reads += 1
            return Effect.zipRight(Deferred.await(gate), store.get(name, most))
          }
        },
        mostBytes === undefined ? {} : { mostBytes }
      )
      return { notes, read, reads: () => reads, open: Deferred.succeed(gate, undefined) }
    })

  it.scopedLive("reads an object once for all who want it, also when the first of them leaves", () =>
    Effect.gen(function* () {
      const { notes, open, read, reads } = yield* archived(1)
      const first = yield* Effect.fork(read(notes[0]!))
      yield* Effect.sleep("10 millis")
      const others = yield* Effect.fork(
        Effect.forEach([1, 2, 3], () => read(notes[0]!), { concurrency: "unbounded" })
      )
      yield* Effect.sleep("10 millis")
      yield* Fiber.interrupt(first)
      yield* open
      const lines = yield* Fiber.join(others)
      assert.lengthOf(lines[0]!, 12)
      assert.strictEqual(lines[0], lines[2])
      assert.strictEqual(yield* read(notes[0]!), lines[0])
      assert.strictEqual(reads(), 1)
    })
  )

  it.scopedLive("forgets the run that was asked for longest ago when it remembers too much", () =>
    Effect.gen(function* () {
      const { notes, open, read, reads } = yield* archived(3, 0)
      yield* open
      const two = yield* archived(3, notes[0]!.textBytes * 2 + 100)
      yield* two.open
      for (const index of [0, 1, 0, 2, 0, 1]) {
        yield* two.read(two.notes[index]!)
        yield* read(notes[index]!)
      }
      // 0, 1, then 2 instead of 1, then 1 again.
      assert.strictEqual(two.reads(), 4)
      // Only the last one is remembered, whatever its size.
      assert.strictEqual(reads(), 6)
      yield* read(notes[1]!)
      assert.strictEqual(reads(), 6)
    })
  )
})
