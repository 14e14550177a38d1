/** A database that answers and takes no writes: the built service is not ready, says why, and heals by itself. */
import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDatabase, rows } from "../support/service/database.ts"
import { type PrivatePostgres, privatePostgres } from "../support/service/PrivatePostgres.ts"
import { connectSandbox, type Service, sleep, startService, until } from "../support/service/Service.ts"

/** How soon it is seen, and how soon it is over. */
const barMillis = 5000

/** The next readiness of that status, and how long it took to come. */
async function readiness(service: Service, status: number) {
  const started = performance.now()
  const answer = await until(`readiness ${status}`, async () => {
    const ready = await service.call("GET", "/health/ready")
    return ready.status === status ? ready : undefined
  })
  const millis = performance.now() - started
  assert.isAtMost(millis, barMillis)
  process.stdout.write(`readiness ${status} after ${Math.round(millis)} ms: ${answer.text}\n`)
  return answer
}

/** Not ready for this reason, while the process lives. A read counts as a request and so may write: put off, never a fault. */
async function takesNoWrites(service: Service, why: RegExp) {
  const answer = await readiness(service, 503)
  assert.match(answer.body.message ?? "", why)
  assert.deepStrictEqual(Object.keys(answer.body).sort(), ["message", "success"])
  assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
  assert.strictEqual((await service.call("GET", "/health/live")).status, 200)
  const read = await service.call("GET", "/api/v1/connections")
  assert.include([200, 503], read.status, read.text)
}

const connection = {
  partnerBaseUrl: "https://partner.example/versions",
  tokenA: "token-a-of-a-readiness-test-01",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1"
}
const put = (service: Service) => service.call("POST", "/api/v1/connections", connection)

/** A small disk of its own for Postgres, or why there can be none. */
function smallDisk(data: string): { readonly path: string } | { readonly skipped: string } {
  const path = mkdtempSync(join(tmpdir(), "plugfest-ready-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=32m,mode=0777", "tmpfs", path], { stdio: "pipe" })
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    return { skipped: `a small tmpfs cannot be mounted here: ${String(error).split("\n")[0]}` }
  }
  const { gid, uid } = statSync(data)
  mkdirSync(join(path, "space"), { mode: 0o700 })
  chownSync(join(path, "space"), uid, gid)
  return { path }
}

/** Fills the tablespace until not even a page fits. */
async function fill(database: string) {
  await rows(database, "CREATE TABLE ballast (text text) TABLESPACE small")
  for (let size = 4_000_000; size >= 32; ) {
    const text = `(SELECT string_agg(md5(random()::text), '') FROM generate_series(1, ${Math.ceil(size / 32)}))`
    const fits = await rows(database, `INSERT INTO ballast SELECT ${text}`).then(
      () => true,
      (error) => {
        assert.strictEqual(error.code, "53100")
        return false
      }
    )
    if (!fits) size /= 2
  }
}

describe("readiness", () => {
  let postgres: PrivatePostgres
  let disk: ReturnType<typeof smallDisk>

  beforeAll(async () => {
    postgres = await privatePostgres()
    await postgres.start()
    const [{ data_directory }] = (await rows(postgres.url(), "SHOW data_directory")) as [any]
    disk = smallDisk(data_directory)
    if ("path" in disk)
      await rows(postgres.url(), `CREATE TABLESPACE small LOCATION '${join(disk.path, "space")}'`)
  }, 60_000)
  afterAll(async () => {
    await postgres.dispose()
    if ("path" in disk) {
      execFileSync("umount", ["-l", disk.path], { stdio: "pipe" })
      rmSync(disk.path, { recursive: true, force: true })
    }
  })

  it("follows a full disk under the whole database, of a service that is idle", async ({ skip }) => {
    if ("skipped" in disk) return skip(disk.skipped)
    const database = await freshDatabase(postgres.url())
    const name = new URL(database).pathname.slice(1)
    await rows(postgres.url(), `ALTER DATABASE ${name} SET TABLESPACE small`)
    const service = await startService({ DATABASE_URL: database })
    await readiness(service, 200)
    await fill(database)
    await takesNoWrites(service, /^The database takes no writes: its disk is full/)
    const refused = await put(service)
    assert.strictEqual(refused.status, 503, refused.text)
    assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    await rows(database, "DROP TABLE ballast")
    await readiness(service, 200)
    assert.strictEqual((await put(service)).status, 201)
    await service.kill("SIGTERM")
    await rows(postgres.url(), `DROP DATABASE ${name} WITH (FORCE)`)
  }, 180_000)

  it("follows a full disk under the ledger alone, wherever that was moved", async ({ skip }) => {
    if ("skipped" in disk) return skip(disk.skipped)
    const database = await freshDatabase(postgres.url())
    const service = await startService({ DATABASE_URL: database })
    const { connectionId } = await connectSandbox(service)
    await rows(
      database,
      `DO $$ DECLARE one regclass; BEGIN
         FOR one IN SELECT relid FROM pg_partition_tree('ledger_event') LOOP
           EXECUTE format('ALTER TABLE %s SET TABLESPACE small', one);
         END LOOP;
       END $$`
    )
    await readiness(service, 200)
    await fill(database)
    await takesNoWrites(service, /its disk is full/)
    const order = { connectionId, templateId: "remote-start" }
    const start = () => service.call("POST", "/api/v1/testing/journey-runs", order)
    // A first line is short, and may still find room on a page that the ledger has.
    let started = await start()
    for (let more = 0; more < 20 && started.status === 202; more++) started = await start()
    assert.strictEqual(started.status, 503, started.text)
    assert.isAtLeast(Number(started.headers.get("retry-after")), 1)
    await sleep(4000)
    await takesNoWrites(service, /its disk is full/) // still, with nobody writing but the runs that stand still
    await rows(database, "DROP TABLE ballast")
    await readiness(service, 200)
    assert.strictEqual((await start()).status, 202)
    await service.kill("SIGKILL")
  }, 180_000)

  it("follows a database that became read-only, as a standby is", async () => {
    const database = await freshDatabase(postgres.url())
    const service = await startService({ DATABASE_URL: database })
    await readiness(service, 200)
    const set = async (word: "SET" | "RESET") => {
      const client = new pg.Client({
        connectionString: postgres.url(),
        options: "-c default_transaction_read_only=off"
      })
      await client.connect()
      const value = word === "SET" ? "= on" : ""
      await client.query(`ALTER SYSTEM ${word} default_transaction_read_only ${value}`)
      await client.query("SELECT pg_reload_conf()")
      await client.end()
    }
    await set("SET")
    await takesNoWrites(service, /^The database takes no writes: it is read-only/)
    const refused = await put(service)
    assert.strictEqual(refused.status, 503, refused.text)
    assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    await set("RESET")
    await readiness(service, 200)
    assert.strictEqual((await put(service)).status, 201)
    await service.kill("SIGTERM")
  }, 120_000)

  it("is asked as often as anybody likes, and tries a write once a second at most", async () => {
    const database = await freshDatabase(postgres.url())
    const service = await startService({ DATABASE_URL: database })
    const trials = async () =>
      (
        await rows(
          database,
          "SELECT n_tup_upd::int AS n FROM pg_stat_user_tables WHERE relname = 'write_probe'"
        )
      )[0].n
    const started = performance.now()
    let asked = 0
    while (performance.now() - started < 3000) {
      await Promise.all(Array.from({ length: 20 }, () => readinessOnce(service)))
      asked += 20
    }
    const seconds = (performance.now() - started) / 1000
    await sleep(1500) // statistics are told of a little later
    assert.isAbove(asked, seconds + 1)
    const made = await trials()
    assert.isAtLeast(made, 1)
    assert.isAtMost(made, seconds + 1, `${asked} questions`)
    await service.kill("SIGTERM")
  }, 60_000)
})

const readinessOnce = async (service: Service) => {
  const response = await fetch(`${service.url}/health/ready`)
  assert.strictEqual(response.status, 200, await response.text())
}
