/** Row 21: `git add .` where plugfest was tried out: its data directory lies in the working directory by default. */
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { plugfest } from "../support/service/command.ts"
import { freePort, startService } from "../support/service/Service.ts"
import { attack } from "./support/attack.ts"

const hasGit = (() => {
  try {
    execFileSync("git", ["--version"])
    return true
  } catch {
    return false
  }
})()

if (!hasGit) process.stdout.write("skipped: attack 21 is not played, git is not here\n")

describe.skipIf(!hasGit)("a repository in which plugfest is tried out", () => {
  let folder: string
  let added = 0
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-repository-"))
    chmodSync(folder, 0o711)
  })
  afterAll(() => {
    attack("21", `${added} files added`)
    rmSync(folder, { recursive: true, force: true })
  })

  it("gets neither keys nor database nor a backup of them", async () => {
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", args, { cwd: folder, encoding: "utf8" })
    git("init", "-q")
    writeFileSync(join(folder, "mine.txt"), "mine")
    const dataDir = join(folder, ".plugfest")
    const service = await startService({ DATA_DIR: dataDir, PORT: String(await freePort()) })
    const backup = await plugfest(["backup", join(folder, "backups/1")], { DATA_DIR: dataDir })
    assert.strictEqual(backup.code, 0, backup.stderr)
    await service.kill("SIGTERM")
    for (const file of [".plugfest/encryption-keys", ".plugfest/postgres/data", "backups/1/encryption-keys"])
      assert.isTrue(existsSync(join(folder, file)), file)
    git("add", "--all")
    const files = git("ls-files").trim().split("\n")
    added = files.length - 1
    assert.deepStrictEqual(files, ["mine.txt"])
  }, 60_000)
})
