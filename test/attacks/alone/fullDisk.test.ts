/** Row 16: the disk under the database is full. Whoever asks whether the service is ready must not be told that it is. */
import { execFileSync } from "node:child_process"
import { randomBytes, randomInt } from "node:crypto"
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { rows } from "../../support/service/database.ts"
import { type PrivatePostgres, privatePostgres } from "../../support/service/PrivatePostgres.ts"
import { connectSandbox, type Service, sleep, startService } from "../../support/service/Service.ts"
import { api, ask, attack, isRefusal, seconds, shown } from "../support/attack.ts"

/** A small disk of its own, where this machine lets us have one. */
const disk = ((): { readonly path: string } | { readonly why: string } => {
  const path = mkdtempSync(join(tmpdir(), "plugfest-full-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m,mode=0777", "tmpfs", path], { stdio: "pipe" })
    return { path }
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    return { why: String(error).split("\n")[0]! }
  }
})()
if ("why" in disk) attack("16", `not tried: a small tmpfs cannot be mounted here: ${disk.why}`)

/** How soon readiness follows, in milliseconds. */
const soon = 5000

describe("a full disk under the database", () => {
  // Of its own: where no checkpoint can be written, no other file could make a database.
  let postgres: PrivatePostgres
  const name = `full_${randomBytes(4).toString("hex")}`
  let service: Service
  let connectionId: string
  const lines: Array<string> = []

  beforeAll(async () => {
    if (!("path" in disk)) return
    postgres = await privatePostgres()
    await postgres.start()
    const [{ data_directory }] = (await rows(postgres.url(), "show data_directory")) as [
      { data_directory: string }
    ]
    const { gid, uid } = statSync(data_directory)
    mkdirSync(join(disk.path, "space"), { mode: 0o700 })
    chownSync(join(disk.path, "space"), uid, gid)
    await rows(postgres.url(), `CREATE TABLESPACE ${name} LOCATION '${join(disk.path, "space")}'`)
    await rows(postgres.url(), `CREATE DATABASE ${name} TABLESPACE ${name}`)
    const url = new URL(postgres.url())
    url.pathname = `/${name}`
    service = await startService({ DATABASE_URL: url.href })
    connectionId = (await connectSandbox(service, { activity: "quiet" })).connectionId
  }, 60_000)
  afterAll(async () => {
    if (!("path" in disk)) return
    attack("16", ...lines)
    await service?.kill("SIGTERM")
    await postgres.dispose()
    execFileSync("umount", ["-l", disk.path], { stdio: "pipe" })
    rmSync(disk.path, { recursive: true, force: true })
  }, 60_000)

  const ready = async () => (await ask(`${service.url}/health/ready`, { within: 8000 })).status
  const ballast = () => join((disk as { readonly path: string }).path, "ballast")
  const fill = () => {
    for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2))
      try {
        for (;;) appendFileSync(ballast(), Buffer.alloc(size, 1))
      } catch {}
  }
  /** Something that needs new pages: large enough for none that is there to have room. */
  const write = (at: number) =>
    api(service, "/testing/scenarios", {
      method: "POST",
      within: 12_000,
      body: {
        name: `full ${at}`,
        templateId: "remote-start",
        faults: Array.from({ length: 500 }, () => ({
          fault: "late-answer",
          seconds: randomInt(1, 121),
          times: randomInt(1, 1001)
        }))
      }
    })
  /** Polls until readiness is this; milliseconds, or none when it takes too long. */
  const becomes = async (status: number, millis: number) => {
    const began = performance.now()
    for (;;) {
      if ((await ready()) === status) return performance.now() - began
      if (performance.now() - began > millis) return undefined
      await sleep(100)
    }
  }

  it.runIf("path" in disk)(
    "is told by /health/ready, and is over soon after there is room again",
    async () => {
      assert.strictEqual(await ready(), 200)
      assert.isBelow((await write(0)).status, 500)
      for (let round = 1; round <= 2; round += 1) {
        fill()
        const refused: Array<number> = []
        for (let at = 0; at < 12; at += 1) {
          const { json, status, text } = await write(at)
          refused.push(status)
          assert.notStrictEqual(status, 0, "an answer")
          assert.notStrictEqual(status, 500, `a full disk is no bug of ours: ${shown(text)}`)
          if (status >= 500)
            assert.deepStrictEqual(Object.keys(json ?? {}), ["success", "message"], shown(text))
          else if (status >= 400)
            isRefusal("a write", {
              status,
              text,
              json,
              headers: { "content-type": "application/json" },
              millis: 0
            })
          fill()
        }
        assert.include(refused, 503, `nothing was refused: ${refused.join(" ")}`)
        const told = await becomes(503, soon * 2)
        const live = await ask(`${service.url}/health/live`)
        const reads = await api(service, `/connections/${connectionId}`)
        // It stays so while the disk is full.
        await sleep(2500)
        const still =
          told === undefined ? await ready() : await Promise.all([ready(), ready()]).then(([one]) => one)
        rmSync(ballast(), { force: true })
        const healed = await becomes(200, soon * 2)
        const again = await write(100 + round)
        lines.push(
          `round ${round}: ${refused.filter((status) => status === 503).length} of ${refused.length} writes refused with 503, ready said 503 ${
            told === undefined ? "never" : `after ${seconds(told)}`
          }, then ${still}; 200 ${healed === undefined ? "never" : `${seconds(healed)} after there was room`}`
        )
        assert.isDefined(told, lines.at(-1))
        assert.strictEqual(still, 503, lines.at(-1))
        assert.strictEqual(live.status, 200, "it is alive")
        assert.strictEqual(reads.status, 200, "what is there is read")
        assert.isDefined(healed, lines.at(-1))
        assert.isBelow(healed!, soon, lines.at(-1))
        assert.isBelow(again.status, 300, again.text)
      }
    },
    90_000
  )

  it("is tried only where a small disk can be mounted", () => {
    if ("why" in disk) assert.isNotEmpty(disk.why)
    else assert.isDefined(service)
  })
})
