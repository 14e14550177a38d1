/** A suite that is over while the service is away: what is asked for at its end waits until the service is back. */
import { readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { followConformance } from "../../../src/cli/follow/followConformance.ts"
import { tellReport } from "../../../src/cli/follow/tellReport.ts"
import { client } from "../../../src/cli/service/Service.ts"
import { reaching } from "../../../src/cli/service/ServiceUnreachable.ts"
import { TerminalOutput } from "../../../src/cli/terminal/Terminal.ts"
import { document, failed } from "../../support/documents.ts"

const ended = { ...document.report, connectionLabel: "cpo" }
const started = { ...ended, status: "running" as const, verdict: null, revision: 1 }
const key = "k".repeat(32)
const awayMillis = 300

/** What the service answers, by the end of the path. */
const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
  stream: [
    "text/event-stream",
    `id: 1\ndata: ${JSON.stringify({ sequence: 1, type: "run.completed", occurredAt: ended.createdAt, assertions: [] })}\n\n`
  ],
  [ended._id]: ["application/json", JSON.stringify({ success: true, data: ended })],
  checks: ["application/json", JSON.stringify({ success: true, data: [failed] })],
  events: ["application/json", JSON.stringify({ success: true, data: [] })],
  export: ["text/markdown", "## The report\n"]
}

describe("a service that is away for a moment after each answer", () => {
  const summary = join(tmpdir(), `plugfest-summary-${process.pid}.md`)
  const asked: Array<string> = []
  let port = 0
  let back: NodeJS.Timeout | undefined
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "", "http://any").pathname.split("/").at(-1) ?? ""
    asked.push(name)
    const [type, body] = answers[name] ?? ["text/plain", ""]
    response.writeHead(type === "text/plain" ? 404 : 200, { "content-type": type, connection: "close" })
    response.end(body)
    // From here on connections are refused, until it listens at the same port again.
    server.close(() => {
      back = setTimeout(() => server.listen(port, "127.0.0.1"), awayMillis)
    })
  })

  beforeEach(async () => {
    vi.stubEnv("GITHUB_ACTIONS", "true")
    vi.stubEnv("GITHUB_STEP_SUMMARY", summary)
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    clearTimeout(back)
    server.close()
    await rm(summary, { force: true })
  })

  it("costs a suite neither its verdict nor its report", async () => {
    const printed: Array<string> = []
    const said: Array<string> = []
    const url = `http://127.0.0.1:${port}`
    const told = Effect.gen(function* () {
      const service = { url, key: Redacted.make(key), api: yield* client(url, Redacted.make(key)) }
      const report = yield* followConformance(service, started)
      yield* tellReport(service, report, { json: false })
      return report
    }).pipe(
      reaching,
      Effect.provideService(TerminalOutput, {
        print: (line) => Effect.sync(() => void printed.push(line)),
        say: (line) => Effect.sync(() => void said.push(line)),
        status: () => Effect.void,
        clear: Effect.void,
        columns: 100,
        paint: (_, text) => text,
        paintData: (_, text) => text
      })
    )
    assert.strictEqual((await Effect.runPromise(told)).verdict, "fail")
    assert.deepStrictEqual(asked, ["stream", ended._id, "checks", "events", "export"])
    assert.include(printed.join("\n"), "LOC-017")
    assert.strictEqual(await readFile(summary, "utf8"), "## The report\n")
    assert.deepStrictEqual(
      said.filter((line) => line.includes("the service is")).map((line) => line.trim()),
      [ended._id, "checks", "events", "export"].flatMap(() => [
        "the service is away: waiting for it",
        "the service is back"
      ])
    )
  })
})
