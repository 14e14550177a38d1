/**
 * Appends and pages in a database that holds the lines of years, beside two empty ones on the same server in the same rounds; the
 * processor time of Postgres for an append; the plans of the ledger's statements; and how long the migration into monthly
 * partitions takes (decision 35).
 *
 * `npm run bench -- aging [--lines 1000000] [--months 60] [--line 120] [--migrate-lines 1000000] [--seconds 0.5] [--rounds 30]`
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import type pg from "pg"
import { RunId } from "../../schema/Ids.ts"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { planOnce } from "../../src/database/pool.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { ours } from "../appends.ts"
import { type Contender, loadAverage, optionOf, passed, say } from "../measure.ts"
import { addMonths, addOpenRuns, linesOfRun, sizeOfLedger } from "./agedLedger.ts"
import { ledgerOn, onServer, pageOf, poolOf, rowsOf } from "./databases.ts"
import { migrated } from "./migration.ts"
import { checkPlans } from "./plans.ts"
import { inHundredths, ratios, row } from "./ratios.ts"
import { statementTimes } from "./statementTime.ts"

/** Runs of this month in both databases. */
const recentRuns = 200
/** Lines in one statement at these loads, with two writers. */
const linesTogether = [1, 4, 32]
/** How much slower the full database may be. */
const mostRatio = 1.2
const names = ["empty database", "full database", "another empty database"]
const databases = ["emptied", "aged", "control"]
/** Bytes of a row and its entries in two indexes, beside the line. */
const bytesBeside = 260

const program = Effect.gen(function* () {
  const lines = optionOf("lines", 1_000_000)
  const months = optionOf("months", 60)
  const size = optionOf("line", 120)
  const toMigrate = optionOf("migrate-lines", 1_000_000)
  // Of fewer, a scan of a month would be the right plan for a run.
  if (lines / months < 10 * linesOfRun) throw new Error(`Give at least ${10 * linesOfRun} lines a month`)
  const folder = mkdtempSync(join(tmpdir(), "plugfest-bench-"))
  chmodSync(folder, 0o711) // started by root, the server runs under another account
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  // The lines of the second part come when those of the first are gone; beside them stands up to 4 GB of log.
  const needed = Math.max(lines, toMigrate) * (size + bytesBeside) * 1.2 + 4e9
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < needed)
    throw new Error(
      `${Math.ceil(needed / 1e9)} GB are needed at ${folder}: give fewer lines, or another TMPDIR`
    )
  const { adminUrl } = yield* EmbeddedPostgres.acquire({
    dataDir: join(folder, "data"),
    settings: { max_connections: "150", max_wal_size: "4GB", shared_buffers: "512MB" }
  })
  const server = Redacted.value(adminUrl)
  const urlOf = (name: string) => server.replace(/[^/]*$/, name)
  yield* onServer(server, ...[...databases, "earlier"].map((name) => `create database ${name}`))
  const isLight = yield* compared(urlOf, { lines, months, size })
  yield* onServer(server, ...databases.map((name) => `drop database ${name} with (force)`))
  if (toMigrate > 0) yield* migrated(urlOf("earlier"), toMigrate, size)
  return isLight
})

/** Appends, pages and plans, in an empty and in a full database. */
const compared = (
  urlOf: (name: string) => string,
  { lines, months, size }: { readonly lines: number; readonly months: number; readonly size: number }
) =>
  Effect.gen(function* () {
    // Short and many: a slow moment of the disk takes seconds, and is shared by all of a round.
    const seconds = optionOf("seconds", 0.5)
    const rounds = optionOf("rounds", 30)
    const after = (client: pg.Client) =>
      client.query("select make_partitions('ledger_event', 'a')").then(() => {})
    for (const name of databases) yield* migrate({ connectionString: urlOf(name) }, migrations, { after })
    const pools = yield* Effect.all(databases.map((name) => poolOf(urlOf(name))))
    const [emptied, aged] = [pools[0]!, pools[1]!]
    const began = performance.now()
    yield* Effect.promise(() => addMonths(aged, { lines, months, size }))
    for (const pool of pools) yield* Effect.promise(() => addOpenRuns(pool, recentRuns, size))
    for (const pool of pools) yield* Effect.promise(() => pool.query("vacuum (analyze)"))
    yield* Effect.promise(() => aged.query("checkpoint"))
    const [{ size: bytes }] = yield* Effect.promise(() => rowsOf<{ size: number }>(aged, sizeOfLedger))
    say(
      `${lines} lines of ${size} bytes in ${months} months: ${(bytes / 1e9).toFixed(2)} GB, filled in ${passed(began)}. ${loadAverage()}`
    )
    const old = yield* Effect.promise(() =>
      rowsOf<{ run_id: string }>(aged, "select run_id from run where closed order by random() limit 2000")
    )
    const recent = (pool: pg.Pool) =>
      rowsOf<{ run_id: string }>(pool, "select run_id from run where not closed order by run_id limit 200")
    const idsOf = (rows: ReadonlyArray<{ run_id: string }>) => rows.map(({ run_id }) => RunId.make(run_id))
    // As the service reads pages.
    const pagesOf = (name: string) =>
      poolOf(urlOf(name), { max: 2, onConnect: (client) => planOnce(client as pg.Client) })
    const [ofEmptied, ofAged] = [yield* pagesOf("emptied"), yield* pagesOf("aged")]
    const readers: ReadonlyArray<Contender> = [
      pages("empty database", ofEmptied, idsOf(yield* Effect.promise(() => recent(emptied))), seconds),
      pages("full database", ofAged, idsOf(yield* Effect.promise(() => recent(aged))), seconds),
      pages("full database, any run of its years", ofAged, idsOf(old), seconds)
    ]
    // The ratio of the other empty one shows how far apart two measurements of the same thing are on this machine.
    const writers = pools.map((pool, at): Contender => ({ ...ours(pool, 2, seconds), name: names[at]! }))
    const plans = yield* Effect.promise(() => checkPlans(aged, RunId.make(idsOf(old)[0] ?? "run_a")))
    const inAppends = yield* Effect.promise(() =>
      ratios("appends a second, by runs at once", writers, rounds, names[2]!)
    )
    const inPages = yield* Effect.promise(() =>
      ratios(`pages of ${pageOf} lines a second, by readers at once`, readers, rounds, names[2]!)
    )
    const inStatements = yield* Effect.promise(() => statementRatios(urlOf, rounds))
    const worst = Math.max(...inAppends, ...inPages, ...inStatements)
    say(
      `\nThe full database takes at most ${worst.toFixed(2)} times as long as the empty one (aim: ${mostRatio})`
    )
    return plans && worst <= mostRatio
  }).pipe(Effect.scoped)

/** Reads pages of these runs until the time is over. */
const pages = (name: string, pool: pg.Pool, ids: ReadonlyArray<RunId>, seconds: number): Contender => ({
  name,
  measure: (readers) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const readUntil = (until: number) =>
        Effect.gen(function* () {
          let read = 0
          for (; performance.now() < until; read++) {
            const runId = ids[Math.floor(Math.random() * ids.length)]!
            const after = Math.floor(Math.random() * (linesOfRun - pageOf))
            const found = yield* ledger.page(runId, after, pageOf)
            if (found.length !== pageOf) throw new Error(`${found.length} lines of ${runId} after ${after}`)
          }
          return read
        })
      const all = (until: number) =>
        Effect.all(
          Array.from({ length: readers }, () => readUntil(until)),
          { concurrency: "unbounded" }
        )
      yield* all(performance.now() + 200)
      const began = performance.now()
      const counts = yield* all(began + seconds * 1000)
      return counts.reduce((a, b) => a + b, 0) / ((performance.now() - began) / 1000)
    }).pipe(Effect.provide(ledgerOn(pool)), Effect.runPromise)
})

/** The same of the processor time of Postgres for the statement of an append. */
async function statementRatios(
  urlOf: (name: string) => string,
  rounds: number
): Promise<ReadonlyArray<number>> {
  if (process.platform !== "linux") return []
  const times: Array<ReadonlyArray<number>> = []
  for (const lines of linesTogether) times.push(await statementTimes(databases.map(urlOf), lines, 2 * rounds))
  say(
    `\nmicroseconds of Postgres for a statement of ${linesTogether.join(", ")} lines, and times as long as the first. ${loadAverage()}\n`
  )
  for (const [at, name] of names.entries())
    say(
      row(name, [
        ...times.map((one) => one[at]!.toFixed(0)),
        ...times.map((one) => inHundredths(one[at]! / one[0]!))
      ])
    )
  return times.map((one) => one[1]! / one[0]!)
}

/** Starts a Postgres of its own and measures. False: a plan is wrong, or the full database is too slow. */
export const benchAging = (): Promise<boolean> => Effect.runPromise(Effect.scoped(program))
