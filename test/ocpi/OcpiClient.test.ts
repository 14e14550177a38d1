import http from "node:http"
import net from "node:net"
import zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, type Scope } from "effect"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { type OcpiCall, OcpiClient } from "../../src/ocpi/OcpiClient.ts"

const allowed = OcpiClient.layer({ timeoutMillis: 5_000 }).pipe(
  Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
)

/** A partner at a free port of this machine, gone with the scope. */
const listen = (server: net.Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly sockets: Set<net.Socket> }>((resume) => {
      const sockets = new Set<net.Socket>()
      server.on("connection", (socket) => sockets.add(socket.on("error", () => {})))
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ port: (server.address() as net.AddressInfo).port, sockets }))
      )
    }),
    ({ sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  ).pipe(Effect.map(({ port }) => port))

const raw = (speak: (socket: net.Socket) => void) =>
  net.createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => speak(socket))
  })
const says = (text: string) => raw((socket) => socket.end(text))

const callTo = (url: string, more: Partial<OcpiCall> = {}): OcpiCall => ({
  exchangeId: "exc_1",
  module: "versions",
  operation: "list",
  method: "GET",
  url,
  requestId: "req",
  correlationId: "cor",
  audience: [new URL(url).origin],
  secrets: [],
  ...more
})

const ask = (server: net.Server, more: Partial<OcpiCall> = {}, scheme = "http") =>
  Effect.gen(function* () {
    const client = yield* OcpiClient
    const port = yield* listen(server)
    return yield* client.exchange(callTo(`${scheme}://127.0.0.1:${port}/versions?a=b`, more))
  }).pipe(Effect.provide(allowed), Effect.scoped)

const soon = { timeoutMillis: 400 }
const endsAs = (
  server: net.Server,
  outcome: string,
  kind: string,
  more: Partial<OcpiCall> = {},
  scheme = "http"
) =>
  Effect.map(ask(server, more, scheme), ({ exchange }) => {
    assert.deepStrictEqual([exchange.outcome, exchange.fault?.kind], [outcome, kind], exchange.fault?.message)
    assert.isNull(exchange.response)
  })

describe("OcpiClient, of an HTTP 100 that nobody asked for", () => {
  const go = "HTTP/1.1 100 Continue\r\n\r\n"
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
  const inPieces = (text: string, size: number) =>
    raw((socket) => {
      const next = (at: number) => {
        if (at >= text.length) return void socket.end()
        socket.write(text.slice(at, at + size), () => setImmediate(() => next(at + size)))
      }
      next(0)
    })
  const texts = {
    "before the answer": `${go}${answer}`,
    "with headers": `HTTP/1.1 100 Go on\r\nX-Proxy: a\r\n\r\n${answer}`,
    twice: `${go}${go}${answer}`,
    "before another interim answer": `${go}HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer}`
  }
  for (const [what, text] of Object.entries(texts))
    for (const size of [1, 7, 1000])
      it.live(`reads the answer: ${what}, in pieces of ${size} bytes`, () =>
        Effect.map(ask(inPieces(text, size)), ({ exchange }) => {
          assert.strictEqual(exchange.outcome, "completed", exchange.fault?.message)
          assert.strictEqual(exchange.response?.httpStatus, 200)
          assert.strictEqual(exchange.response?.body, "{}")
        })
      )

  it.live("waits for no more than the limit, and for nothing after it", () =>
    Effect.all([
      endsAs(says(go), "reset", "reset"),
      endsAs(says(`HTTP/1.1 100 Go on\r\nX-Long: ${"x".repeat(100_000)}`), "reset", "too_large")
    ])
  )
})

describe("OcpiClient, of the time of a request", () => {
  const later = (millis: number, act: () => void) => void setTimeout(act, millis)

  it.live("tells connecting, the answer's begin and the rest of it apart", () =>
    Effect.gen(function* () {
      const partsOf = (headMillis: number, bodyMillis: number) =>
        Effect.map(
          ask(
            http.createServer((_, response) =>
              later(headMillis, () => {
                response.flushHeaders()
                later(bodyMillis, () => response.end("{}"))
              })
            )
          ),
          ({ exchange: { durationMs, timings } }) => {
            const { answerMs = 0, connectMs = -1 } = timings ?? {}
            assert.isAtLeast(connectMs, 0)
            return { answerMs, restMs: durationMs - connectMs - answerMs }
          }
        )
      const lateHead = yield* partsOf(400, 0)
      assert.isAbove(lateHead.answerMs, lateHead.restMs)
      const lateBody = yield* partsOf(0, 400)
      assert.isAbove(lateBody.restMs, lateBody.answerMs)
    })
  )

  it.live("has no answer's begin without an answer, and no part without a connection", () =>
    Effect.gen(function* () {
      const silent = (yield* ask(
        raw(() => {}),
        { timeoutMillis: 100 }
      )).exchange
      assert.strictEqual(silent.outcome, "timed_out")
      assert.hasAllKeys(silent.timings, ["connectMs"])
      const client = yield* OcpiClient
      const port = yield* Effect.scoped(listen(says("")))
      const refused = (yield* client.exchange(callTo(`http://127.0.0.1:${port}/`))).exchange
      assert.deepStrictEqual([refused.outcome, refused.timings], ["refused", undefined])
    }).pipe(Effect.provide(allowed))
  )
})

describe("OcpiClient, with a partner that answers", () => {
  it.live("sends no request that would tell a secret to a host that may not hear it", () =>
    Effect.gen(function* () {
      let asked = 0
      const port = yield* listen(
        raw((socket) => {
          asked += 1
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        })
      )
      const client = yield* OcpiClient
      const canary = "canary-0123456789"
      const token = Redacted.make(canary)
      const authorization = { token, form: "base64" } as const
      const to = (more: Partial<OcpiCall>) =>
        client.exchange(
          callTo(`http://127.0.0.1:${port}/next`, { audience: ["https://partner.example"], ...more })
        )
      const secrets = [{ name: "tokenC", value: token }]
      const told: ReadonlyArray<Partial<OcpiCall>> = [
        { authorization },
        { authorization: { ...authorization, header: "X-Api-Key" } },
        { secrets, headers: { "x-token": `Token ${btoa(canary)}` } },
        { secrets, method: "POST", body: { token: canary } },
        { secrets, method: "POST", rawBody: canary },
        { secrets, url: `http://127.0.0.1:${port}/next?token=${canary}` }
      ]
      for (const more of told) {
        const { exchange } = yield* to(more)
        assert.deepStrictEqual([exchange.outcome, exchange.fault?.kind], ["blocked", "other_host"])
        assert.match(exchange.fault?.message ?? "", /our token is not sent there/)
        assert.notInclude(JSON.stringify(exchange), canary)
      }
      assert.strictEqual(asked, 0)
      assert.strictEqual((yield* to({ secrets })).exchange.outcome, "completed")
      const at = [`http://127.0.0.1:${port}`]
      assert.strictEqual((yield* to({ authorization, audience: at })).exchange.outcome, "completed")
      assert.strictEqual(asked, 2)
    }).pipe(Effect.provide(allowed), Effect.scoped)
  )
  it.live("keeps what was sent and what came", () =>
    Effect.gen(function* () {
      const server = http.createServer((request, response) => {
        response.setHeader("X-Twice", ["a", "b"])
        response.end(JSON.stringify({ data: request.headers, status_code: 1000 }))
      })
      const { exchange, json } = yield* ask(server)
      const seen = (json as { readonly data: Record<string, string> }).data
      assert.strictEqual(exchange.response?.httpStatus, 200)
      assert.strictEqual(exchange.response?.ocpiStatusCode, 1000)
      assert.strictEqual(exchange.response?.headers["x-twice"], "a, b")
      assert.strictEqual(seen["x-request-id"], "req")
      assert.strictEqual(seen["x-correlation-id"], "cor")
      assert.strictEqual(seen["accept-encoding"], "identity")
      assert.isUndefined(seen["content-type"])
      assert.isUndefined(seen["authorization"])
    })
  )

  it.live("sends a body as JSON, and a wrong one as it is", () =>
    Effect.gen(function* () {
      const echo = () =>
        http.createServer((request, response) => {
          request.pipe(response.setHeader("X-Type", request.headers["content-type"] ?? "none"))
        })
      const right = yield* ask(echo(), { method: "POST", body: { a: 1 } })
      const wrong = yield* ask(echo(), { method: "POST", rawBody: `{"a":` })
      assert.strictEqual(right.exchange.response?.body, `{"a":1}`)
      assert.strictEqual(right.exchange.response?.headers["x-type"], "application/json")
      assert.strictEqual(wrong.exchange.response?.body, `{"a":`)
      assert.isUndefined(wrong.json)
    })
  )

  it.live("authenticates in each form and shows the token in none", () =>
    Effect.forEach(["raw", "base64", "literal"] as const, (form) =>
      Effect.gen(function* () {
        const token = form === "literal" ? "Bearer canary-0123456789" : "canary-0123456789"
        const server = http.createServer((request, response) => response.end(request.headers.authorization))
        const { body, exchange } = yield* ask(server, {
          authorization: { token: Redacted.make(token), form }
        })
        assert.strictEqual(
          Redacted.value(body!),
          { raw: `Token ${token}`, base64: `Token ${btoa(token)}`, literal: token }[form]
        )
        assert.notInclude(JSON.stringify(exchange), "canary-0123456789")
        assert.notInclude(JSON.stringify(exchange), btoa("canary-0123456789"))
      })
    )
  )

  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      let calls = 0
      const server = http.createServer((_, response) => {
        calls++
        response.writeHead(302, { location: "/elsewhere" }).end()
      })
      const { exchange } = yield* ask(server)
      assert.strictEqual(exchange.response?.httpStatus, 302)
      assert.strictEqual(calls, 1)
    })
  )

  it.live("reads no more than a mebibyte of an endless answer", () =>
    Effect.gen(function* () {
      const server = http.createServer((_, response) => {
        const more = () => {
          while (response.write("x".repeat(64 * 1024)));
          response.once("drain", more)
        }
        more()
      })
      const { body, exchange } = yield* ask(server)
      assert.strictEqual(exchange.outcome, "completed")
      assert.isTrue(exchange.response?.truncated)
      assert.isAtLeast(exchange.response!.bodyBytes!, 1024 * 1024)
      assert.lengthOf(Redacted.value(body!), 1024 * 1024)
      assert.lengthOf(exchange.response!.body!, 256 * 1024)
    })
  )

  it.live("undoes gzip that was not asked for, and only so far", () =>
    Effect.gen(function* () {
      const gzipped = (text: string) =>
        http.createServer((_, response) => {
          response.writeHead(200, { "content-encoding": "gzip" }).end(zlib.gzipSync(text))
        })
      const small = yield* ask(gzipped(`{"status_code":1000}`))
      const bomb = yield* ask(gzipped("0".repeat(50 * 1024 * 1024)))
      assert.strictEqual(small.exchange.response?.ocpiStatusCode, 1000)
      assert.isTrue(bomb.exchange.response?.truncated)
      assert.isBelow(bomb.exchange.response!.bodyBytes!, 2 * 1024 * 1024)
    })
  )

  it.live("keeps an answer whose encoding is a lie, and says so", () =>
    Effect.gen(function* () {
      const server = says("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope")
      const { exchange } = yield* ask(server)
      assert.deepStrictEqual([exchange.outcome, exchange.fault?.kind], ["completed", "malformed"])
      assert.strictEqual(exchange.response?.body, "nope")
    })
  )

  it.live("takes an empty answer, a login page and a byte order mark as they are", () =>
    Effect.gen(function* () {
      const answers = (text: string) => http.createServer((_, response) => response.end(text))
      const empty = yield* ask(answers(""))
      const page = yield* ask(answers("<html>login</html>"))
      const marked = yield* ask(answers(`\uFEFF{"status_code":1000}`))
      assert.isNull(empty.exchange.response!.body)
      assert.isNull(page.exchange.response!.ocpiStatusCode)
      assert.strictEqual(marked.exchange.response!.ocpiStatusCode, 1000)
    })
  )
})

describe("OcpiClient, with a partner that does not", () => {
  it.live("gives up on silence", () =>
    endsAs(
      raw(() => {}),
      "timed_out",
      "timeout",
      soon
    )
  )

  it.live("gives up on half of the headers", () =>
    endsAs(
      raw((socket) => void socket.write("HTTP/1.1 200 OK\r\nX-Half: ")),
      "timed_out",
      "timeout",
      soon
    )
  )

  it.live("gives up on a body that drips", () =>
    endsAs(
      raw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
        const drip = setInterval(() => socket.write("x"), 50)
        socket.on("close", () => clearInterval(drip))
      }),
      "timed_out",
      "timeout",
      soon
    )
  )

  it.live("tells a reset", () =>
    endsAs(
      raw((socket) => void socket.resetAndDestroy()),
      "reset",
      "reset"
    )
  )

  it.live("tells an answer that breaks off", () =>
    endsAs(says("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf"), "reset", "reset")
  )

  it.live("tells garbage", () => endsAs(says("\x00\x01 this is no HTTP\r\n\r\n"), "reset", "malformed"))

  it.live("tells two lengths", () =>
    endsAs(says("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"), "reset", "malformed")
  )

  /** Says the first text, then the second one again and again; tells how much was read of it. */
  const endless = (first: string, again: string) => {
    const filler = Buffer.from(again.repeat(Math.ceil(65_536 / again.length)))
    let bytes = 0
    const server = raw((socket) => {
      socket.write(first)
      const more = () => {
        while (!socket.destroyed && socket.write(filler)) bytes += filler.length
      }
      socket.on("drain", more)
      more()
    })
    return { server, bytes: () => bytes }
  }
  const json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
  for (const [what, first, again] of [
    ["a status line", "HTTP/1.1 200 ", "O"],
    ["HTTP 100", "", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["HTTP 103", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"],
    ["the extension of a chunk", `${json}1;`, "a"]
  ] as const) {
    it.live(`does not read for ever: ${what}`, () => {
      const { bytes, server } = endless(first, again)
      return Effect.zipRight(
        endsAs(server, "reset", "too_large"),
        Effect.sync(() => assert.isBelow(bytes(), 40 * 1024 * 1024))
      )
    })
  }

  it.live("tells headers without end", () =>
    endsAs(says(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(40 * 1024)}\r\n\r\n`), "reset", "too_large")
  )

  it.live("tells a port that speaks no TLS", () =>
    endsAs(says("HTTP/1.1 400 Bad Request\r\n\r\n"), "refused", "tls", {}, "https")
  )

  it.live("dials once, even for a request that may be repeated", () =>
    Effect.gen(function* () {
      let dialled = 0
      const server = raw((socket) => socket.destroy()).on("connection", () => dialled++)
      yield* ask(server)
      yield* Effect.sleep("50 millis")
      assert.strictEqual(dialled, 1)
    })
  )

  it.live("closes the socket when it is interrupted", () =>
    Effect.gen(function* () {
      const client = yield* OcpiClient
      let [asked, closed] = [false, false]
      const server = raw((socket) => {
        asked = true
        socket.on("close", () => (closed = true))
      })
      const port = yield* listen(server)
      // Whoever waits for its answer waits for longer than a test may.
      const call = callTo(`http://127.0.0.1:${port}/`, { timeoutMillis: 60_000 })
      const fiber = yield* Effect.fork(client.exchange(call))
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => asked })
      yield* Fiber.interrupt(fiber)
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => closed })
    }).pipe(Effect.provide(allowed), Effect.scoped)
  )
})

describe("OcpiClient, before any socket", () => {
  const denied = OcpiClient.layer().pipe(
    Layer.provide(
      EgressGuard.layer({
        allowCidrs: [],
        reserved: [],
        resolve: async (name) => {
          if (name === "nowhere.example") throw Object.assign(new Error("not found"), { code: "ENOTFOUND" })
          return [{ address: "127.0.0.1", family: 4 }]
        }
      })
    )
  )
  const faultOf = (url: string, more: Partial<OcpiCall> = {}) =>
    Effect.gen(function* () {
      const { exchange } = yield* (yield* OcpiClient).exchange(callTo(url, more))
      return [exchange.outcome, exchange.fault?.kind]
    }).pipe(Effect.provide(denied))

  it.live("dials neither a private address nor a name that stands for one", () =>
    Effect.gen(function* () {
      let dialled = 0
      const port = yield* listen(net.createServer(() => dialled++))
      assert.deepStrictEqual(yield* faultOf(`http://127.0.0.1:${port}/`), ["blocked", "blocked"])
      assert.deepStrictEqual(yield* faultOf(`http://[::ffff:127.0.0.1]:${port}/`), ["blocked", "blocked"])
      assert.deepStrictEqual(yield* faultOf(`http://partner.example:${port}/`), ["blocked", "blocked"])
      assert.strictEqual(dialled, 0)
    }).pipe(Effect.scoped)
  )

  it.live("reaches our own sandbox through a trusted prefix", () =>
    Effect.gen(function* () {
      const port = yield* listen(http.createServer((_, response) => response.end("{}")))
      const root = `http://127.0.0.1:${port}/sandbox`
      const [outcome] = yield* faultOf(`${root}/x`, { trustedPrefixes: [root] })
      assert.strictEqual(outcome, "completed")
    }).pipe(Effect.scoped)
  )

  it.live("tells a name that does not resolve", () =>
    Effect.map(faultOf("http://nowhere.example/"), (fault) =>
      assert.deepStrictEqual(fault, ["refused", "dns"])
    )
  )

  it.live("tells a port where nobody listens", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(listen(net.createServer()))
      const client = yield* OcpiClient
      const { exchange } = yield* client.exchange(callTo(`http://127.0.0.1:${port}/`))
      assert.deepStrictEqual([exchange.outcome, exchange.fault?.kind], ["refused", "refused"])
    }).pipe(Effect.provide(allowed))
  )

  it.live("refuses a header value that no HTTP request can carry", () =>
    Effect.map(faultOf("http://8.8.8.8/", { headers: { "X-Bad": "a\nb" } }), (fault) =>
      assert.deepStrictEqual(fault, ["blocked", "blocked"])
    )
  )

  it.effect("tells the intent, scrubbed and without an outcome", () =>
    Effect.gen(function* () {
      const client = yield* OcpiClient
      const call = callTo("https://partner.example/", {
        authorization: { token: Redacted.make("canary-0123456789"), form: "base64" }
      })
      const intent = client.intent(call, "2026-01-01T00:00:00.000Z")
      assert.strictEqual(intent.outcome, "unknown")
      assert.isNull(intent.response)
      assert.notInclude(JSON.stringify(intent), btoa("canary-0123456789"))
    }).pipe(Effect.provide(denied))
  )
})
