/** What it costs to hold runs: rows that are written while nothing happens. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { layerOf, processesOn } from "../support/runs/processes.ts"
import { created, newFacts, sample } from "../support/runs/sampleRun.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const leaseSeconds = 1.5
const runs = 200

describe("a process that holds runs", () => {
  it.scopedLive("writes the row of the process at each heartbeat, and none of a run", () =>
    Effect.gen(function* () {
      const database = Context.get(yield* Layer.build(TestDatabase), Database)
      const process = yield* processesOn(database, leaseSeconds)("a")
      const logs = Context.get(
        yield* Layer.build(Layer.provide(RunLogsLive.layer({ leaseSeconds }), layerOf(process))),
        RunLogs
      )
      yield* Effect.forEach(
        Array.from({ length: runs }, () => newFacts()),
        (facts) => logs.create(sample, facts, [created]),
        { concurrency: 10 }
      )
      /** The transaction that wrote each row last. */
      const writers = (table: string) =>
        Effect.map(
          database.query<{ readonly xmin: string }>({ text: `select xmin::text from ${table} order by 1` }),
          (rows) => rows.map(({ xmin }) => xmin)
        )
      const before = yield* writers("run")
      assert.lengthOf(before, runs)
      const beats = new Set<string>()
      const began = performance.now()
      for (let look = 0; look < 40; look++) {
        for (const xmin of yield* writers("server_process")) beats.add(xmin)
        yield* Effect.sleep("100 millis")
      }
      // Each half second for four seconds, on a machine that may be busy.
      assert.isAtLeast(beats.size, 3)
      assert.isAtMost(beats.size, (performance.now() - began) / 500 + 2)
      assert.deepStrictEqual(yield* writers("run"), before)
      assert.lengthOf(yield* process.claimable(10), 0)
    })
  )
})
