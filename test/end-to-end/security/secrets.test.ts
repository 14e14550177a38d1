/** Unique tokens and keys go through every flow; afterwards nothing that leaves the process may contain them. */
import { spawnSync } from "node:child_process"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type CountingProxy, startCountingProxy } from "../../support/service/CountingProxy.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import {
  connectSandbox,
  freePort,
  key,
  type Service,
  startService,
  until
} from "../../support/service/Service.ts"
import { tried } from "../../support/tried.ts"

describe("secrets", () => {
  let service: Service
  let database: string
  let proxy: CountingProxy

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
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
    // From here on the partner gives back what it gets: in the body, in headers, as a place, encoded, in an error.
    proxy.meddle = (request, answer) => {
      const token = /^Token (.+)$/.exec(request.authorization)?.[1]
      if (token === undefined) return false
      const plain = Buffer.from(token, "base64").toString("utf8")
      const said = [
        token,
        plain,
        encodeURIComponent(token),
        encodeURIComponent(plain),
        JSON.stringify({ plain })
      ]
      const code = request.path.includes("versions") ? 200 : 500
      answer.writeHead(code, `refused ${plain}`.replace(/[^\x20-\x7e]/g, "?"), {
        "content-type": "application/json",
        location: `https://example.com/${encodeURIComponent(token)}?token=${encodeURIComponent(plain)}`,
        "x-seen": `Token ${token}`
      })
      answer.end(
        JSON.stringify({ status_code: 3000, status_message: said.join(" "), data: { said }, timestamp: "" })
      )
      return true
    }
    const echoed = await service.call("POST", "/api/v1/testing/runs", { connectionId, suiteId: suite.id })
    await until(
      "the run on the echo to end",
      async () => {
        const report = await service.call("GET", `/api/v1/testing/runs/${echoed.body.data._id}?wait=5`)
        return report.body.data.verdict === null ? undefined : true
      },
      120_000
    )
    for (const [path, body] of [
      ["/api/v1/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" }],
      [`/api/v1/connections/${connectionId}/preflight`, undefined],
      [`/api/v1/connections/${connectionId}/handshake`, undefined]
    ] as const) {
      captured.push((await service.call("POST", path, body)).text)
    }
    proxy.meddle = undefined
    for (const id of [run.body.data.reportId, graded.body.data._id, echoed.body.data._id]) {
      for (const format of ["junit", "json", "html", "markdown", "har", "ledger", "signed"]) {
        await keep(`/api/v1/testing/runs/${id}/export?format=${format}`)
      }
    }
    for (const path of [
      "/metrics",
      "/api/v1/settings/api-keys",
      "/api/v1/settings/audit?limit=100",
      `/api/v1/testing/runs/${echoed.body.data._id}/checks`,
      `/api/v1/testing/runs/${graded.body.data._id}/compare?with=${echoed.body.data._id}`,
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
    assert.match(
      places.answers,
      /"x-seen":\s*"Token [^"]*«token/,
      "what came back was kept, without the token in it"
    )

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
    const encodings = Object.keys(formsOf(key)).length
    tried(
      "B15",
      [`${encodings} encodings`, `${captured.length} answers`],
      `0 hits of ${secrets.length} secrets in ${forms} forms`
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
