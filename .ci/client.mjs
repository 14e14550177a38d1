// Builds the package of the client into dist/client: one module, its types, its manifest. `npm pack` there makes the tarball.
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const [from, to] = [join(root, "src/client"), join(root, "dist/client")]
rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
await build({
  entryPoints: [join(from, "plugfest.ts")],
  outfile: join(to, "plugfest.js"),
  bundle: true,
  platform: "neutral",
  target: "es2022",
  format: "esm",
  logLevel: "warning"
})
const compiler = [
  ...[join(root, "node_modules/typescript-native/bin/tsc"), join(from, "plugfest.ts"), "--ignoreConfig"],
  ...["--declaration", "--emitDeclarationOnly", "--allowImportingTsExtensions", "--outDir", to],
  ...["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"],
  ...["--exactOptionalPropertyTypes", "--types", ""]
]
const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: "utf8" })
if (status !== 0) {
  process.stderr.write(stdout)
  process.exit(1)
}
// Declarations keep the names of the sources; readers find them beside the module.
for (const file of readdirSync(to).filter((name) => name.endsWith(".d.ts")))
  writeFileSync(
    join(to, file),
    readFileSync(join(to, file), "utf8").replace(/(from "\.\/\w+)\.ts"/g, '$1.js"')
  )
for (const file of ["package.json", "README.md"]) copyFileSync(join(from, file), join(to, file))
copyFileSync(join(root, "LICENSE"), join(to, "LICENSE"))
