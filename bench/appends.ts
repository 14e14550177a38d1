/** The contenders: our ledger, and plain node-postgres. */
import { Effect, Layer } from "effect"
import pg from "pg"
import { SharedTime } from "../src/database/SharedTime.ts"
import { Ledger } from "../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../src/ledger/postgres/LedgerPostgres.ts"
import type { Contender } from "./measure.ts"
import { appendsOf, newFacts } from "./sampleRun.ts"

/** Appends one line after the other to a run, until the time is over. */
const appendUntil = (ledger: Ledger["Type"], until: number) =>
  Effect.gen(function* () {
    const facts = newFacts()
    const next = appendsOf(facts)
    yield* ledger.create(facts, next())
    let appended = 0
    for (; performance.now() < until; appended++) yield* ledger.append(next())
    return appended
  })

/** The whole append: line made and hashed, snapshot serialised, fences checked, run row updated, followers woken. */
export const ours = (pool: pg.Pool, writers: number, seconds: number): Contender => ({
  name: `ledger, ${writers} writer${writers === 1 ? "" : "s"}: line, run row, fences`,
  measure: (runs) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* Effect.all(
        Array.from({ length: runs }, () => appendUntil(ledger, performance.now() + 200)),
        { concurrency: "unbounded" }
      )
      const began = performance.now()
      const counts = yield* Effect.all(
        Array.from({ length: runs }, () => appendUntil(ledger, began + seconds * 1000)),
        { concurrency: "unbounded" }
      )
      return counts.reduce((a, b) => a + b, 0) / ((performance.now() - began) / 1000)
    }).pipe(
      Effect.provide(
        LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "bench", leaseSeconds: 60, writers }).pipe(
          Layer.provide(SharedTime.layer)
        )
      ),
      Effect.runPromise
    )
})

/** One prepared insert of one line per commit and connection; the line is made once. */
export const nodePostgres = (url: string, seconds: number): Contender => ({
  name: "node-postgres: line only",
  measure: async (connections) => {
    const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
    await Promise.all(clients.map((client) => client.connect()))
    const began = performance.now()
    const counts = await Promise.all(
      clients.map(async (client) => {
        const { runId } = newFacts()
        const [line] = appendsOf(newFacts())().lines
        let sequence = 0
        while (performance.now() < began + seconds * 1000) {
          sequence += 1
          await client.query({
            name: "insert",
            text: "insert into bench_event values ($1, $2, $3, $4, $5, $6, $7)",
            values: [
              runId,
              sequence,
              `event ${sequence}`,
              "exchange.completed",
              "start",
              line!.line,
              line!.hash
            ]
          })
        }
        return sequence
      })
    )
    const rate = counts.reduce((a, b) => a + b, 0) / ((performance.now() - began) / 1000)
    await Promise.all(clients.map((client) => client.end()))
    return rate
  }
})
