/** What comes in over a raw socket: requests that smuggle, lie about their size, dawdle, or claim another host. */
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { key, type Service, sleep, startService } from "../support/service/Service.ts"
import { tried } from "../support/tried.ts"

const auth = `Authorization: Bearer ${key}\r\n`
const json = "Content-Type: application/json\r\n"
const post = `POST /api/v1/connections HTTP/1.1\r\nHost: x\r\n${auth}${json}`
const hidden = "GET /api/v1/settings/account HTTP/1.1\r\nHost: x\r\n\r\n"

/** Each must be refused as a whole: no second request may be found in it. */
const smuggled: Readonly<Record<string, string>> = {
  "a length and chunks": `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  "two lengths": `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${hidden}`,
  "a list of lengths": `${post}Content-Length: 2, 40\r\n\r\n{}${hidden}`,
  "chunks of another name": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  "chunks that are not last": `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
  "a bare line feed": `POST /api/v1/connections HTTP/1.1\nHost: x\n${auth}Content-Length: 2\r\n\r\n{}${hidden}`,
  "a space before the colon": `${post}Content-Length : 2\r\n\r\n{}${hidden}`,
  "a folded header": `${post}X-Folded: a\r\n b\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`,
  "a line feed in a chunk extension": `${post}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`,
  "a signed length": `${post}Content-Length: +2\r\n\r\n{}${hidden}`,
  "a NUL in a header": `${post}X-Nul: a\u0000b\r\nContent-Length: 2\r\n\r\n{}${hidden}`
}

describe("a hostile client", () => {
  let service: Service

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const open = () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.on("error", () => {})
    return socket
  }
  /** Everything that comes back until the server closes, or until `millis` are over. */
  const heard = (socket: Socket, millis: number) =>
    new Promise<string>((resolve) => {
      let text = ""
      socket.on("data", (chunk) => {
        text += chunk
      })
      socket.once("close", () => resolve(text))
      setTimeout(() => {
        resolve(text)
        socket.destroy()
      }, millis)
    })
  const said = (bytes: string, millis = 8000) => {
    const socket = open()
    socket.write(bytes)
    return heard(socket, millis)
  }
  const alive = async () => {
    const started = performance.now()
    assert.strictEqual((await service.call("GET", "/api/v1/settings/account")).status, 200)
    return performance.now() - started
  }

  it("smuggles no second request into a first", async () => {
    const answers = await Promise.all(
      Object.entries(smuggled).map(async ([name, bytes]) => [name, await said(bytes)] as const)
    )
    for (const [name, text] of answers) {
      assert.match(text, /^HTTP\/1\.1 4\d\d /, `${name}: ${text}`)
      assert.lengthOf(text.match(/^HTTP\/1\.1 /gm) ?? [], 1, `${name}: ${text}`)
      assert.match(text, /\{"success":false,"message":"[^"]+"\}\s*$/, name)
    }
    tried("B20", [`${answers.length} forms of request smuggling`], "each one 4xx and no second answer")
  }, 30_000)

  it("changes no URL of ours by the host that it names", async () => {
    const plain = await (await fetch(`${service.url}/ocpi/versions`)).text()
    const urls = (text: string) => [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url)
    assert.isNotEmpty(urls(plain))
    const ask = (target: string, more: string) =>
      said(`GET ${target} HTTP/1.1\r\n${more}Connection: close\r\n\r\n`)
    const namings = [
      ["/ocpi/versions", "Host: evil.example\r\n"],
      [
        "/ocpi/versions",
        "Host: x\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\nX-Forwarded-Port: 1\r\n"
      ],
      ["/ocpi/versions", "Host: x\r\nForwarded: host=evil.example;proto=gopher\r\nX-Original-URL: /evil\r\n"],
      ["http://evil.example/ocpi/versions", "Host: x\r\n"],
      ["/ocpi/versions", "Host: x\r\nHost: evil.example\r\n"]
    ] as const
    for (const [target, more] of namings) {
      const text = await ask(target, more)
      assert.notMatch(text, /evil|gopher/, `${target} ${more}`)
      if (/^HTTP\/1\.1 200/.test(text)) assert.deepStrictEqual(urls(text), urls(plain))
      else assert.match(text, /^HTTP\/1\.1 4\d\d/, text)
      // A client that takes us for a proxy is answered all the same (RFC 9112, 3.2.2).
      if (target.startsWith("http")) assert.match(text, /^HTTP\/1\.1 200/)
    }
    tried("B20", [`${namings.length} ways to name another host`], "no URL changed")
  }, 30_000)

  it("is not believed a size, and makes the process no larger", async () => {
    const before = residentKib(service)
    const gigabyte = await said(`${post}Content-Length: 1073741824\r\n\r\n{`)
    assert.match(gigabyte, /^HTTP\/1\.1 413 /)
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`
    const chunked = await said(`${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(16)}0\r\n\r\n`)
    assert.match(chunked, /^HTTP\/1\.1 413 /)
    const headers = await said(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`)
    assert.match(headers, /^HTTP\/1\.1 431 /)
    const million = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(",")}}`
    const many = await service.call("POST", "/api/v1/connections", million, {
      "content-type": "application/json"
    })
    assert.strictEqual(many.status, 400)
    await alive()
    const grown = residentKib(service) - before
    tried("B18", ["413, 413, 431, 400"], `resident memory ${grown} KiB more`)
    assert.isBelow(grown, 60 * 1024)
  }, 30_000)

  it("holds nobody up by dawdling: 500 half requests are cut off, and others are answered meanwhile", async () => {
    const half = Array.from({ length: 500 }, () => open())
    for (const socket of half) socket.write("GET /api/v1/settings/account HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    const slowBody = open()
    slowBody.write(`${post}Content-Length: 1000\r\n\r\n{`)
    const dripping = setInterval(() => slowBody.write(" "), 1000)
    const slowBodyEnd = heard(slowBody, 60_000)
    const ends = Promise.all(half.map((socket) => heard(socket, 60_000)))
    const times: Array<number> = []
    let over = false
    const watching = (async () => {
      while (!over) {
        times.push(await alive())
        await sleep(200)
      }
    })()
    const texts = await ends
    over = true
    await watching
    const refused = texts.filter((text) => /^HTTP\/1\.1 408 /.test(text)).length
    assert.strictEqual(refused, 500)
    assert.match(await slowBodyEnd, /^HTTP\/1\.1 408 /)
    clearInterval(dripping)
    times.sort((a, b) => a - b)
    const p95 = Math.round(times[Math.floor(times.length * 0.95)]!)
    tried("B21", [`${half.length} sockets`], `${refused} answered 408; others' p95 ${p95} ms`)
    assert.isBelow(p95, 5000)
  }, 90_000)
})

/** Resident memory of the process; 0 where the system does not tell. */
function residentKib(service: Service): number {
  try {
    return Number(
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))?.[1] ?? 0
    )
  } catch {
    return 0
  }
}
