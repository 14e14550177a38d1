/** Durable appends of the ledger, beside pgbench, node-postgres and Emmett on the same Postgres. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import pg from "pg"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { nodePostgres, ours } from "../appends.ts"
import { type Contender, mediansOf } from "../measure.ts"
import { lineOnly, pgbenchCommand } from "../pgbench.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"
import { type Peer, startPeer } from "./Peer.ts"
import { figure, ratio, reasonOf, type Table } from "./table.ts"
import type { World } from "./World.ts"

const loads = [1, 8, 64, 512]

/** `wanted`: is a peer to be played? */
export async function compareAppends(
  world: World,
  seconds: number,
  rounds: number,
  wanted: (peer: string) => boolean
): Promise<Table> {
  const url = await world.database()
  await Effect.runPromise(Effect.scoped(migrate({ connectionString: url }, migrations)))
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query("create table bench_event (like ledger_event including all)")
  const folder = mkdtempSync(join(tmpdir(), "plugfest-pgbench-"))
  const refused: Array<string> = []
  const contenders: Array<Contender> = [{ ...ours(pool, 2, seconds), name: "plugfest" }]
  const command = wanted("pgbench") ? pgbenchCommand() : undefined
  if (command !== undefined) contenders.push(lineOnly({ command, url: new URL(url), folder, seconds }))
  else if (wanted("pgbench")) refused.push("pgbench: not measured, it is not installed")
  if (wanted("node-postgres")) contenders.push(nodePostgres(url, seconds))
  let peer: Peer | undefined
  try {
    if (wanted("emmett")) {
      try {
        peer = await startPeer("emmett")
        contenders.push(await emmett(peer, await world.database(), seconds))
      } catch (error) {
        refused.push(`Emmett: not measured, ${reasonOf(error)}`)
      }
    }
    const medians = await mediansOf(contenders, loads, rounds)
    const first = medians.get("plugfest")!
    return {
      title: "Appends to the ledger",
      about:
        "Appends a second by the runs, clients or streams at once; in brackets ours to it. Ours makes and hashes a line, finds what changed in machine and view, moves the run's row with its fences, inserts the line and wakes followers. pgbench and node-postgres insert a ready line of the same size by a prepared statement; Emmett appends an event with its expected version.",
      head: ["", ...loads.map(String)],
      rows: [
        ...[...medians].map(([name, values]) => [
          name,
          ...values.map((value, at) => `${figure(value)} (${ratio(first[at]!, value)})`)
        ]),
        ...refused.map((row) => [row, ...loads.map(() => "–")])
      ]
    }
  } finally {
    await peer?.stop()
    await pool.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function emmett(peer: Peer, database: string, seconds: number): Promise<Contender> {
  await peer.ask("open", { database })
  const next = appendsOf(newFacts())
  next()
  const data = JSON.parse(next().lines[0]!.line)
  return {
    name: "Emmett, its event store on Postgres",
    measure: (runs) => peer.ask<number>("appends", { data, runs, seconds })
  }
}
