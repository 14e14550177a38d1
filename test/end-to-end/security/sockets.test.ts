/** Connections and readers of the built service: how many there may be, and how long an answer waits for its reader. */
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import {
  connectSandbox,
  key,
  type Service,
  sleep,
  startService,
  until
} from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"
import { answersIn, heard, openSocket } from "../support/rawHttp.ts"

const most = 60
const stalledSeconds = 2

describe("sockets", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      MAX_CONNECTIONS: String(most),
      MAX_CONNECTIONS_PER_ADDRESS: "50",
      STALLED_READER_SECONDS: String(stalledSeconds)
    })
  }, 90_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  it("that never read are closed, and a long poll and a feed that say nothing for longer are not", async () => {
    const { connectionId } = await connectSandbox(service, { speed: 1 })
    const order = { connectionId, templateId: "remote-start" }
    const run = succeeded(await service.call("POST", "/api/v1/testing/journey-runs", order), 202)
    const controller = new AbortController()
    const feed = await fetch(`${service.url}/api/v1/testing/journey-runs/${run.runId}/stream`, {
      headers: { authorization: `Bearer ${key}` },
      signal: controller.signal
    })
    const suites = await service.call("GET", `/api/v1/testing/runs/${run.reportId}`)
    const poll = service.call(
      "GET",
      `/api/v1/testing/runs/${run.reportId}?wait=8&since=${succeeded(suites).revision}`
    )
    // More than the system takes for a reader that takes nothing.
    const asks = "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n".repeat(12)
    const sockets = Array.from({ length: 20 }, () => openSocket(service.url))
    const ends = sockets.map(
      (socket) => new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now())))
    )
    const began = performance.now()
    for (const socket of sockets) {
      socket.pause()
      socket.write(asks)
    }
    // A paused socket hears of its end when it reads again.
    await sleep((stalledSeconds + 6) * 1000)
    for (const socket of sockets) socket.resume()
    const closed = await Promise.all(ends)
    for (const at of closed) assert.isBelow(at - began, 40_000)
    const texts = await openCount(service)
    assert.isAtMost(texts, 5)
    assert.strictEqual((await poll).status, 200)
    const reader = feed.body!.getReader()
    assert.isFalse((await reader.read()).done)
    controller.abort()
    tried(
      "B21",
      [`${sockets.length} readers that take nothing`],
      "each closed; a long poll and a feed went on"
    )
  }, 90_000)

  it("that are too many are told so, and others come in when there is room again", async () => {
    const open = Array.from({ length: 50 }, () => openSocket(service.url))
    await Promise.all(
      open.map((socket) => new Promise<void>((resolve) => socket.once("connect", () => resolve())))
    )
    await sleep(200)
    const more = Array.from({ length: 10 }, () => openSocket(service.url))
    for (const socket of more) socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
    const heardOf = await Promise.all(more.map((socket) => heard(socket, 15_000)))
    for (const { closed, text } of heardOf) {
      assert.isTrue(closed)
      const [answer] = answersIn(text)
      assert.strictEqual(answer?.status, 503)
      assert.match(answer?.headers.get("retry-after") ?? "", /^\d+$/)
      assert.deepInclude(JSON.parse(answer?.body ?? ""), { success: false })
    }
    for (const socket of open) socket.destroy()
    await until("room for others", async () =>
      (await service.call("GET", "/health/live")).status === 200 ? true : undefined
    )
    tried("B21", [`${open.length} connections of one address`], "the next ones 503")
  }, 30_000)

  it("get the documentation compressed, once", async () => {
    for (const path of ["/docs", "/openapi.json"]) {
      const raw = async (encoding: string, more = "") => {
        const socket = openSocket(service.url)
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${encoding === "" ? "" : `Accept-Encoding: ${encoding}\r\n`}${more}\r\n`
        )
        const [answer] = answersIn((await heard(socket, 40_000)).text)
        return answer!
      }
      const [plain, brotli, zipped] = [await raw(""), await raw("gzip, br"), await raw("br;q=0, gzip")]
      assert.isUndefined(plain.headers.get("content-encoding"))
      assert.strictEqual(brotli.headers.get("content-encoding"), "br")
      assert.strictEqual(zipped.headers.get("content-encoding"), "gzip")
      assert.isBelow(brotli.body.length, plain.body.length / 3)
      assert.strictEqual(gunzipSync(Buffer.from(zipped.body, "latin1")).toString("latin1"), plain.body)
      const tags = [plain, brotli, zipped].map(({ headers }) => headers.get("etag"))
      assert.lengthOf(new Set(tags), 3)
      for (const { headers } of [plain, brotli, zipped])
        assert.strictEqual(headers.get("vary"), "Accept-Encoding")
      const again = await raw("br", `If-None-Match: ${tags[1]}\r\n`)
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.body, "")
      assert.strictEqual(again.headers.get("etag"), tags[1])
      for (const { headers } of [plain, brotli, again])
        assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/)
      assert.strictEqual(
        brotli.headers.get("content-security-policy"),
        plain.headers.get("content-security-policy")
      )
    }
  }, 120_000)
})

/** How many sockets the process has open to clients. */
async function openCount(service: Service): Promise<number> {
  const { readFileSync } = await import("node:fs")
  const port = Number(new URL(service.url).port).toString(16).toUpperCase().padStart(4, "0")
  const lines = readFileSync(`/proc/${service.process.pid}/net/tcp`, "utf8").split("\n").slice(1)
  return lines.filter((line) => {
    const [, local = "", , state] = line.trim().split(/\s+/)
    return local.endsWith(`:${port}`) && state === "01"
  }).length
}
