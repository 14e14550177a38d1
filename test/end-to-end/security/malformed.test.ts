/** Requests that are no good HTTP, over raw sockets: whatever Node would say by itself, each gets an answer of ours. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"
import { tried } from "../../support/tried.ts"
import { answersIn, heard, openSocket, type RawAnswer } from "../support/rawHttp.ts"

const auth = `Authorization: Bearer ${key}\r\n`
const json = "Content-Type: application/json\r\n"

/** By what is wrong; `{path}` is each of the paths. All must be refused. */
const wrongEverywhere: Readonly<Record<string, string>> = {
  "no host": "GET {path} HTTP/1.1\r\n\r\n",
  "no host, with a key": `GET {path} HTTP/1.1\r\n${auth}\r\n`,
  "two hosts": "GET {path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "something else expected": "GET {path} HTTP/1.1\r\nHost: x\r\nExpect: something-else\r\n\r\n",
  "much expected": "GET {path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue, more\r\n\r\n",
  "a body that is too large, announced": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n`,
  "a method that nobody knows": "FOO {path} HTTP/1.1\r\nHost: x\r\n\r\n",
  "a method in small letters": "get {path} HTTP/1.1\r\nHost: x\r\n\r\n",
  "HTTP/0.9": "GET {path}\r\n\r\n",
  "HTTP/3": "GET {path} HTTP/3.0\r\nHost: x\r\n\r\n",
  "no version": "GET {path} HTTP\r\nHost: x\r\n\r\n",
  "another protocol": "GET {path} ICE/1.0\r\nHost: x\r\n\r\n",
  "a tab for a space": "GET\t{path}\tHTTP/1.1\r\nHost: x\r\n\r\n",
  "a NUL in the target": "GET {path}\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
  "a header without a colon": "GET {path} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n",
  "a header without a name": "GET {path} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
  "a space in a header's name": "GET {path} HTTP/1.1\r\nHost: x\r\nX y: z\r\n\r\n",
  "a control character in a header": "GET {path} HTTP/1.1\r\nHost: x\r\nX: \u0001\r\n\r\n",
  "too long a header": `GET {path} HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`,
  "too long a target": `GET {path}?${"y".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  "a length that is none": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Content-Length: ten\r\n\r\n`,
  "a length below zero": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Content-Length: -1\r\n\r\n`,
  "a length beyond counting": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Content-Length: 99999999999999999999999\r\n\r\n`,
  "a length and chunks": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "chunks of another name": `PUT {path} HTTP/1.1\r\nHost: x\r\n${json}Transfer-Encoding: gzip\r\n\r\n{}`
}
/** Each as it stands. */
const wrongAlone: Readonly<Record<string, string>> = {
  "a tunnel": "CONNECT db.example:5432 HTTP/1.1\r\nHost: db.example\r\n\r\n",
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a greeting of TLS": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
  "a target that is a star": "GET * HTTP/1.1\r\nHost: x\r\n\r\n",
  "a target that is no URL": "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "a target with a broken host": "GET //[ HTTP/1.1\r\nHost: x\r\n\r\n",
  "a target without a slash": "GET nothing HTTP/1.1\r\nHost: x\r\n\r\n",
  "broken percent signs": "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
  "an encoded NUL": "GET /api/v1/connections/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
  "no path of ours": "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
  "a method of WebDAV": "PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n",
  "a method of the diagnosis": "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
  "a size of a chunk that is none": `POST /api/v1/connections HTTP/1.1\r\nHost: x\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  "a chunk with endless extensions": `POST /api/v1/connections HTTP/1.1\r\nHost: x\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n{\r\n`,
  "a socket of the web, with a body": `POST /api/v1/connections HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${auth}${json}Content-Length: 2\r\n\r\n{}`,
  "a socket of the web": `GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  "HTTP/2 in plain text": `GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n`
}
const paths = ["/api/v1/connections", "/ocpi/versions", "/docs", "/nothing"]

const isRefusal = ({ body }: RawAnswer) => {
  const said = JSON.parse(body)
  // Where the request was read as one of the OCPI side, the refusal is in its envelope.
  return said.success === false
    ? Object.keys(said).length === 2 && typeof said.message === "string" && said.message !== ""
    : typeof said.status_code === "number" && said.status_code >= 2000 && said.status_message !== ""
}
const protective = {
  "content-type": /^application\/json$/,
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^no-referrer$/,
  "cache-control": /^no-store$/,
  "content-security-policy": /frame-ancestors 'none'/,
  "x-request-id": /./
}

describe("what is no good HTTP", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
  }, 90_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  /** The answers to these bytes; the client leaves when it has heard enough or too little for too long. */
  const said = async (bytes: string, millis = 4000) => {
    const socket = openSocket(service.url)
    socket.write(Buffer.from(bytes, "latin1"))
    const { text } = await heard(socket, millis)
    return answersIn(text)
  }
  const requests: ReadonlyArray<readonly [string, string]> = [
    ...paths.flatMap((path) =>
      Object.entries(wrongEverywhere).map(
        ([name, bytes]) => [`${name}, ${path}`, bytes.replace("{path}", path)] as const
      )
    ),
    ...Object.entries(wrongAlone)
  ]

  it("gets one answer each, in the one form, with the protective headers", async () => {
    const statuses = new Set<number>()
    for (let at = 0; at < requests.length; at += 20) {
      await Promise.all(
        requests.slice(at, at + 20).map(async ([name, bytes]) => {
          const answers = await said(bytes).catch((error: unknown) => {
            throw new Error(`${name}: ${String(error)}`)
          })
          assert.lengthOf(answers, 1, `${name}: ${JSON.stringify(answers)}`)
          const [answer] = answers as [RawAnswer]
          assert.isTrue(
            answer.status >= 400 && answer.status < 500,
            `${name}: ${answer.status} ${answer.body}`
          )
          assert.isTrue(isRefusal(answer), `${name}: ${answer.body}`)
          for (const [header, value] of Object.entries(protective))
            assert.match(answer.headers.get(header) ?? "", value, `${name}: ${header}`)
          statuses.add(answer.status)
        })
      )
    }
    assert.includeMembers([...statuses], [400, 404, 405, 413, 417, 431])
    tried("B20", [`${requests.length} malformed requests`], `answered ${[...statuses].sort().join(", ")}`)
  }, 120_000)

  it("is told to go on with its body only where that is wanted", async () => {
    const head = (length: number, authorization: string) =>
      `POST /api/v1/connections HTTP/1.1\r\nHost: x\r\n${authorization}${json}Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`
    const statuses = async (bytes: string, body = "") => {
      const socket = openSocket(service.url)
      socket.write(bytes)
      if (body !== "") socket.once("data", () => socket.write(body))
      const { text } = await heard(socket, 8000)
      return answersIn(text).map(({ headers, status }) => [status, headers.get("connection") ?? ""])
    }
    assert.deepStrictEqual(await statuses(head(2, auth), "{}"), [
      [100, ""],
      // It goes on: nothing says that it ends.
      [400, ""]
    ])
    assert.deepStrictEqual(await statuses(head(2, "")), [[401, "close"]])
    assert.deepStrictEqual(await statuses(head(10_000_000, auth)), [[413, "close"]])
  }, 30_000)

  it("is not answered amid another answer", async () => {
    const socket = openSocket(service.url)
    socket.write("GET /docs HTTP/1.1\r\nHost: x\r\n\r\n")
    // The documentation is on its way, and its reader takes nothing yet.
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 500))
    socket.write("nonsense\r\n\r\n")
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { text } = await heard(socket, 3000)
    assert.match(text, /^HTTP\/1\.1 200 /)
    const page = text.slice(text.indexOf("\r\n\r\n") + 4)
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    assert.isAbove(length, 100_000)
    assert.notMatch(page.slice(0, length), /HTTP\/1\.1 4\d\d/)
  }, 30_000)
})
