/**
 * The fault matrix: `npm run chaos -- [--rows F1,F3] [--short] [--write] [--save FILE] [--from FILE,FILE] [--note TEXT]`.
 * Runs each row on the built service as separate processes with a real Postgres, counts the six zeros after it, and
 * prints one table. Two rows run at a time; those that measure time or memory run alone. `--write` writes the table into
 * docs/chaos.md, and its totals into the README; `--save` stores the results of the rows, and `--from` shows stored ones.
 * `--note` describes the circumstances.
 */
import { readFile, writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { startCluster } from "./cluster.ts"
import { matrix } from "./matrix.ts"
import { type Played, pageOf, play, tableOf, totalsOf } from "./table.ts"
import type { Ground, Row } from "./world/Row.ts"

const usage =
  "npm run chaos -- [--rows F1,F3] [--short] [--write] [--save FILE] [--from FILE,FILE] [--note TEXT]"
const { from, note, rows, save, short = false, write = false } = options()
const wanted = rows?.split(",") ?? matrix.map(({ id }) => id)
const chosen = matrix.filter(({ id }) => wanted.includes(id))
if (chosen.length !== wanted.length)
  refuse(`--rows: there are the rows ${matrix.map(({ id }) => id).join(", ")}`)

const played: Array<Played> = []
if (from === undefined) await playAll()
else for (const file of from.split(",")) played.push(...JSON.parse(await readFile(file, "utf8")))
const order = matrix.map(({ id }) => id)
played.sort((a, b) => order.indexOf(a.row.id) - order.indexOf(b.row.id))

process.stdout.write(`${tableOf(played)}\n${totalsOf(played)}\n`)
if (save !== undefined) await writeFile(save, JSON.stringify(played))
if (write) {
  await writeFile("docs/chaos.md", pageOf(played, short, note))
  const readme = await readFile("README.md", "utf8")
  await writeFile("README.md", readme.replace(/^Last run: [^.]*\.$/m, `Last run: ${totalsOf(played)}.`))
}
process.exit(played.every(({ result }) => result !== "broken") ? 0 : 1)

function options() {
  try {
    const text = { type: "string" } as const
    const flag = { type: "boolean" } as const
    const known = { rows: text, short: flag, write: flag, save: text, from: text, note: text, help: flag }
    const { values } = parseArgs({ options: known })
    if (values.help !== true) return values
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n${usage}\n`)
  process.exit(2)
}

async function playAll(): Promise<void> {
  const postgres = await startCluster()
  // The server is detached from the terminal: without this it would outlive a Ctrl-C.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void postgres.stop().finally(() => process.exit(130)))
  }
  const ground: Ground = {
    cluster: postgres.url,
    short,
    count: (long, few) => (short ? few : long),
    note: (text) => process.stderr.write(`    ${text}\n`)
  }
  try {
    // Most of a row is waiting, so two run together. Rows that measure time or memory run afterwards, alone.
    const together = chosen.filter(({ alone }) => alone !== true)
    await Promise.all(Array.from({ length: 2 }, () => playEach(together, ground)))
    await playEach(
      chosen.filter(({ alone }) => alone === true),
      ground
    )
  } finally {
    await postgres.stop()
  }
}

/** Runs one row after the other from the shared list, until it is empty. */
async function playEach(left: Array<Row>, ground: Ground): Promise<void> {
  for (let row = left.shift(); row !== undefined; row = left.shift()) {
    process.stderr.write(`${row.id} ${row.fault} …\n`)
    const one = await play(row, { ...ground, note: (text) => ground.note(`${row?.id}: ${text}`) })
    played.push(one)
    process.stderr.write(`${tableOf([one]).split("\n").at(-1)}\n`)
    for (const line of one.broken) process.stderr.write(`    ${one.row.id}: ${line}\n`)
  }
}
