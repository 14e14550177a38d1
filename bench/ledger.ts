/** Appends a second at 1, 8 and 64 runs at once, beside pgbench and plain node-postgres on the same server. */
import { execFile, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { ConnectionId, OwnerId, ReportId, RunId } from "../schema/Ids.ts"
import { type Append, Ledger, type RunFacts } from "../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../src/ledger/LedgerPostgres.ts"
import { eventIdOf, genesisOf, lineOf } from "../src/ledger/ledgerLine.ts"
import { emptyView } from "../src/ledger/runView.ts"
import * as EmbeddedPostgres from "../src/store/EmbeddedPostgres.ts"
import { migrate } from "../src/store/migrate.ts"
import { migrations } from "../src/store/migrations/all.ts"
import { type Contender, compare, optionOf, say } from "./measure.ts"

const seconds = optionOf("seconds", 2)
const rounds = optionOf("rounds", 3)
const loads = [1, 8, 64]
const filler = "x".repeat(820)
let made = 0

/** A run that appends one line of about 1 KB after the other, until the time is over. */
const appendFor = (ledger: Ledger["Type"], until: number) =>
  Effect.gen(function* () {
    const id = `${process.pid}_${made++}`
    const facts: RunFacts = {
      runId: RunId.make(`run_${id}`),
      reportId: ReportId.make(`rep_${id}`),
      ownerId: OwnerId.make("own_bench"),
      kind: "journey",
      connectionId: ConnectionId.make("conn_bench"),
      connectionLabel: "bench",
      ocpiVersion: "2.2.1",
      subjectId: "bench",
      plan: {},
      predecessorRunId: null,
      createdAt: new Date().toISOString()
    }
    let hash = genesisOf(facts.runId)
    const next = (expectedSequence: number): Append => {
      const line = lineOf(
        {
          sequence: expectedSequence + 1,
          type: "exchange.completed",
          occurredAt: facts.createdAt,
          stageId: "start",
          assertions: [],
          data: { filler },
          machine: "running"
        },
        eventIdOf(facts.runId, `${expectedSequence}`),
        hash
      )
      hash = line.hash
      const view = { ...emptyView(facts), lastSequence: expectedSequence + 1 }
      return {
        runId: facts.runId,
        epoch: 1,
        expectedSequence,
        lines: [line],
        headHash: hash,
        snapshot: { machine: { value: "running", context: {} }, view }
      }
    }
    yield* ledger.create(facts, next(0))
    let appended = 0
    while (performance.now() < until) yield* ledger.append(next(++appended))
    return appended
  })

const ours = (pool: pg.Pool, writers: number): Contender => ({
  name: `ledger: line, run row, fences; ${writers} writer${writers === 1 ? "" : "s"}`,
  measure: (runs) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* appendFor(ledger, performance.now() + 200)
      const began = performance.now()
      const counts = yield* Effect.all(
        Array.from({ length: runs }, () => appendFor(ledger, began + seconds * 1000)),
        { concurrency: "unbounded" }
      )
      return counts.reduce((a, b) => a + b, 0) / ((performance.now() - began) / 1000)
    }).pipe(
      Effect.provide(
        LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "bench", leaseSeconds: 60, writers })
      ),
      Effect.runPromise
    )
})

/** One prepared insert of one row per commit and connection; no run row, no fence. */
const nodePostgres = (url: string): Contender => ({
  name: "node-postgres: line only, prepared",
  measure: async (connections) => {
    const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
    await Promise.all(clients.map((client) => client.connect()))
    const began = performance.now()
    const counts = await Promise.all(
      clients.map(async (client) => {
        const run = `run_${made++}`
        let sequence = 0
        while (performance.now() < began + seconds * 1000) {
          sequence += 1
          const event = eventIdOf(RunId.make(run), `${sequence}`)
          await client.query({
            name: "insert",
            text: "insert into bench_event values ($1, $2, $3, $4, $5, $6, $7)",
            values: [
              run,
              sequence,
              event,
              "exchange.completed",
              "start",
              `${filler}${"y".repeat(180)}`,
              event
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

const pgbench = (command: string, url: URL, folder: string): Contender => ({
  name: "pgbench: line only, prepared",
  measure: async (clients) => {
    const script = join(folder, "append.sql")
    made += 1
    writeFileSync(
      script,
      [
        "\\set sequence :sequence + 1",
        `insert into bench_event values ('p${made}_' || :client_id, :sequence, 'e' || :sequence || repeat('i', 16),`,
        `'exchange.completed', 'start', '${filler}${"y".repeat(180)}', '${"0".repeat(64)}');`
      ].join("\n")
    )
    return runPgbench(command, script, url, clients)
  }
})

/** The same work as ours, one commit per row: run row checked and moved, line inserted, in one statement. */
const pgbenchFenced = (command: string, pool: pg.Pool, url: URL, folder: string): Contender => ({
  name: "pgbench: line, run row, fences; prepared",
  measure: async (clients) => {
    const script = join(folder, "fenced.sql")
    const prefix = `f${made++}_`
    const snapshot = "s".repeat(700)
    await pool.query(
      `insert into run select $1 || n, $1 || n, 'o', 'journey', 'c', 'l', 'v', 's', '{}', null, '', 'running', null,
        $2, 0, '', false, 1, 'o', now() from generate_series(0, $3 - 1) n`,
      [prefix, snapshot, clients]
    )
    writeFileSync(
      script,
      [
        "\\set before :sequence",
        "\\set sequence :sequence + 1",
        `with moved as (update run set last_sequence = :sequence, snapshot = '${snapshot}', head_hash = '${"0".repeat(64)}'`,
        `where run_id = '${prefix}' || :client_id and last_sequence = :before and lease_epoch = 1 and not closed returning run_id)`,
        "insert into ledger_event select run_id, :sequence, 'e' || :sequence || repeat('i', 16), 'exchange.completed', 'start',",
        `'${filler}${"y".repeat(180)}', '${"0".repeat(64)}' from moved;`
      ].join("\n")
    )
    return runPgbench(command, script, url, clients)
  }
})

async function runPgbench(command: string, script: string, url: URL, clients: number): Promise<number> {
  const flags = ["-n", "-M", "prepared", "-c", `${clients}`, "-j", "2", "-T", `${Math.ceil(seconds)}`]
  const where = ["-h", url.hostname, "-p", url.port, "-U", url.username, url.pathname.slice(1)]
  const { stdout } = await promisify(execFile)(
    command,
    [...flags, "-D", "sequence=0", "-f", script, ...where],
    {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
    }
  )
  return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1])
}

/** On the PATH, or where Debian keeps it. */
function pgbenchCommand(): string | undefined {
  const debian = "/usr/lib/postgresql"
  const versions = (() => {
    try {
      return readdirSync(debian).sort().reverse()
    } catch {
      return []
    }
  })()
  return ["pgbench", ...versions.map((version) => `${debian}/${version}/bin/pgbench`)].find(
    (command) => spawnSync(command, ["--version"]).status === 0
  )
}

const program = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-bench-"))
  chmodSync(folder, 0o711) // as root, the server runs as somebody else
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { url } = yield* EmbeddedPostgres.acquire({
    dataDir: join(folder, "data"),
    settings: { max_connections: "150" }
  })
  const connectionString = Redacted.value(url)
  yield* migrate({ connectionString }, migrations)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString, max: 10 })),
    (open) => Effect.promise(() => open.end())
  )
  yield* Effect.promise(() => pool.query("create table bench_event (like ledger_event including all)"))
  const command = pgbenchCommand()
  if (command === undefined) say("pgbench is not installed: skipped")
  const contenders = [
    ...(command === undefined
      ? []
      : [
          pgbench(command, new URL(connectionString), folder),
          pgbenchFenced(command, pool, new URL(connectionString), folder)
        ]),
    nodePostgres(connectionString),
    ours(pool, 1),
    ours(pool, 2)
  ]
  const medians = yield* Effect.promise(() => compare("appends/s by runs at once", contenders, loads, rounds))
  const at64 = (name: string) => medians.get(name)?.[2] ?? Number.NaN
  const [alone, fenced] = contenders
  const best = contenders.at(-1)!
  if (command !== undefined && alone !== undefined && fenced !== undefined) {
    say(
      `\n64 runs: ${(at64(best.name) / at64(alone.name)).toFixed(2)} x pgbench with the line only (aim: at least 1.5)`
    )
    say(`64 runs: ${(at64(best.name) / at64(fenced.name)).toFixed(2)} x pgbench that does the same work`)
  }
})

await Effect.runPromise(Effect.scoped(program))
