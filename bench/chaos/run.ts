/**
 * The fault matrix: `npm run chaos -- [--rows F1,F3] [--short] [--write]`. Plays each row on the built service as separate
 * processes with a real Postgres, counts the six zeros after it, and prints one table; `--write` puts it into
 * docs/chaos.md, and its totals into the README.
 */
import { readFile, writeFile } from "node:fs/promises"
import { startCluster } from "./cluster.ts"
import { matrix } from "./matrix.ts"
import type { Ground } from "./Row.ts"
import { type Played, pageOf, play, tableOf, totalsOf } from "./table.ts"

const option = (name: string) => process.argv.includes(`--${name}`)
const wanted = process.argv[process.argv.indexOf("--rows") + 1]?.split(",")
const chosen = option("rows") ? matrix.filter(({ id }) => wanted?.includes(id)) : matrix
const short = option("short")

const postgres = await startCluster()
const ground: Ground = {
  cluster: postgres.url,
  short,
  count: (long, few) => (short ? few : long),
  note: (text) => process.stderr.write(`    ${text}\n`)
}
// The server is no child of the terminal's: it would outlive a Ctrl-C.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void postgres.stop().finally(() => process.exit(130)))
}
const played: Array<Played> = []
try {
  for (const row of chosen) {
    process.stderr.write(`${row.id} ${row.fault} …\n`)
    const one = await play(row, ground)
    played.push(one)
    process.stderr.write(`${tableOf([one]).split("\n").at(-1)}\n`)
    for (const line of one.broken) process.stderr.write(`    ${line}\n`)
  }
} finally {
  await postgres.stop()
}
process.stdout.write(`${tableOf(played)}\n`)
if (option("write")) {
  await writeFile("docs/chaos.md", pageOf(played, short))
  const readme = await readFile("README.md", "utf8")
  await writeFile("README.md", readme.replace(/^Last run: .*$/m, `Last run: ${totalsOf(played)}.`))
}
process.exit(played.every(({ result }) => result !== "broken") ? 0 : 1)
