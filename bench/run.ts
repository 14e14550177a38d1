/**
 * Runs the benchmarks, compiled: `tsx bench/run.ts [ledger|feed] [--seconds 2] [--rounds 3]`. Ratios of one run mean
 * something; absolute numbers belong to the machine that they were measured on.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
// Beside the packages, so that the database's binaries are found.
const out = join(root, "node_modules", ".cache", "plugfest-bench")
const [first, ...rest] = process.argv.slice(2)
const named = first !== undefined && !first.startsWith("--")
const benches = named ? [first] : ["ledger", "feed"]
const options = named ? rest : process.argv.slice(2)

mkdirSync(out, { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: benches.map((name) => `bench/${name}.ts`),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  packages: "external",
  logLevel: "warning"
})
let failures = 0
for (const name of benches) {
  const { status } = spawnSync(process.execPath, [join(out, `${name}.mjs`), ...options], { stdio: "inherit" })
  if (status !== 0) failures += 1
}
rmSync(out, { recursive: true, force: true })
process.exit(failures === 0 ? 0 : 1)
