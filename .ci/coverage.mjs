// Writes docs/coverage.md anew from the code, and rows of the catalogue for checks that have none: `npm run coverage`.
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
const { completed, coverage } = await import(pathToFileURL(program).href)
const rows = join(root, "docs/tables/catalogue.csv")
const catalogue = completed(readFileSync(rows, "utf8"))
writeFileSync(rows, catalogue)
writeFileSync(join(root, "docs/coverage.md"), coverage(catalogue))
