/** Appends per second with 1, 8 and 64 runs at once, compared with pgbench and plain node-postgres on the same server. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import pg from "pg"
import * as EmbeddedPostgres from "../src/database/embedded/EmbeddedPostgres.ts"
import { migrate } from "../src/database/migrate.ts"
import { migrations } from "../src/database/migrations/all.ts"
import { changesBetween } from "../src/ledger/postgres/snapshotChanges.ts"
import { nodePostgres, ours } from "./appends.ts"
import { compare, loadAverage, optionOf, say } from "./measure.ts"
import { lineAndRun, lineOnly, type Pgbench, pgbenchCommand } from "./pgbench.ts"
import { appendsOf, newFacts } from "./sampleRun.ts"

const loads = [1, 8, 64]

const program = Effect.gen(function* () {
  const seconds = optionOf("seconds", 1)
  const rounds = optionOf("rounds", 3)
  const folder = mkdtempSync(join(tmpdir(), "plugfest-bench-"))
  chmodSync(folder, 0o711) // started by root, the server runs under another account
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { adminUrl } = yield* EmbeddedPostgres.acquire({
    dataDir: join(folder, "data"),
    settings: { max_connections: "150" }
  })
  const connectionString = Redacted.value(adminUrl)
  const after = (client: pg.Client) =>
    client.query("select make_partitions('ledger_event', 'a')").then(() => {})
  yield* migrate({ connectionString }, migrations, { after })
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({ connectionString, max: 10 })
      pool.on("error", () => {}) // the database is dropped before the pool's last connection ends
      return pool
    }),
    (open) => Effect.promise(() => open.end())
  )
  yield* Effect.promise(() => pool.query("create table bench_event (like ledger_event including all)"))
  const command = pgbenchCommand()
  const yardsticks = (pgbench: Pgbench) => [lineOnly(pgbench), lineAndRun(pgbench, pool)]
  const contenders = [
    ...(command === undefined
      ? []
      : yardsticks({ command, url: new URL(connectionString), folder, seconds })),
    nodePostgres(connectionString, seconds),
    ours(pool, 1, seconds),
    ours(pool, 2, seconds)
  ]
  sayWhatIsMeasured()
  if (command === undefined) say("pgbench is not installed: skipped")
  const medians = yield* Effect.promise(() => compare("appends/s by runs at once", contenders, loads, rounds))
  const at64 = (name: string) => medians.get(name)?.[2] ?? Number.NaN
  const [alone, fenced] = contenders
  const best = contenders.at(-1)!
  if (command === undefined || alone === undefined || fenced === undefined) return
  say(
    `\n64 runs: ${(at64(best.name) / at64(alone.name)).toFixed(2)} x pgbench, line only (aim: at least 1.5)`
  )
  say(`64 runs: ${(at64(best.name) / at64(fenced.name)).toFixed(2)} x pgbench, same work. ${loadAverage()}`)
})

function sayWhatIsMeasured() {
  const next = appendsOf(newFacts())
  const start = next().snapshot
  const { lines, snapshot } = next()
  const line = lines[0]!.line.length
  const changes = JSON.stringify(changesBetween(start, snapshot)).length
  say(`
One append of ours: a line of ${line} bytes made, hashed and inserted; of machine and view (${JSON.stringify(snapshot).length} bytes)
the ${changes} bytes that differ from the run's first snapshot found, made into text where the append before had
others, and stored in its row; sequence, lease epoch and end of the run checked; followers woken. pgbench: a line of ${line} bytes, one row per commit, -M prepared,
as many clients; "same work" also moves the run's row, its ${changes} bytes made beforehand. fsync is on for all.
${loadAverage()}`)
}

/** Starts a Postgres of its own, measures, and prints the table and the ratios. */
export const benchLedger = (): Promise<void> => Effect.runPromise(Effect.scoped(program))
