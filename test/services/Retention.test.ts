import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { Retention } from "../../src/services/Retention.ts"
import { draft, newRun, started } from "../ledger/sampleRun.ts"

const twoProcesses = (days: number | undefined) =>
  Effect.gen(function* () {
    const store = memoryStore()
    const open = Effect.map(
      Layer.build(
        Layer.provideMerge(Retention.layer({ days, everyHours: 12 }), LedgerMemory.layer({ store }))
      ),
      (context) => ({ ledger: Context.get(context, Ledger), retention: Context.get(context, Retention) })
    )
    return { store, a: yield* open, b: yield* open }
  })

/** Runs that are over, and one that is not. */
const runs = (ledger: Ledger["Type"], count: number) =>
  Effect.gen(function* () {
    const over = yield* Effect.forEach(Array.from({ length: count }), () => newRun(ledger))
    for (const { next } of over) yield* ledger.append(next(1, [started, draft("run.completed")]))
    const open = yield* newRun(ledger)
    return { over: over.map(({ runId }) => runId), open: open.runId }
  })

describe("Retention", () => {
  it.scoped("forgets by itself what ended too long ago, and never a run that is not over", () =>
    Effect.gen(function* () {
      const { a, store } = yield* twoProcesses(30)
      const { open, over } = yield* runs(a.ledger, 250)
      yield* TestClock.adjust("29 days")
      assert.isTrue(over.every((id) => store.has(id)))
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual([...store.keys()], [open])
    })
  )

  it.scoped("keeps everything where no days were given", () =>
    Effect.gen(function* () {
      const { a, store } = yield* twoProcesses(undefined)
      yield* runs(a.ledger, 2)
      yield* TestClock.adjust("3650 days")
      assert.strictEqual(store.size, 3)
    })
  )

  it.scoped("forgets each run once when two processes look at the same time", () =>
    Effect.gen(function* () {
      const { a, b, store } = yield* twoProcesses(undefined)
      const { over } = yield* runs(a.ledger, 150)
      yield* TestClock.adjust("2 days")
      const gone = yield* Effect.all([a.retention.purgeOlder(1), b.retention.purgeOlder(1)], {
        concurrency: "unbounded"
      })
      assert.sameMembers(gone.flat(), over)
      assert.lengthOf(store.tombstones, over.length)
    })
  )

  it.scoped("only says what it would forget, when that is what was asked", () =>
    Effect.gen(function* () {
      const { a, store } = yield* twoProcesses(undefined)
      const { over } = yield* runs(a.ledger, 3)
      yield* TestClock.adjust("2 days")
      assert.sameMembers([...(yield* a.retention.purgeOlder(1, { dryRun: true }))], over)
      assert.strictEqual(store.size, 4)
    })
  )
})
