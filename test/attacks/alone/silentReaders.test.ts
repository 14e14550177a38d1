/** Row 12: clients that ask and never read, that read a byte now and then, or that open what they never use. */
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey, plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, sleep, until } from "../../support/service/Service.ts"
import { api, ask, attack, seconds, Victim } from "../support/attack.ts"
import { bearable, type Lag, worst } from "../support/lag.ts"

const readers = 32
/** A reader that has taken nothing for so long is cut off. */
const patience = 45_000
const auth = `Authorization: Bearer ${key}\r\n`

describe("a client that does not read", () => {
  let victim: Victim
  let database: string
  let other: string
  let runId: string
  let reportId: string
  const lags: Array<Lag> = []
  const lines: Array<string> = []
  const open = new Set<Socket>()

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ DATABASE_URL: database })
    const service = await victim.alive()
    other = await makeKey({ DATABASE_URL: database }, "another")
    const { connectionId } = await connectSandbox(service, { activity: "quiet" })
    const run = await api(service, "/testing/journey-runs", {
      method: "POST",
      body: { connectionId, templateId: "first-reads" }
    })
    runId = run.json.data.runId
    reportId = run.json.data.reportId
    await until("the run to end", async () => {
      const report = await api(service, `/testing/runs/${reportId}?wait=3`)
      return report.json?.data?.verdict == null ? undefined : true
    })
  }, 60_000)
  afterAll(async () => {
    for (const socket of open) socket.destroy()
    attack("12", ...lines, worst(lags))
    await victim?.end()
  })

  const reach = (service: Service): Socket => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.on("error", () => {})
    socket.on("close", () => open.delete(socket))
    open.add(socket)
    return socket
  }
  /** How many of these sockets the process still holds, as the system knows it. */
  const heldBy = (service: Service, sockets: ReadonlyArray<Socket>): number => {
    const ports = new Set(sockets.map((socket) => socket.localPort))
    const serverPort = Number(new URL(service.url).port)
    const table = readFileSync(`/proc/${service.process.pid}/net/tcp`, "utf8")
    const established = "01"
    return table.split("\n").filter((line) => {
      const [, local = "", remote = "", state] = line.trim().split(/\s+/)
      const portOf = (address: string) => Number.parseInt(address.split(":")[1] ?? "0", 16)
      return state === established && portOf(local) === serverPort && ports.has(portOf(remote))
    }).length
  }
  /** What was asked for and never read is over. */
  const settled = (service: Service) =>
    until("the service to answer", async () => {
      const { millis, status } = await ask(`${service.url}/health/live`, { within: 5000 })
      return status === 200 && millis < 500 ? true : undefined
    })
  const residentKib = (service: Service) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))?.[1] ?? 0)

  /** Requests on one socket that are written at once and never read. */
  const asked: Readonly<Record<string, () => string>> = {
    "the docs": () => `GET /docs HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(4),
    "the document of the API": () => `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20),
    // Few of those that are work: it is the reading that is slow here.
    "an export": () =>
      `GET /api/v1/testing/runs/${reportId}/export?format=html HTTP/1.1\r\nHost: x\r\n${auth}\r\n`.repeat(6),
    "pages of events": () =>
      `GET /api/v1/testing/journey-runs/${runId}/events?limit=1000 HTTP/1.1\r\nHost: x\r\n${auth}\r\n`.repeat(
        6
      )
  }

  it(`is cut off, whatever it asked for, and its answers are not kept in memory`, async () => {
    const service = await victim.alive()
    const before = residentKib(service)
    const sockets: Array<Socket> = []
    // One after the other: it is the silence that is tried here, and no burst.
    const opened = async () => {
      for (let at = 0; at < readers; at += 1) {
        const socket = reach(service)
        socket.pause()
        socket.write(Object.values(asked)[at % 4]!())
        sockets.push(socket)
        await sleep(120)
      }
    }
    const began = performance.now()
    let held = readers
    let peak = 0
    await bearable("silent readers", service, other, lags, async () => {
      if (sockets.length === 0) await opened()
      peak = Math.max(peak, residentKib(service) - before)
    })
    while (held > 0 && performance.now() - began < patience) {
      held = heldBy(service, sockets)
      peak = Math.max(peak, residentKib(service) - before)
      await sleep(500)
    }
    const took = performance.now() - began
    lines.push(
      `${sockets.length} sockets that never read: ${held} still open after ${seconds(took)}, ${peak} KiB more memory`
    )
    for (const socket of sockets) socket.destroy()
    await settled(service)
    assert.strictEqual(held, 0, lines.at(-1))
    assert.isBelow(peak, 400 * 1024, lines.at(-1))
  }, 90_000)

  it("sends a hundred requests in one packet, or thousands, and has one answer made at a time", async () => {
    const service = await victim.alive()
    // Made at its first request, and kept.
    await ask(`${service.url}/openapi.json`)
    await settled(service)
    await sleep(3000)
    const before = residentKib(service)
    const one = `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`
    const sockets: Array<Socket> = []
    await bearable("requests behind each other", service, other, lags, async () => {
      for (const count of [20_000, ...Array.from({ length: 20 }, () => 100)]) {
        const socket = reach(service)
        socket.pause()
        socket.write(one.repeat(count))
        sockets.push(socket)
      }
      await sleep(1500)
    })
    const more = residentKib(service) - before
    lines.push(`${sockets.length} sockets with 22,000 requests and no reader: ${more} KiB more memory`)
    for (const socket of sockets) socket.destroy()
    await settled(service)
    assert.isBelow(more, 200 * 1024, lines.at(-1))
  }, 60_000)

  it("reads a byte now and then, and is cut off or costs nobody anything", async () => {
    const service = await victim.alive()
    const before = residentKib(service)
    const sockets: Array<Socket> = []
    const drip = setInterval(() => {
      for (const socket of sockets) socket.read(1)
    }, 300)
    await bearable("dripping readers", service, other, lags, async () => {
      for (let at = sockets.length; at < 16; at += 1) {
        const socket = reach(service)
        socket.pause()
        socket.write(Object.values(asked)[at % 4]!())
        sockets.push(socket)
        await sleep(120)
      }
      await sleep(2500)
    })
    clearInterval(drip)
    const grown = residentKib(service) - before
    lines.push(`${sockets.length} sockets that read a byte now and then: ${grown} KiB more memory`)
    for (const socket of sockets) socket.destroy()
    await settled(service)
    assert.isBelow(grown, 300 * 1024)
  }, 60_000)

  it("opens connections without end: at a maximum no more are held, and whoever is there is served", async () => {
    const { stdout } = await plugfest(["serve", "--help"])
    // A setting that says how many connections a server holds, if there is one; else there must be a built-in number.
    const setting =
      /\(([A-Z_]*(?:MAX[A-Z_]*(?:CONNECTIONS|SOCKETS)|(?:CONNECTIONS|SOCKETS)[A-Z_]*MAX)[A-Z_]*);/.exec(
        stdout
      )?.[1]
    const most = setting === undefined ? 5000 : 100
    const own =
      setting === undefined ? victim : new Victim({ DATABASE_URL: database, [setting]: String(most) })
    const service = await own.alive()
    const count = setting === undefined ? most : 2 * most
    const sockets: Array<Socket> = []
    for (let at = 0; at < count; at += 100) {
      for (let more = 0; more < 100; more += 1) sockets.push(reach(service))
      await sleep(60)
    }
    await settled(service).catch(() => {})
    await sleep(500)
    const held = heldBy(service, sockets)
    lines.push(`${count} connections opened (${setting ?? "no setting"}): ${held} held`)
    for (const socket of sockets) socket.destroy()
    // After them everybody is served again.
    await settled(service)
    if (own !== victim) await own.end()
    assert.isBelow(held, count, `every connection is held: there is no maximum (${lines.at(-1)})`)
    if (setting !== undefined) assert.isAtMost(held, most, lines.at(-1))
  }, 60_000)

  it("is given the docs compressed when it can read that", async () => {
    const service = await victim.alive()
    const plain = await ask(`${service.url}/docs`)
    const packed = await ask(`${service.url}/docs`, { headers: { "accept-encoding": "gzip, br" } })
    const size = Number(packed.headers["content-length"] ?? packed.text.length)
    lines.push(
      `docs: ${plain.text.length} bytes plain, ${size} with ${packed.headers["content-encoding"] ?? "no encoding"}`
    )
    assert.match(String(packed.headers["content-encoding"]), /^(gzip|br)$/, lines.at(-1))
    assert.isBelow(size, plain.text.length / 2)
    // What is asked for again and again costs no work again and again.
    await bearable("the docs again and again", service, other, lags, () =>
      Promise.all(
        Array.from({ length: 30 }, () =>
          ask(`${service.url}/docs`, { headers: { "accept-encoding": "gzip" } })
        )
      )
    )
  }, 60_000)
})
