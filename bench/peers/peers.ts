/**
 * plugfest beside others that do a part of what it does, in one run: `npm run bench -- peers [--only <peer>] [--rounds 3]
 * [--seconds 1]`. Prints Markdown. A peer that cannot be installed or played is a row that says why.
 */
import { execFileSync } from "node:child_process"
import { cpus } from "node:os"
import { loadAverage, optionOf, say, textOption } from "../measure.ts"
import { pgbenchCommand } from "../pgbench.ts"
import { compareAppends } from "./appends.ts"
import { compareJourneys } from "./journeys.ts"
import { install, versionOf } from "./Peer.ts"
import { compareRequests } from "./requests.ts"
import { compareSuites } from "./suite.ts"
import { print, reasonOf, type Table } from "./table.ts"
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
  try {
    say(`\n${versions(world.postgresVersion)}\n\nMedians of ${rounds} interleaved rounds. ${loadAverage()}`)
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
  return true
}

/** A comparison that breaks says so, and the command goes on. */
async function play(title: string, measure: () => Promise<Table | ReadonlyArray<Table>>): Promise<void> {
  try {
    for (const table of [await measure()].flat()) print(table)
  } catch (error) {
    say(`\n### ${title}\n\nNot measured: ${reasonOf(error)}`)
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  }
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
