/** pgbench as the reference: one row per commit, prepared statements, texts as parameters, as any client sends them. */
import { execFile, spawnSync } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type pg from "pg"
import { changesBetween } from "../src/ledger/postgres/snapshotChanges.ts"
import type { Contender } from "./measure.ts"
import { appendsOf, newFacts } from "./sampleRun.ts"

/** How to run pgbench. `seconds`: length of a measurement. */
export interface Pgbench {
  readonly command: string
  readonly url: URL
  /** Folder for its scripts. */
  readonly folder: string
  readonly seconds: number
}

let made = 0

/** One line inserted per commit; no run row, no fence. */
export const lineOnly = (pgbench: Pgbench): Contender => ({
  name: "pgbench: line only, one row per commit",
  measure: (clients) => {
    const script = [
      "\\set sequence :sequence + 1",
      `insert into bench_event values ('p${made++}_' || :client_id, :sequence, 'e' || :sequence || repeat('i', 16),`,
      "'exchange.completed', 'start', :line, :hash);"
    ]
    return run(pgbench, script, clients, texts())
  }
})

/** The same work as the ledger's, one commit per row: run row checked and updated, line inserted, in one statement. */
export const lineAndRun = (pgbench: Pgbench, pool: pg.Pool): Contender => ({
  name: "pgbench: line, run row, fences, one per commit",
  measure: async (clients) => {
    const prefix = `f${made++}_`
    const { line, hash, plan, snapshot, start } = texts()
    await pool.query(
      `insert into run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id,
        plan, predecessor_run_id, created_at, status, verdict, start, snapshot, last_sequence, head_hash, closed,
        lease_epoch, lease_owner, lease_until)
      select $1 || n, $1 || n, 'o', 'journey', 'c', 'l', 'v', 's', $4, null, '', 'running', null,
        $2, '[]', 0, '', false, 1, 'o', now() from generate_series(0, $3 - 1) n`,
      [prefix, start, clients, plan]
    )
    const script = [
      "\\set before :sequence",
      "\\set sequence :sequence + 1",
      "with moved as (update run set last_sequence = :sequence, snapshot = :snapshot, head_hash = :hash",
      `where run_id = '${prefix}' || :client_id and last_sequence = :before and lease_epoch = 1 and not closed returning run_id)`,
      "insert into ledger_event select run_id, :sequence, 'e' || :sequence || repeat('i', 16), 'exchange.completed', 'start',",
      ":line, :hash from moved;"
    ]
    return run(pgbench, script, clients, { line, hash, snapshot })
  }
})

function texts() {
  const facts = newFacts()
  const next = appendsOf(facts)
  const first = next().snapshot
  const { lines, snapshot } = next()
  const { hash, line } = lines[0]!
  return {
    line,
    hash,
    plan: JSON.stringify(facts.plan),
    start: JSON.stringify(first),
    snapshot: JSON.stringify(changesBetween(first, snapshot))
  }
}

async function run(
  { command, folder, seconds, url }: Pgbench,
  script: ReadonlyArray<string>,
  clients: number,
  variables: Readonly<Record<string, string>>
): Promise<number> {
  const file = join(folder, "append.sql")
  writeFileSync(file, script.join("\n"))
  const defined = Object.entries({ sequence: "0", ...variables }).flatMap(([name, value]) => [
    "-D",
    `${name}=${value}`
  ])
  // Hundreds of clients need a while to prepare their statement: in one second none of them may commit.
  const lasts = Math.ceil(clients > 256 ? 3 * seconds : seconds)
  const flags = ["-n", "-M", "prepared", "-c", `${clients}`, "-j", "2", "-T", `${lasts}`]
  const where = ["-h", url.hostname, "-p", url.port, "-U", url.username, url.pathname.slice(1)]
  const { stdout } = await promisify(execFile)(command, [...flags, ...defined, "-f", file, ...where], {
    env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
  })
  return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1])
}

/** The path of pgbench, on PATH or in Debian's folder; undefined: not installed. */
export function pgbenchCommand(): string | undefined {
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
