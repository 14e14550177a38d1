/** Unique tokens and keys go through every flow; afterwards nothing that leaves the process may contain them. */
import { spawnSync } from "node:child_process"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type CountingProxy, startCountingProxy } from "./CountingProxy.ts"
import { freshDatabase, rows } from "./database.ts"
import { connectSandbox, freePort, key, type Service, startService, until } from "./Service.ts"

describe("secrets", () => {
  let service: Service
  let database: string
  let proxy: CountingProxy

  beforeAll(async () => {
    database = await freshDatabase(inject("pgUrl"))
    // Both sides speak through the proxy (it is the PUBLIC_URL), so every token that is used passes it.
    const port = await freePort()
    proxy = await startCountingProxy(await freePort())
    proxy.target = `http://127.0.0.1:${port}`
    service = await startService({
      DATABASE_URL: database,
      LOG_LEVEL: "debug",
      PORT: String(port),
      PUBLIC_URL: proxy.url
    })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    await proxy?.close()
  })

  it("appear in no dump, log, ledger line, stream, view or error, in any form", async () => {
    const { partner, connectionId } = await connectSandbox(service)
    const failing = await service.call("POST", "/api/v1/connections", {
      partnerBaseUrl: `${partner.partnerBaseUrl}/nowhere`,
      tokenA: "canary-token_of-a.failing-handshake",
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    await service.call("POST", `/api/v1/connections/${failing.body.data._id}/handshake`)
    await service.call("POST", "/api/v1/connections", {
      tokenA: { nested: "canary-in-a-wrong-place_1" },
      ourRole: 3
    })

    const captured: Array<string> = []
    const keep = async (path: string) => {
      captured.push((await service.call("GET", path)).text)
    }
    const run = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "remote-start"
    })
    const suite = (await service.call("GET", "/api/v1/testing/suites")).body.data.find((one: any) =>
      one.id.endsWith("2.2.1-cpo-core")
    )
    const graded = await service.call("POST", "/api/v1/testing/runs", { connectionId, suiteId: suite.id })
    for (const id of [run.body.data.reportId, graded.body.data._id]) {
      await until(
        "both runs to end",
        async () => {
          const report = await service.call("GET", `/api/v1/testing/runs/${id}?wait=5`)
          return report.body.data.verdict === null ? undefined : true
        },
        120_000
      )
    }
    await service.call("POST", "/api/v1/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" })
    await service.call("POST", `/api/v1/connections/${connectionId}/handshake`)
    for (const path of [
      "/api/v1/connections",
      `/api/v1/connections/${connectionId}/exchanges`,
      `/api/v1/connections/${failing.body.data._id}`,
      `/api/v1/connections/${failing.body.data._id}/exchanges`,
      "/api/v1/sandbox/partners",
      "/api/v1/testing/runs",
      `/api/v1/testing/runs/${graded.body.data._id}/checks`,
      `/api/v1/testing/journey-runs/${run.body.data.runId}/events?limit=1000`,
      `/api/v1/testing/journey-runs/${run.body.data.runId}/stream`
    ]) {
      await keep(path)
    }

    const dump = spawnSync("pg_dump", ["--dbname", database], { encoding: "utf8", maxBuffer: 1 << 28 })
    // Without pg_dump every table is read instead: the same text.
    const stored = dump.status === 0 ? dump.stdout : await everyRow(database)
    const places = { dump: stored, logs: service.output(), answers: captured.join("\n") }
    assert.isAbove(stored.length, 10_000)

    const secrets = [key, partner.tokenA, "canary-token_of-a.failing-handshake", "canary-in-a-wrong-place_1"]
    // Tokens B and C of the registration and of the rotation, as they were really sent.
    const used = proxy.passed
      .map((one) => /^Token (.+)$/.exec(one.authorization)?.[1])
      .filter((text) => text !== undefined)
      .flatMap((text) => [text, Buffer.from(text, "base64").toString("utf8")])
      .filter((text) => /^[\x21-\x7e]{16,64}$/.test(text))
    for (const token of new Set(used)) if (!secrets.includes(token)) secrets.push(token)
    assert.isAtLeast(secrets.length, 8, "tokens B and C were seen, old and new")
    let forms = 0
    for (const secret of secrets) {
      for (const [form, text] of Object.entries(formsOf(secret))) {
        forms += 1
        for (const [place, content] of Object.entries(places)) {
          assert.strictEqual(content.split(text).length - 1, 0, `${secret} as ${form} in ${place}`)
        }
      }
    }
    process.stdout.write(
      `secrets: ${secrets.length} secrets, ${forms} forms, dump + logs + answers: 0 hits\n`
    )
  }, 180_000)
})

function formsOf(secret: string): Record<string, string> {
  return {
    plain: secret,
    base64: Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    base64url: Buffer.from(secret).toString("base64url"),
    urlEncoded: encodeURIComponent(secret.replace(/./g, (one) => one)),
    percent: [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    hex: Buffer.from(secret).toString("hex")
  }
}

async function everyRow(database: string): Promise<string> {
  const tables = await rows(database, "select tablename from pg_tables where schemaname = 'public'")
  const contents = await Promise.all(
    tables.map(({ tablename }) => rows(database, `select row_to_json(t)::text as row from "${tablename}" t`))
  )
  return contents
    .flat()
    .map(({ row }) => row)
    .join("\n")
}
