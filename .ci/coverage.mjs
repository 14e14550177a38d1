// Writes docs/coverage.md anew from the code: `npm run coverage`.
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const program = join(root, "dist/coverage.mjs")
await build({
  absWorkingDir: root,
  entryPoints: ["docs/tables/coverage.ts"],
  outfile: program,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  logLevel: "warning"
})
const { coverage } = await import(pathToFileURL(program).href)
const text = coverage(readFileSync(join(root, "docs/tables/catalogue.csv"), "utf8"))
writeFileSync(join(root, "docs/coverage.md"), text)
