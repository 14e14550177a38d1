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
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { RunId } from "../../schema/Ids.ts"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/database/migrate.ts"
import { monthlyPartitions } from "../../src/database/migrations/0023_monthly_partitions.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { planOnce } from "../../src/database/pool.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import type { Statement } from "../../src/database/statement.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { statementFor } from "../../src/ledger/postgres/appendStatement.ts"
import { standing } from "../../src/ledger/postgres/groupCommit.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { pageStatement } from "../../src/ledger/postgres/pageStatement.ts"
import { insertRun } from "../../src/ledger/postgres/runInsert.ts"
import { makeStarts } from "../../src/ledger/postgres/storedSnapshot.ts"
import { ours } from "../appends.ts"
import { type Contender, loadAverage, median, optionOf, say } from "../measure.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"
import { addEndedRuns, addMonths, addOpenRuns, linesOfRun, sizeOfLedger } from "./agedLedger.ts"
import { inTurn, statementTimes } from "./statementTime.ts"

/** Runs of this month in both databases. */
const recentRuns = 200
const pageOf = 100
const loads = [1, 8, 64]
/** Lines in one statement at these loads, with two writers. */
const linesTogether = [1, 4, 32]
/** How much slower the full database may be. */
const mostRatio = 1.2
/** How much the two empty ones may differ: more, and the machine is too busy to judge by a rate. */
const mostNoise = 1.1
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
      ratios("appends a second, by runs at once", writers, rounds)
    )
    const inPages = yield* Effect.promise(() =>
      ratios(`pages of ${pageOf} lines a second, by readers at once`, readers, rounds)
    )
    const inStatements = yield* Effect.promise(() => statementRatios(urlOf, rounds))
    const worst = Math.max(...inAppends, ...inPages, ...inStatements)
    say(
      `\nThe full database takes at most ${worst.toFixed(2)} times as long as the empty one (aim: ${mostRatio})`
    )
    return plans && worst <= mostRatio
  }).pipe(Effect.scoped)

/** How long the migration of a database takes that has so many lines, and how long an append waits meanwhile. */
const migrated = (url: string, lines: number, size: number) =>
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

const ledgerOn = (pool: pg.Pool) =>
  LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "bench", leaseSeconds: 60, writers: 2 }).pipe(
    Layer.provide(SharedTime.layer)
  )

/**
 * Prints the medians, and how many times as long each contender takes as the first one of the same round: the geometric mean, and
 * twice its standard error. Returns that of the second at each load, without those at which the other empty database differs too much.
 */
async function ratios(
  title: string,
  contenders: ReadonlyArray<Contender>,
  rounds: number
): Promise<ReadonlyArray<number>> {
  const rates = contenders.map((): Array<number> => [])
  const times = contenders.map((): Array<Ratio> => [])
  for (const load of loads) {
    const samples = contenders.map((): Array<number> => [])
    for (let round = 0; round < rounds; round++)
      for (const at of inTurn(contenders.length, round))
        samples[at]!.push(await contenders[at]!.measure(load))
    for (const [at, values] of samples.entries()) {
      rates[at]!.push(median(values))
      times[at]!.push(meanOf(values.map((value, round) => samples[0]![round]! / value)))
    }
  }
  say(
    `\n${title} (${loads.join(", ")}; median of ${rounds} rounds), and times as long as the first. ${loadAverage()}\n`
  )
  for (const [at, { name }] of contenders.entries())
    say(
      row(name, [
        ...rates[at]!.map((rate) => rate.toFixed(0)),
        ...times[at]!.map(({ error, mean }) =>
          at === 0 ? "1" : `${inHundredths(mean)} ± ${inHundredths(error)}`
        )
      ])
    )
  const control = times[contenders.findIndex(({ name }) => name === names[2])]
  return times[1]!.flatMap(({ mean }, at) => {
    const isTold = control === undefined || Math.abs(Math.log(control[at]!.mean)) <= Math.log(mostNoise)
    if (!isTold) say(`${loads[at]} at once are not judged: the two empty databases differ`)
    return isTold ? [mean] : []
  })
}

/** A ratio by which something takes longer, and twice its standard error. */
interface Ratio {
  readonly mean: number
  readonly error: number
}

function meanOf(values: ReadonlyArray<number>): Ratio {
  const logs = values.map(Math.log)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const squares = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = 2 * Math.sqrt(squares / Math.max(1, logs.length - 1) / logs.length)
  return { mean: Math.exp(mean), error: Math.exp(mean) * Math.expm1(error) }
}

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

const inHundredths = (ratio: number) => ratio.toFixed(2)
const row = (name: string, cells: ReadonlyArray<string>) =>
  `${name.padEnd(38)}${cells.map((cell) => cell.padStart(14)).join("")}`

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

/** Explains each statement on lines, and says whether all read at most one partition, by an index. */
async function checkPlans(pool: pg.Pool, runId: RunId): Promise<boolean> {
  const facts = { ...newFacts(), runId }
  const next = appendsOf(facts)
  const [first, second, third] = [next(), next(), next()]
  const starts = makeStarts()
  const statements: Readonly<Record<string, Statement>> = {
    "create a run": insertRun(facts, first, { leaseSeconds: 60, owner: "bench" }),
    "append one line": statementFor([second], starts),
    "append several": statementFor([second, { ...third, runId: newFacts().runId }], starts),
    "was it appended?": standing(runId, second.lines),
    page: pageStatement(runId, 100, pageOf, {}),
    "page of a stage": pageStatement(runId, 100, pageOf, { stageId: "start" }),
    "page of so many bytes": pageStatement(runId, 100, pageOf, { maxBytes: 100_000 }),
    purge: { text: 'delete from ledger_event where run_id = $1 collate "C"', values: [runId] }
  }
  let isRight = true
  say("\nplans: which partitions are read, and how\n")
  for (const [name, { text, values }] of Object.entries(statements)) {
    const [row] = await rowsOf<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
      pool,
      `explain (format json) ${text}`,
      values
    )
    const read = scansOf(row["QUERY PLAN"][0]!.Plan)
    const isFine = read.length <= 1 && !read.some((one) => one.startsWith("Seq Scan"))
    isRight &&= isFine
    say(`${isFine ? "as it should be" : "WRONG"}: ${name.padEnd(24)}${read.join(", ") || "none"}`)
  }
  return isRight
}

function scansOf(plan: Plan): ReadonlyArray<string> {
  const relation = plan["Relation Name"]
  const own =
    relation?.startsWith("ledger_event_") === true && plan["Node Type"].includes("Scan")
      ? [`${plan["Node Type"]} of ${relation}`]
      : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}

const passed = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`

const rowsOf = async <Row extends object>(
  pool: pg.Pool,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<[Row, ...Array<Row>]> => (await pool.query(text, [...values])).rows as [Row, ...Array<Row>]

const onServer = (connectionString: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  })

const poolOf = (connectionString: string, options: pg.PoolConfig = { max: 10 }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({ connectionString, ...options })
      pool.on("error", () => {})
      return pool
    }),
    (open) => Effect.promise(() => open.end())
  )

/** Starts a Postgres of its own and measures. False: a plan is wrong, or the full database is too slow. */
export const benchAging = (): Promise<boolean> => Effect.runPromise(Effect.scoped(program))
