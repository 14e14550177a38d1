/** Whole runs against partners that misbehave on the wire: they end within their limits, and the fault is the partner's. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, type Scope } from "effect"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { pageCap } from "../../src/conformance/model/Probe.ts"
import { SuiteRuns } from "../../src/conformance/run/SuiteRuns.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { reportOf } from "../../src/ledger/run/runReport.ts"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { location } from "../support/ocpi/objects.ts"
import { partyWith, tokenOf } from "../support/parties/parties.ts"
import { ledgerInMemory } from "../support/runs/ledgerInMemory.ts"

/** For partners who answer late or never. */
const shortMillis = 150
/** For all others, who answer at once: however busy the machine is, only a hang takes so long. */
const longMillis = 60_000

/** A server on a free port of the loopback; at the end every socket of it is cut. */
const listening = (server: Server): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly sockets: ReadonlySet<Socket> }>((resume) => {
      const sockets = new Set<Socket>()
      server.on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, sockets }))
      })
    }),
    ({ sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  ).pipe(Effect.map(({ url }) => url))

const tcp = (meet: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => socket.once("data", () => meet(socket))))
const http = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listening(
    createServer((request, response) => {
      request.resume()
      answer(request, response)
    })
  )

/** Lists to read, and places to write to. */
const interfaces = [
  ["credentials", "SENDER"],
  ["locations", "SENDER"],
  ["sessions", "SENDER"],
  ["cdrs", "SENDER"],
  ["tariffs", "SENDER"],
  ["tokens", "RECEIVER"],
  ["commands", "RECEIVER"],
  ["chargingprofiles", "RECEIVER"]
] as const
const endpoints = (url: string) =>
  interfaces.map(([identifier, role]) => ({ identifier, role, url: `${url}/2.2.1/${identifier}` }))

/** A full run, with all that is written, against the partner at that URL: what it came to, and how much was asked. */
const run = (url: string, timeoutMillis = longMillis) => {
  const client = OcpiClient.layer({ timeoutMillis }).pipe(
    Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
  )
  const ground = Layer.mergeAll(
    PartnerCalls.layer({ publicUrl: "http://127.0.0.1:9", sandbox: false }),
    client,
    Layer.mock(Handshake, {}),
    ledgerInMemory()
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  const party = partyWith({
    id: "conn_1",
    role: "EMSP",
    counterpart: {
      role: "CPO",
      versionsUrl: `${url}/versions`,
      endpoints: endpoints(url),
      parties: null
    }
  })
  return Effect.gen(function* () {
    const ledger = yield* Ledger
    yield* (yield* PartyStore).insert(party, [tokenOf("outbound", "tokenC", "their-token-C-0123456789")])
    const { facts } = yield* (yield* SuiteRuns).start({
      ownerId: party.ownerId,
      partyId: party.id,
      connectionLabel: "rude",
      environment: "test",
      suiteId: "ocpi-2.2.1-cpo-full",
      profile: "strict"
    })
    for (;;) {
      const row = Option.getOrThrow(yield* ledger.run(party.ownerId, facts.runId))
      if (row.snapshot.view.machine.tags.includes("terminal")) {
        const lines = yield* Effect.forEach([0, 1000, 2000], (after) => ledger.page(facts.runId, after, 1000))
        const events = lines.flat().map(({ line }) => JSON.parse(line) as LedgerEvent)
        const assertions = events.flatMap((event) => event.assertions)
        const asked = events.filter(({ type }) => type === "exchange.completed").length
        return { report: reportOf(row), assertions, asked, lines: lines.flat() }
      }
      yield* Effect.sleep("20 millis")
    }
  }).pipe(Effect.provide(SuiteRuns.layer().pipe(Layer.provideMerge(ground))))
}

type Ran = Effect.Effect.Success<ReturnType<typeof run>>

/** The run is over, the partner is at fault, and nothing of it is a fault of ours. */
const blamed = ({ assertions, report }: Ran) => {
  const ours = assertions.filter(({ outcome }) => outcome === "error")
  assert.deepStrictEqual(ours, [])
  assert.deepStrictEqual([report.status, report.verdict], ["completed", "fail"])
  assert.strictEqual(report.progress.done, report.progress.of)
  const found = assertions.filter(({ outcome }) => outcome === "failed")
  for (const one of found) assert.isNotEmpty(one.message, one.id)
  return found
}

/** Six silences in a row, and what was under way by then. */
const silent = (ran: Ran) => {
  assert.isBelow(ran.asked, 12)
  return blamed(ran)
}

const envelope = (data: unknown) =>
  JSON.stringify({ data, status_code: 1000, status_message: "ok", timestamp: "2026-01-01T00:00:00Z" })

/** Discovery is answered well; the lists are rude. */
const wellSpoken = (rude: (request: IncomingMessage, response: ServerResponse, url: string) => void) =>
  http((request, response) => {
    const url = `http://${request.headers.host}`
    response.setHeader("content-type", "application/json")
    if (request.url === "/versions") response.end(envelope([{ version: "2.2.1", url: `${url}/2.2.1` }]))
    else if (request.url === "/2.2.1") response.end(envelope({ version: "2.2.1", endpoints: endpoints(url) }))
    else rude(request, response, url)
  })

describe("a run against a partner that", { timeout: 2 * longMillis }, () => {
  it.scopedLive("answers with bytes that are no HTTP", () =>
    Effect.gen(function* () {
      const found = silent(
        yield* run(yield* tcp((socket) => socket.end(Buffer.from([0, 255, 13, 10, 7, 200]))))
      )
      assert.match(found[0]?.message ?? "", /malformed/)
    })
  )

  it.scopedLive("resets the connection", () =>
    Effect.gen(function* () {
      const found = silent(yield* run(yield* tcp((socket) => socket.resetAndDestroy())))
      assert.match(found[0]?.message ?? "", /reset/)
    })
  )

  it.scopedLive("never answers", () =>
    Effect.gen(function* () {
      const found = silent(yield* run(yield* tcp(() => {}), shortMillis))
      assert.match(found[0]?.message ?? "", /timeout/)
    })
  )

  it.scopedLive("lets its answer drip", () =>
    Effect.gen(function* () {
      const drip = (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{")
        // A partner of the outside world: its clock is the real one.
        const timer = setInterval(() => socket.write(" "), 20)
        socket.on("close", () => clearInterval(timer))
      }
      silent(yield* run(yield* tcp(drip), shortMillis))
    })
  )

  it.scopedLive("answers everything with a page of HTML", () =>
    Effect.gen(function* () {
      const server = yield* http((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<html>nothing here</html>")
      )
      assert.isNotEmpty(blamed(yield* run(server)))
    })
  )

  it.scopedLive("answers with bodies of 10 MB", () =>
    Effect.gen(function* () {
      const large = Buffer.from(envelope("x".repeat(10_000_000)))
      const ran = yield* run(
        yield* http((_, response) =>
          response.writeHead(200, { "content-type": "application/json" }).end(large)
        )
      )
      const { assertions } = ran
      assert.isTrue(assertions.some(({ reason = "" }) => reason.startsWith("too large for us to judge")))
      const wronged = assertions.filter(({ message = "" }) => /too large|no JSON object/.test(message))
      assert.isEmpty(wronged)
      // What is kept of each is bounded too.
      for (const { line } of ran.lines) assert.isBelow(line.length, 600_000)
    })
  )

  it.scopedLive("pages for ever", () =>
    Effect.gen(function* () {
      const ran = yield* run(
        yield* wellSpoken((request, response, url) => {
          const at = new URL(request.url ?? "/", url)
          const offset = Number(at.searchParams.get("offset") ?? 0)
          at.searchParams.set("offset", String(offset + 1))
          response.setHeader("link", `<${at.href}>; rel="next"`)
          response.setHeader("x-total-count", "2")
          response.setHeader("x-limit", "1")
          response.end(envelope([location({ id: `LOC${offset}` })]))
        })
      )
      assert.isTrue(blamed(ran).some(({ module }) => module === "paging"))
      // Each list is crawled a few times: as it is, in windows, and after what was written.
      assert.isBelow(ran.asked, pageCap * 15)
    })
  )

  it.scopedLive("links its pages in a circle", () =>
    Effect.gen(function* () {
      const ran = yield* run(
        yield* wellSpoken((request, response, url) => {
          response.setHeader("link", `<${url}${request.url}>; rel="next"`)
          response.end(envelope([location()]))
        })
      )
      blamed(ran)
      assert.isBelow(ran.asked, 300)
    })
  )

  it.scopedLive("speaks well at first and hangs up in its lists", () =>
    Effect.gen(function* () {
      const ran = yield* run(yield* wellSpoken((request) => request.socket.destroy()))
      assert.isTrue(blamed(ran).some(({ message = "" }) => message.includes("reset")))
    })
  )

  it.scopedLive("sends JSON that is made to hurt", () =>
    Effect.gen(function* () {
      const deep = 100_000
      const hurtful: ReadonlyArray<string> = [
        `{"data":${"[".repeat(deep)}${"]".repeat(deep)},"status_code":1000}`,
        `{"data":[${'{"evses":'.repeat(deep / 10)}1${"}".repeat(deep / 10)}],"status_code":1000}`,
        `{"data":[${"null,".repeat(100_000)}null],"status_code":1e400,"timestamp":"${"9".repeat(100_000)}"}`,
        `{"data":[{"__proto__":{"id":"x"},"id":{"toString":1},"evses":[[[]]],"last_updated":-1}],"status_code":1000}`,
        `{"data":[${JSON.stringify(location({ evses: Array.from({ length: 2000 }, () => ({ uid: null })) }))}],"status_code":1000}`,
        "\u0000\ufffe{}",
        '"1000"',
        "[]"
      ]
      let turn = 0
      const answer = (response: ServerResponse) => response.end(hurtful[turn++ % hurtful.length])
      assert.isNotEmpty(blamed(yield* run(yield* wellSpoken((_, response) => answer(response)))))
      assert.isNotEmpty(blamed(yield* run(yield* http((_, response) => answer(response)))))
    })
  )
})
