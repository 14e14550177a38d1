// Runs the test command on other versions of Node than the one that is installed: npm brings their programs.
//   npm run test:nodes                         the whole test command, on each
//   npm run test:nodes -- 24 test/http         on one of them, these tests
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The long-term releases that docs/operations.md calls supported, beside the oldest one of package.json. */
const releases = { 22: "22.23.3", 24: "24.21.0" }

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const wanted = process.argv.slice(2).filter((word) => word in releases)
const words = process.argv.slice(2).filter((word) => !(word in releases))
const platform = process.platform === "win32" ? "win" : process.platform
// The npm package of that name is taken on one platform.
const name = `${platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${platform}-${process.arch}`

const failed = []
for (const major of wanted.length > 0 ? wanted : Object.keys(releases)) {
  const directory = mkdtempSync(join(tmpdir(), `plugfest-node-${major}-`))
  try {
    process.stdout.write(`Node ${releases[major]}\n`)
    const install = ["install", "--prefix", directory, `${name}@${releases[major]}`]
    const npm = spawnSync(
      "npm",
      [...install, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
      {
        stdio: ["ignore", 2, "inherit"],
        shell: process.platform === "win32"
      }
    )
    const bin = join(directory, "node_modules", name, "bin")
    // What a test starts by the name `node` is this one, too.
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
    const program = join(bin, process.platform === "win32" ? "node.exe" : "node")
    const tested =
      npm.status === 0 &&
      spawnSync(program, [join(root, ".ci/test.mjs"), ...words], { cwd: root, env, stdio: "inherit" })
        .status === 0
    if (!tested) failed.push(major)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
process.stdout.write(failed.length === 0 ? "passed on each\n" : `failed on Node ${failed.join(" and ")}\n`)
process.exit(failed.length === 0 ? 0 : 1)
