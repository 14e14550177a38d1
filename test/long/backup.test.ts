/** Backups of a service that works meanwhile, made and restored by the built command line; killed in the middle, too. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type Ended, plugfest } from "../support/service/command.ts"
import { freshDatabase, migratedDatabase, rows } from "../support/service/database.ts"
import {
  bundle,
  connectSandbox,
  environmentOf,
  freePort,
  key,
  type Service,
  sleep,
  startService,
  until
} from "../support/service/Service.ts"

describe("backups of the built service", () => {
  let service: Service
  let folder: string
  let database: string
  let dataDir: string
  let connectionId: string
  let passed: any
  /** The backup that was made last while runs went on. */
  let latest: string
  const port = freePort()
  const settings = async () => ({ DATABASE_URL: database, DATA_DIR: dataDir, PORT: String(await port) })
  const over = (of: Service, id: string) =>
    until(
      `the end of ${id}`,
      async () => {
        const { body } = await of.call("GET", `/api/v1/testing/runs/${id}`)
        return body.data.verdict === null ? undefined : body.data
      },
      80_000
    )
  const play = (of: Service) =>
    of.call("POST", "/api/v1/testing/journey-runs", { connectionId, templateId: "remote-start" })
  const json = ({ code, stderr, stdout }: Ended) => {
    assert.strictEqual(code, 0, stdout + stderr)
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-backup-"))
    chmodSync(folder, 0o711) // as root, the embedded server runs as somebody else
    dataDir = join(folder, "data")
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService(await settings())
    connectionId = (await connectSandbox(service)).connectionId
    passed = await over(service, (await play(service)).body.data.reportId)
  }, 120_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  it("are consistent while lines are appended: every run of them ends with its head hash", async () => {
    let isDone = false
    const work = (async () => {
      while (!isDone) {
        const started = await play(service)
        assert.include([202, 429], started.status, started.text)
        await sleep(150)
      }
    })()
    const made: Array<{ folder: string; lines: number; runs: number }> = []
    while (made.length < 3) {
      const target = join(folder, `backup-${made.length}`)
      made.push(
        json(await plugfest(["backup", target, "--json"], { DATABASE_URL: database, DATA_DIR: dataDir }))
      )
      await sleep(1000)
    }
    isDone = true
    await work
    assert.isAbove(made[2]!.lines, made[1]!.lines)
    assert.isAbove(made[1]!.lines, made[0]!.lines)
    for (const { folder: backup, lines, runs } of made) {
      const target = await freshDatabase(inject("pgUrl"))
      const found = json(
        await plugfest(["restore", backup, "--json"], { DATABASE_URL: target, DATA_DIR: `${backup}-data` })
      )
      assert.deepInclude(found, { lines, runs, notIntact: [], unreadable: [] })
    }
    latest = made[2]!.folder
  }, 240_000)

  it("say nothing of a secret", async () => {
    const { stderr, stdout } = await plugfest(["backup", join(folder, "quiet"), "--json"], {
      DATABASE_URL: database,
      DATA_DIR: dataDir
    })
    for (const file of ["encryption-keys", "signing-keys"]) {
      const secret = readFileSync(join(folder, "quiet", file), "utf8").trim()
      assert.isAbove(secret.length, 40)
      for (const said of [stdout, stderr, readFileSync(join(folder, "quiet", "manifest.json"), "utf8")])
        assert.notInclude(said, secret)
    }
  }, 60_000)

  it("are no backup when the command is killed, and leave nothing when it is stopped", async () => {
    await rows(
      database,
      `INSERT INTO audit_entry (id, owner_id, action) SELECT 'aud_' || n, md5(n::text), md5((n * 7)::text) || md5((n * 11)::text)
       FROM generate_series(1, 200000) n`
    )
    const started = (name: string) =>
      spawn(process.execPath, [bundle, "backup", join(folder, name)], {
        env: environmentOf({ DATABASE_URL: database, DATA_DIR: dataDir }),
        stdio: "ignore"
      })
    const ended = (child: ChildProcess) => once(child, "exit")
    const partOf = (name: string) => readdirSync(folder).find((one) => one.startsWith(`${name}.partial-`))
    const inTheMiddle = (name: string) =>
      until(`the first tables of ${name}`, async () => {
        const part = partOf(name)
        return part !== undefined && existsSync(join(folder, part, "tables/audit_entry.copy.gz"))
          ? part
          : undefined
      })

    const killed = started("killed")
    const part = await inTheMiddle("killed")
    const killedEnd = ended(killed)
    killed.kill("SIGKILL")
    assert.deepStrictEqual(await killedEnd, [null, "SIGKILL"])
    assert.isFalse(existsSync(join(folder, "killed")))
    assert.isFalse(existsSync(join(folder, part, "tables/run.copy.gz")), "it was killed too late")
    const target = await freshDatabase(inject("pgUrl"))
    const refused = await plugfest(["restore", join(folder, part)], {
      DATABASE_URL: target,
      DATA_DIR: join(folder, "none")
    })
    assert.strictEqual(refused.code, 2, refused.stderr)
    assert.match(refused.stderr, /is no backup, or one that was not finished/)
    assert.isEmpty(await rows(target, "SELECT FROM pg_tables WHERE schemaname = 'public'"))
    assert.isFalse(existsSync(join(folder, "none")))

    const stopped = started("stopped")
    await inTheMiddle("stopped")
    const stoppedEnd = ended(stopped)
    stopped.kill("SIGTERM")
    assert.deepStrictEqual(await stoppedEnd, [130, null])
    assert.isUndefined(partOf("stopped"))
    assert.isFalse(existsSync(join(folder, "stopped")))
    // Neither holds back the database any more.
    await until("the end of both transactions", async () =>
      (
        await rows(
          database,
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND query LIKE 'COPY (SELECT%'"
        )
      ).length === 0
        ? true
        : undefined
    )
  }, 120_000)

  it("leave an empty database when a restore is killed, which can then be restored", async () => {
    const large = join(folder, "large")
    json(await plugfest(["backup", large, "--json"], { DATABASE_URL: database, DATA_DIR: dataDir }))
    const target = await freshDatabase(inject("pgUrl"))
    const child = spawn(process.execPath, [bundle, "restore", large], {
      env: environmentOf({ DATABASE_URL: target, DATA_DIR: join(folder, "killed-data") }),
      stdio: "ignore"
    })
    await until("rows on their way", async () => {
      const copying = await rows(
        target,
        "SELECT FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > 1000"
      )
      return copying.length > 0 ? true : undefined
    })
    const end = once(child, "exit")
    child.kill("SIGKILL")
    assert.deepStrictEqual(await end, [null, "SIGKILL"])
    await until("the roll-back", async () =>
      (
        await rows(
          target,
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
      ).length === 0
        ? true
        : undefined
    )
    assert.isEmpty(await rows(target, "SELECT FROM pg_tables WHERE schemaname = 'public'"))
    const again = await plugfest(["restore", large, "--json"], {
      DATABASE_URL: target,
      DATA_DIR: join(folder, "large-data")
    })
    assert.strictEqual(json(again).unreadable.length, 0)
    assert.strictEqual(
      (await rows(target, "SELECT FROM audit_entry WHERE id LIKE 'aud\\__%' AND action ~ '^[0-9a-f]{64}$'"))
        .length,
      200_000
    )
  }, 180_000)

  it("serve again in an embedded database: keys, runs, signatures, and tokens both ways", async () => {
    const signed = join(folder, "signed.json")
    const client = { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key }
    assert.strictEqual(
      (await plugfest(["report", passed._id, "--format", "signed", "--out", signed], client)).code,
      0
    )
    await service.kill("SIGTERM")
    const restored = join(folder, "restored")
    const found = json(await plugfest(["restore", latest, "--json", "--data-dir", restored]))
    assert.strictEqual(found.keysIn, restored)
    service = await startService({ DATA_DIR: restored, PORT: String(await port) })
    const verified = await plugfest(["verify", passed.runId], client)
    assert.match(verified.stdout, /intact: \d+ lines/, verified.stderr)
    const jwks = join(folder, "jwks.json")
    writeFileSync(jwks, await (await fetch(`${service.url}/.well-known/jwks.json`)).text())
    const evidence = await plugfest(["verify", "--file", signed, "--public-key", jwks], {})
    assert.strictEqual(evidence.code, 0, evidence.stdout + evidence.stderr)
    const again = await over(service, (await play(service)).body.data.reportId)
    assert.strictEqual(again.verdict, "pass")
    // Runs that were under way when the backup was made are not forgotten: they end, or ask for a decision.
    await until(
      "the end of runs that were under way",
      async () => {
        const open = await Promise.all(
          ["queued", "running"].map((status) => service.call("GET", `/api/v1/testing/runs?status=${status}`))
        )
        for (const { status, text } of open) assert.strictEqual(status, 200, text)
        return open.every(({ body }) => (body.data as Array<unknown>).length === 0) ? true : undefined
      },
      90_000
    )
    // And once more, of the embedded database while it serves.
    const second = json(await plugfest(["backup", join(folder, "second"), "--json", "--data-dir", restored]))
    assert.isAbove(second.runs, found.runs)
    assert.strictEqual((await service.call("GET", `/api/v1/testing/runs/${again._id}`)).status, 200)
  }, 180_000)
})
