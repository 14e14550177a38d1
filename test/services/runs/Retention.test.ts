import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, TestClock } from "effect"
import { ArchiveStore } from "../../../src/archive/ArchiveStore.ts"
import { memoryArchive } from "../../../src/archive/memoryArchive.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { Archiving } from "../../../src/services/runs/Archiving.ts"
import { Retention } from "../../../src/services/runs/Retention.ts"
import { OldExchanges } from "../../../src/store/parties/exchanges/OldExchanges.ts"
import { SigningKeys } from "../../../src/store/secrets/SigningKeys.ts"
import { noArchiving, signingKey } from "../../support/runs/archives.ts"
import { draft, newRun, started } from "../../support/runs/sampleRun.ts"

const twoProcesses = (days: number | undefined) =>
  Effect.gen(function* () {
    const store = memoryStore()
    const exchanges = keptFor(days === undefined ? [] : [1, 29, 31, 400])
    const open = Effect.map(
      Layer.build(
        Retention.periodic({ days, everyHours: 12 }).pipe(
          Layer.provideMerge(Retention.layer),
          Layer.provide(noArchiving),
          Layer.provideMerge(LedgerMemory.layer({ store })),
          Layer.provide(Layer.succeed(OldExchanges, exchanges.service))
        )
      ),
      (context) => ({ ledger: Context.get(context, Ledger), retention: Context.get(context, Retention) })
    )
    return { store, exchanges, a: yield* open, b: yield* open }
  })

/** Exchanges that have been kept for so many days, and are so on the test's clock. */
const keptFor = (days: ReadonlyArray<number>) => {
  let kept = [...days]
  const age = Effect.map(Clock.currentTimeMillis, (now) => now / 86_400_000)
  const old = (limit: number) => Effect.map(age, (passed) => kept.filter((before) => before + passed > limit))
  const service: OldExchanges["Type"] = {
    count: (limit) => Effect.map(old(limit), ({ length }) => length),
    purge: (limit) =>
      Effect.map(old(limit), (gone) => {
        kept = kept.filter((one) => !gone.includes(one))
        return gone.length
      }),
    purgeMonths: () => Effect.succeed(0) // the database has months
  }
  return { service, left: () => kept }
}

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

  it.scoped("forgets what was said outside of runs when it was kept for as long", () =>
    Effect.gen(function* () {
      const { a, exchanges } = yield* twoProcesses(30)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(exchanges.left(), [1, 29])
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(exchanges.left(), [1])
      assert.strictEqual(yield* a.retention.purgeExchanges(2, { dryRun: true }), 1)
      assert.deepStrictEqual(exchanges.left(), [1])
    })
  )

  it.scoped("archives by itself before it purges, and purges what is archived with its objects", () =>
    Effect.gen(function* () {
      const store = memoryStore()
      const objects = new Map<string, Buffer>()
      const exchanges = keptFor([])
      const context = yield* Layer.build(
        Retention.periodic({ archiveAfterDays: 30, days: 90, everyHours: 12 }).pipe(
          Layer.provideMerge(Retention.layer),
          Layer.provide(Archiving.layer),
          Layer.provideMerge(LedgerMemory.layer({ store })),
          Layer.provide(Layer.succeed(ArchiveStore, memoryArchive(objects))),
          Layer.provide(SigningKeys.layer({ keys: signingKey, dataDir: "" })),
          Layer.provide(Layer.succeed(OldExchanges, exchanges.service))
        )
      )
      const { open, over } = yield* runs(Context.get(context, Ledger), 3)
      const archived = () => over.filter((id) => store.get(id)?.archived !== undefined)
      /** Compressing takes real time: `done` is looked at until it holds, or for ten seconds. */
      const pass = (days: "2 days" | "29 days" | "60 days", done: () => boolean) =>
        Effect.zipRight(
          TestClock.adjust(days),
          Effect.promise(async () => {
            for (let look = 0; look < 200 && !done(); look++) await sleep(50)
          })
        )
      yield* pass("29 days", () => true)
      assert.deepStrictEqual(archived(), [])
      yield* pass("2 days", () => archived().length === 3)
      assert.deepStrictEqual(archived(), over)
      assert.lengthOf([...objects], 3)
      assert.lengthOf(store.get(open)?.lines ?? [], 1)
      yield* pass("60 days", () => store.size === 1 && store.leftovers.size === 0)
      assert.deepStrictEqual([...store.keys()], [open])
      assert.lengthOf([...objects], 0)
      assert.strictEqual(store.leftovers.size, 0)
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
