import { it } from "@effect/vitest"
import { Context, Effect, Layer, Queue } from "effect"
import { assert, describe } from "vitest"
import { Ledger, type RunRow } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { type RunLog, RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { sweepRuns } from "../../src/runs/sweep.ts"
import { created, newFacts, sample, started } from "../support/runs/sampleRun.ts"

const leaseSeconds = 1

/** Two processes on one ledger; the second sweeps for journeys, and tells what it takes up. */
const world = Effect.gen(function* () {
  const store = memoryStore()
  const process = (owner: string) =>
    Layer.build(
      RunLogsLive.layer({ leaseSeconds }).pipe(
        Layer.provideMerge(LedgerMemory.layer({ store, owner, leaseSeconds }))
      )
    )
  const [first, second] = yield* Effect.all([process("first"), process("second")])
  const taken = yield* Queue.unbounded<readonly [RunLog, RunRow]>()
  const sweep = (takeUp: (log: RunLog, row: RunRow) => Effect.Effect<void>) =>
    sweepRuns({ kind: sample, leaseSeconds, onClaimed: takeUp }).pipe(Effect.provide(second))
  return {
    logs: Context.get(first, RunLogs),
    ledger: Context.get(first, Ledger),
    taken,
    sweep,
    take: (log: RunLog, row: RunRow) => Effect.asVoid(Queue.offer(taken, [log, row]))
  }
})

describe("the sweep for runs that nobody holds", () => {
  it.scopedLive("takes up what was given back, with its lines, and says how it had been left", () =>
    Effect.gen(function* () {
      const { logs, sweep, take, taken } = yield* world
      const facts = newFacts()
      const { log } = yield* logs.create(sample, facts, [created])
      yield* log.record([started])
      yield* log.close("released")
      yield* sweep(take)
      const [found, row] = yield* Queue.take(taken)
      assert.strictEqual(row.facts.runId, facts.runId)
      assert.isTrue(row.released)
      assert.lengthOf(found.events(), 2)
      assert.strictEqual(found.machine().value, "running")
    })
  )

  it.scopedLive("takes up a run whose holder is gone when its lease is over, and not before", () =>
    Effect.gen(function* () {
      const { logs, sweep, take, taken } = yield* world
      const { log } = yield* logs.create(sample, newFacts(), [created])
      const begun = performance.now()
      yield* log.close("expiring")
      yield* sweep(take)
      const [, row] = yield* Queue.take(taken)
      assert.isFalse(row.released)
      // By a clock of whole milliseconds.
      assert.isAbove(performance.now() - begun, leaseSeconds * 1000 - 50)
    })
  )

  it.scopedLive("leaves runs of other kinds alone", () =>
    Effect.gen(function* () {
      const { logs, sweep, take, taken } = yield* world
      const other = yield* logs.create(sample, newFacts({ kind: "conformance" }), [created])
      yield* other.log.close("released")
      const own = newFacts()
      const { log } = yield* logs.create(sample, own, [created])
      yield* log.close("released")
      yield* sweep(take)
      const [, row] = yield* Queue.take(taken)
      assert.strictEqual(row.facts.runId, own.runId)
      yield* Effect.sleep("300 millis")
      assert.strictEqual(yield* Queue.size(taken), 0)
    })
  )

  it.scopedLive("goes on after one that could not be taken up, and comes back to it", () =>
    Effect.gen(function* () {
      const { logs, sweep, take, taken } = yield* world
      let tries = 0
      const [bad, good] = [newFacts(), newFacts()]
      for (const facts of [bad, good]) {
        const { log } = yield* logs.create(sample, facts, [created])
        yield* log.close("released")
      }
      yield* sweep((log, row) => {
        if (row.facts.runId === bad.runId) tries += 1
        return row.facts.runId === bad.runId && tries === 1
          ? Effect.die(new Error("a fault of ours"))
          : take(log, row)
      })
      const found = [yield* Queue.take(taken), yield* Queue.take(taken)]
      assert.deepStrictEqual(
        found.map(([, row]) => row.facts.runId),
        [good.runId, bad.runId]
      )
    })
  )
})
