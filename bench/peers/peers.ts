/**
 * plugfest beside others that do a part of what it does, in one run: `npm run bench -- peers [--only <peer>] [--rounds 3]
 * [--seconds 1] [--write]`. Prints Markdown; with `--write` it goes into docs/performance.md. A peer that cannot be installed or
 * played is a row that says why.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { loadAverage, optionOf, say, textOption } from "../measure.ts"
import { pgbenchCommand } from "../pgbench.ts"
import { compareAppends } from "./appends.ts"
import { compareJourneys } from "./journeys.ts"
import { install, versionOf } from "./Peer.ts"
import { compareRequests } from "./requests.ts"
import { compareSuites } from "./suite.ts"
import { markdownOf, reasonOf, type Table } from "./table.ts"
import { compareViewers } from "./viewers.ts"
import { openWorld } from "./World.ts"

/** Packages by the name that `--only` takes. */
const packages: Readonly<Record<string, string>> = {
  fastify: "fastify",
  dbos: "@dbos-inc/dbos-sdk",
  restate: "@restatedev/restate-server",
  newman: "newman",
  "node-postgres": "pg",
  emmett: "@event-driven-io/emmett-postgresql",
  "better-sse": "better-sse"
}
const withoutPackage = ["pgbench", "raw"]

/** Measures, and prints the tables. Answers false when `--only` names no peer. */
export async function benchPeers(): Promise<boolean> {
  const only = textOption("only")
  const known = [...Object.keys(packages), ...withoutPackage]
  if (only !== undefined && !known.includes(only)) {
    say(`--only: expected one of ${known.join(", ")}`)
    return false
  }
  const wanted = (...peers: ReadonlyArray<string>) => only === undefined || peers.includes(only)
  const rounds = optionOf("rounds", 3)
  const seconds = optionOf("seconds", 1)
  const failed = install()
  if (failed !== undefined) say(`The peers could not be installed: ${failed}`)
  const world = await openWorld()
  const told: Array<string> = []
  const tell = (text: string) => {
    told.push(text)
    say(`\n${text}`)
  }
  const play = async (title: string, measure: () => Promise<Table | ReadonlyArray<Table>>) => {
    try {
      for (const table of [await measure()].flat()) tell(markdownOf(table))
    } catch (error) {
      // A comparison that breaks says so, and the command goes on.
      tell(`### ${title}\n\nNot measured: ${reasonOf(error)}`)
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    }
  }
  try {
    tell(`${versions(world.postgresVersion)}\n\nMedians of ${rounds} interleaved rounds. ${loadAverage()}`)
    if (wanted("fastify")) await play("Requests", () => compareRequests(world, seconds, rounds))
    if (wanted("dbos", "restate"))
      await play("Journeys", () => compareJourneys(world, 2 * seconds, rounds, wanted))
    if (wanted("newman")) await play("The core suite", () => compareSuites(world, rounds))
    if (wanted("pgbench", "node-postgres", "emmett"))
      await play("Appends", () => compareAppends(world, seconds, rounds, wanted))
    if (wanted("raw", "better-sse")) await play("Viewers", () => compareViewers(rounds, wanted))
  } finally {
    await world.close()
  }
  // One peer alone is not the page.
  if (process.argv.includes("--write") && only === undefined) write(told)
  return true
}

const begin = "<!-- tables: npm run bench -- peers --write -->\n"
const end = "<!-- end of tables -->"

/** Replaces the tables of docs/performance.md. */
function write(tables: ReadonlyArray<string>): void {
  const file = "docs/performance.md"
  const text = readFileSync(file, "utf8")
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  writeFileSync(file, `${before}\n${tables.join("\n\n")}\n\n${text.slice(text.indexOf(end))}`)
  say(`\n${file} has these tables now.`)
}

function versions(postgres: string): string {
  const pgbench = pgbenchCommand()
  const ofPgbench =
    pgbench === undefined
      ? "not installed"
      : execFileSync(pgbench, ["--version"], { encoding: "utf8" }).trim()
  const peers = Object.values(packages).map((name) => `${name} ${versionOf(name)}`)
  return `Node ${process.version}, Postgres ${postgres}, ${ofPgbench}, ${peers.join(", ")}. ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores.`
}
