/** The migration into monthly partitions, of a database that exists. */
import { Effect } from "effect"
import { migrate } from "../../src/database/migrate.ts"
import { monthlyPartitions } from "../../src/database/migrations/0023_monthly_partitions.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { loadAverage, passed, say } from "../measure.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"
import { addEndedRuns, linesOfRun } from "./agedLedger.ts"
import { ledgerOn, poolOf } from "./databases.ts"

/** How long the migration of a database takes that has so many lines, and how long an append waits meanwhile. */
export const migrated = (url: string, lines: number, size: number) =>
  Effect.gen(function* () {
    yield* migrate(
      { connectionString: url },
      migrations.filter(({ id }) => id < monthlyPartitions.id)
    )
    const pool = yield* poolOf(url)
    yield* Effect.promise(async () => {
      await addEndedRuns(pool, 0, Math.ceil(lines / linesOfRun), size)
      await pool.query("vacuum (analyze)")
    })
    let isOver = false
    let slowest = 0
    let appended = 0
    const appending = yield* Effect.fork(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const facts = newFacts()
        const next = appendsOf(facts)
        yield* ledger.create(facts, next())
        while (!isOver) {
          const began = performance.now()
          yield* ledger.append(next())
          slowest = Math.max(slowest, performance.now() - began)
          appended += 1
        }
      }).pipe(Effect.provide(ledgerOn(pool)))
    )
    yield* Effect.sleep("1 second")
    const began = performance.now()
    yield* migrate({ connectionString: url }, migrations)
    const took = passed(began)
    yield* Effect.sleep("1 second")
    isOver = true
    yield* appending
    say(
      `\nMigration of ${lines} lines: ${took}; ${appended} appends meanwhile, of which the slowest took ${slowest.toFixed(0)} ms. ${loadAverage()}`
    )
  }).pipe(Effect.scoped)
