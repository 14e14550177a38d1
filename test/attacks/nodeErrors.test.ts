/** Row 13: what Node's server refuses by itself, and paths that cannot be read: all of it has the body that errors have. */
import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { key, type Service } from "../support/service/Service.ts"
import { attack, base64, said, shown, Victim } from "./support/attack.ts"

const auth = `Authorization: Bearer ${key}\r\n`
const close = "Connection: close\r\n"
const json = "Content-Type: application/json\r\n"
const host = "Host: x\r\n"

/** Where it is asked: the API, the OCPI side, what needs no key, and nothing at all. */
const targets = [
  "/api/v1/connections",
  "/ocpi/2.2.1/credentials",
  "/ocpi/versions",
  "/sandbox/x/ocpi/versions",
  "/health/live",
  "/docs",
  "/nowhere"
]

/** Whole requests, for a target. Each is wrong, and must be refused with a 4xx that has a body. */
const wrong: Readonly<Record<string, (target: string) => string>> = {
  "no Host": (target) => `GET ${target} HTTP/1.1\r\n${auth}${close}\r\n`,
  "two Hosts": (target) => `GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${auth}${close}\r\n`,
  "an expectation": (target) => `GET ${target} HTTP/1.1\r\n${host}${auth}Expect: miracles\r\n${close}\r\n`,
  "an expectation with a body": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Expect: 200-ok\r\nContent-Length: 2\r\n${close}\r\n{}`,
  "no HTTP": () => "hello\r\n\r\n",
  "another version of HTTP": (target) => `GET ${target} HTTP/3.7\r\n${host}${close}\r\n`,
  "no version of HTTP": (target) => `GET ${target}\r\n${host}${close}\r\n`,
  "the preface of HTTP/2": () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "the beginning of TLS": () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "a method that is none": (target) => `FETCH ${target} HTTP/1.1\r\n${host}${close}\r\n`,
  "a tunnel": (target) => `CONNECT ${target.slice(1) || "x"}:443 HTTP/1.1\r\n${host}${close}\r\n`,
  TRACE: (target) => `TRACE ${target} HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "OPTIONS of all": () => `OPTIONS * HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "a path that is none": () => `GET api HTTP/1.1\r\n${host}${close}\r\n`,
  "a space in the path": (target) => `GET ${target}/a b HTTP/1.1\r\n${host}${close}\r\n`,
  "an escape that is none": (target) => `GET ${target}/%zz HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "an escape that ends": (target) => `GET ${target}/% HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "UTF-8 that is broken": (target) => `GET ${target}/%E0%A4%A HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "a NUL in the path": (target) => `GET ${target}/%00 HTTP/1.1\r\n${host}${auth}${close}\r\n`,
  "an escape that is none in the query": (target) => `GET ${target}/x?a=%zz HTTP/1.1\r\n${host}${close}\r\n`,
  "a long path": (target) => `GET ${target}/${"a".repeat(20_000)} HTTP/1.1\r\n${host}${close}\r\n`,
  "long headers": (target) => `GET ${target} HTTP/1.1\r\n${host}X: ${"a".repeat(20_000)}\r\n${close}\r\n`,
  "many headers": (target) => `GET ${target}/x HTTP/1.1\r\n${host}${"X: a\r\n".repeat(2500)}${close}\r\n`,
  "a length that is none": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Content-Length: two\r\n${close}\r\n{}`,
  "a negative length": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Content-Length: -1\r\n${close}\r\n{}`,
  "a length beyond all": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Content-Length: 99999999999999999999999\r\n${close}\r\n{}`,
  "a chunk that is none": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Transfer-Encoding: chunked\r\n${close}\r\nzz\r\n{}\r\n0\r\n\r\n`,
  "a chunk extension without end": (target) =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${json}Transfer-Encoding: chunked\r\n${close}\r\n2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  "a header without a name": (target) => `GET ${target} HTTP/1.1\r\n${host}: x\r\n${close}\r\n`,
  "a header that is folded": (target) => `GET ${target} HTTP/1.1\r\n${host}X: a\r\n b\r\n${close}\r\n`
}
/** These are right as far as HTTP goes, so that a target may serve them. */
const mayServe = [
  "no version of HTTP",
  "many headers",
  "two Hosts",
  "OPTIONS of all",
  "an escape that is none in the query",
  "a header that is folded",
  "a NUL in the path",
  "an escape that is none"
]

/** All that comes back for the two texts, the second of them sent after the pause. */
const inTwo = (url: string, first: string, second: string, pauseMillis: number): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(first)
      setTimeout(() => socket.write(second), pauseMillis)
    })
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(text))
    setTimeout(() => socket.destroy(), pauseMillis + 4000)
  })

describe("what Node refuses by itself", () => {
  let victim: Victim
  let service: Service
  let requests = 0
  let bare = 0

  beforeAll(async () => {
    victim = new Victim({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    service = await victim.alive()
  }, 60_000)
  afterAll(async () => {
    attack("13", `${requests} requests`, `${bare} without the body of errors, or with 5xx`)
    await victim?.end()
  })

  /** What is odd about an answer to a wrong request; undefined: nothing. */
  const oddity = (what: string, target: string, text: string): string | undefined => {
    const [head = "", ...rest] = text.split("\r\n\r\n")
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
    const where = `${what} at ${target}: ${status} ${shown(rest.join("") || "(no body)", 80)}`
    if (status >= 500 || status === 0) return where
    if (status < 400) return mayServe.includes(what) ? undefined : where
    let body: any
    try {
      body = JSON.parse(rest.join("\r\n\r\n").replace(/^[0-9a-f]+\r\n([\s\S]*)\r\n0\r\n$/, "$1"))
    } catch {
      return where
    }
    // On the OCPI side it may be an envelope of OCPI.
    const isEnvelope = target.includes("/ocpi") && typeof body?.status_code === "number"
    const isContract =
      Object.keys(body ?? {}).join() === "success,message" && body.success === false && body.message !== ""
    if (!isEnvelope && !isContract) return where
    if (!/\r\ncontent-type: application\/json/i.test(head)) return `${where}, not as JSON`
    return /node:internal|\n\s+at /.test(text) ? `${where}, with what is inside` : undefined
  }

  for (const [what, bytes] of Object.entries(wrong)) {
    it(`has the body of errors: ${what}`, async () => {
      const odd: Array<string> = []
      await Promise.all(
        targets.map(async (target) => {
          requests += 1
          const found = oddity(
            what,
            target,
            await said(service.url, Buffer.from(bytes(target), "latin1"), 5000)
          )
          if (found !== undefined) odd.push(found)
        })
      )
      bare += odd.length
      assert.deepStrictEqual(odd, [])
    }, 20_000)
  }

  it("is not asked for what Expect: 100-continue announces when it will not be read", async () => {
    const announced = (target: string, authorization: string) =>
      `POST ${target} HTTP/1.1\r\n${host}${authorization}${json}Expect: 100-continue\r\nContent-Length: 900000000\r\n\r\n`
    const odd: Array<string> = []
    for (const [target, authorization] of [
      ["/api/v1/connections", auth],
      ["/api/v1/connections", ""],
      ["/ocpi/2.2.1/credentials", `Authorization: Token ${base64("unknown")}\r\n`],
      ["/nowhere", auth]
    ] as const) {
      requests += 1
      const text = await said(service.url, announced(target, authorization), 3000)
      const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "")
      if (!/^HTTP\/1\.1 4\d\d /.test(final)) odd.push(`${target}: ${shown(text || "(nothing)", 80)}`)
    }
    bare += odd.length
    assert.deepStrictEqual(odd, [])
  }, 30_000)

  it("answers a request once, whatever comes behind the beginning of its body", async () => {
    const chunked = (method: string, target: string) =>
      `${method} ${target} HTTP/1.1\r\n${host}${auth}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`
    const odd: Array<string> = []
    await Promise.all(
      targets.flatMap((target) =>
        ["GET", "POST"].flatMap((method) =>
          [0, 50, 500].map(async (pauseMillis) => {
            requests += 1
            const text = await inTwo(service.url, chunked(method, target), "zz\r\n\r\n", pauseMillis)
            const answers = text.match(/^HTTP\/1\.1 [2-5]\d\d /gm) ?? []
            if (answers.length !== 1)
              odd.push(`${method} ${target} after ${pauseMillis} ms: ${answers.join()}`)
          })
        )
      )
    )
    bare += odd.length
    assert.deepStrictEqual(odd, [])
  }, 30_000)

  it("upgrades to nothing", async () => {
    const odd: Array<string> = []
    const tryOn = async (target: string) => {
      requests += 1
      const upgrade = `GET ${target} HTTP/1.1\r\n${host}${auth}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
      const text = await said(service.url, upgrade, 5000)
      if (/^HTTP\/1\.1 (101|5\d\d)|^$/.test(text)) odd.push(`${target}: ${shown(text || "(nothing)", 80)}`)
    }
    await Promise.all(targets.map(tryOn))
    bare += odd.length
    assert.deepStrictEqual(odd, [])
  }, 30_000)
})
