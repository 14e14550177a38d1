import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { lookAtDatabase } from "../../src/database/lookAtDatabase.ts"

describe("EmbeddedPostgres", () => {
  let dataDir: string
  const root = () => join(dataDir, "postgres")

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), "plugfest-embedded-"))
    chmodSync(dataDir, 0o711)
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it("starts from nothing, with passwords that only the server's account can read", async () => {
    const { close, url } = await open(dataDir)
    assert.deepStrictEqual(await rows(url, "SELECT 1 AS one"), [{ one: 1 }])
    for (const file of ["data/plugfest.password", "service.password"])
      assert.strictEqual(statSync(join(root(), file)).mode & 0o777, 0o600, file)
    // docs/operations.md: the old libraries that it carries meet nothing that comes over a network.
    assert.deepStrictEqual(
      await rows(
        url,
        "SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'password_encryption', 'ssl') ORDER BY name"
      ),
      [
        { name: "listen_addresses", setting: "127.0.0.1" },
        { name: "password_encryption", setting: "scram-sha-256" },
        { name: "ssl", setting: "off" }
      ]
    )
    await rows(url, "CREATE TABLE kept (n int)")
    await close()
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "still running")
  })

  it("is looked at without being made or started", async () => {
    const looked = () => Effect.runPromise(lookAtDatabase({ url: undefined, dataDir }))
    const elsewhere = join(dataDir, "elsewhere")
    assert.deepStrictEqual(await Effect.runPromise(lookAtDatabase({ url: undefined, dataDir: elsewhere })), {
      state: "none"
    })
    assert.isFalse(existsSync(elsewhere))
    assert.deepStrictEqual(await looked(), { state: "stopped", version: "18", folder: root() })
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "started")
    const { close } = await open(dataDir)
    assert.match(JSON.stringify(await looked()), /^{"state":"answers","version":"18\./)
    await close()
  })

  it("keeps its data over a restart, and clears up after a first start that was cut off", async () => {
    mkdirSync(join(root(), "data.init-99999999/base"), { recursive: true })
    writeFileSync(join(root(), "password-99999999"), "secret")
    const { close, url } = await open(dataDir)
    assert.deepStrictEqual(await rows(url, "SELECT count(*)::int n FROM kept"), [{ n: 0 }])
    await close()
    assert.notMatch(readdirSync(root()).join(), /99999999/)
  })

  it("starts although the initdb of a first start that was killed is still at work", async () => {
    const dir = mkdtempSync(join(tmpdir(), "plugfest-embedded-"))
    chmodSync(dir, 0o711)
    const making = join(dir, "postgres", "data.init-99999999")
    mkdirSync(join(dir, "postgres"), { mode: 0o700 })
    const writes = `const fs = require("node:fs"), end = Date.now() + 4000
      let at = 0
      while (Date.now() < end) try {
        fs.mkdirSync(${JSON.stringify(`${making}/base/1`)}, { recursive: true })
        for (let n = 0; n < 200; n++) fs.writeFileSync(${JSON.stringify(`${making}/base/1/`)} + at++, "")
      } catch {}`
    const initdb = spawn(process.execPath, ["-e", writes])
    const gone = once(initdb, "exit")
    try {
      await eventually(async () => assert.isTrue(existsSync(making)))
      const { close, url } = await open(dir)
      assert.deepStrictEqual(await rows(url, "SELECT 1 AS one"), [{ one: 1 }])
      await close()
    } finally {
      initdb.kill("SIGKILL")
      await gone
      rmSync(dir, { recursive: true, force: true })
    }
  })

  it("adopts the server that a killed process left behind, with everything committed", async () => {
    const { child, url } = await startProcess(dataDir)
    await rows(url, "INSERT INTO kept VALUES (1)")
    const pid = serverPid(root())
    child.kill("SIGKILL")
    await once(child, "exit")
    const adopted = await open(dataDir)
    assert.strictEqual(adopted.url, url)
    assert.strictEqual(serverPid(root()), pid)
    assert.deepStrictEqual(await rows(adopted.url, "SELECT n FROM kept"), [{ n: 1 }])
    await adopted.close()
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "the dead process counts as a user")
  })

  it("is not stopped by the first of two users", async () => {
    const { child, url } = await startProcess(dataDir)
    const second = await open(dataDir)
    await second.close()
    assert.deepStrictEqual(await rows(url, "SELECT n FROM kept"), [{ n: 1 }])
    child.kill("SIGTERM")
    await once(child, "exit")
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "nobody stopped it")
    assert.deepStrictEqual(readdirSync(join(root(), "users")), [])
  })

  it("comes back on the same port when the server is killed, with everything committed", async () => {
    const { close, url } = await open(dataDir)
    await rows(url, "INSERT INTO kept VALUES (2)")
    process.kill(serverPid(root()), "SIGKILL")
    assert.deepStrictEqual(await eventually(() => rows(url, "SELECT n FROM kept ORDER BY n")), [
      { n: 1 },
      { n: 2 }
    ])
    await close()
  })

  it("is started once where it was begun before it is needed", async () => {
    const scope = Effect.runSync(Scope.make())
    await Effect.runPromise(Scope.extend(EmbeddedPostgres.begin({ dataDir }), scope))
    const pid = await eventually(async () => serverPid(root()))
    const { close, url } = await open(dataDir)
    assert.strictEqual(serverPid(root()), pid)
    assert.deepStrictEqual(await rows(url, "SELECT 1 AS one"), [{ one: 1 }])
    assert.lengthOf(readdirSync(join(root(), "users")), 1)
    await close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "still running")
  })

  it("is stopped where it was begun and nobody needed it", async () => {
    const scope = Effect.runSync(Scope.make())
    await Effect.runPromise(Scope.extend(EmbeddedPostgres.begin({ dataDir }), scope))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    assert.isFalse(existsSync(join(root(), "data", "postmaster.pid")), "still running")
    assert.deepStrictEqual(readdirSync(join(root(), "users")), [])
  })

  it("is not held up by a lock file whose number belongs to another program by now", async () => {
    writeFileSync(join(root(), "data", "postmaster.pid"), `${process.pid}\n${join(root(), "data")}\n0\n1\n`)
    const { close, url } = await open(dataDir)
    assert.deepStrictEqual(await rows(url, "SELECT 1 AS one"), [{ one: 1 }])
    await close()
  })

  it.runIf(process.getuid?.() === 0)(
    "moves where its account can go when the directory asked for is closed",
    async () => {
      const closed = join(dataDir, "closed")
      mkdirSync(closed, { mode: 0o700 })
      const { close, url } = await open(closed)
      const [found] = await rows(url, "SELECT current_setting('data_directory') directory")
      await close()
      const { directory } = found as { readonly directory: string }
      assert.match(directory, /^\/var\/(lib\/plugfest\/|tmp\/plugfest-)/)
      rmSync(dirname(directory), { recursive: true })
    }
  )

  // A cluster is made anew, and each process loads the whole service: however busy the machine is, only a hang takes so long.
  it("ends on one server when two processes start for the first time at once", {
    timeout: 120_000
  }, async () => {
    const fresh = join(dataDir, "race")
    const both = await Promise.all([startProcess(fresh), startProcess(fresh)])
    assert.strictEqual(both[0].url, both[1].url)
    for (const { child } of both) {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
    assert.deepStrictEqual(
      readdirSync(join(fresh, "postgres"))
        .sort()
        .filter((name) => name !== "log"),
      [".gitignore", "data", "service.password", "users"]
    )
  })
})

async function open(dataDir: string) {
  const scope = Effect.runSync(Scope.make())
  const { adminUrl } = await Effect.runPromise(Scope.extend(EmbeddedPostgres.acquire({ dataDir }), scope))
  return { url: Redacted.value(adminUrl), close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

async function startProcess(
  dataDir: string
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const program = join(dirname(fileURLToPath(import.meta.url)), "support/embeddedServer.ts")
  const child = spawn(process.execPath, ["--import", "tsx", program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let printed = ""
  for await (const chunk of child.stdout!) {
    printed += chunk
    const url = /^postgres:.*$/m.exec(printed)?.[0]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`the process ended: ${printed}`)
}

async function rows(url: string, sql: string): Promise<ReadonlyArray<unknown>> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function eventually<A>(work: () => Promise<A>): Promise<A> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await Effect.runPromise(Effect.sleep("100 millis"))
    }
  }
}

const serverPid = (root: string) =>
  Number(readFileSync(join(root, "data", "postmaster.pid"), "utf8").split("\n")[0])
