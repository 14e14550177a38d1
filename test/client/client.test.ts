/** The client against a service that does what ours may do, and what a network does. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, assert, describe, it, vi } from "vitest"
import { type FollowOptions, PlugfestError, plugfest } from "../../src/client/plugfest.ts"

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Answers one request after the other as told; the last answer again and again. */
const serving = async (...answers: ReadonlyArray<Answer>) => {
  const seen: Array<{
    readonly line: string
    readonly headers: IncomingMessage["headers"]
    readonly body: string
  }> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    answers[Math.min(seen.length, answers.length) - 1]!(request, response, body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, url, client: plugfest({ url, key: "key-1", patienceMillis: 5_000 }) }
}
const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-1", ...headers })
    response.end(JSON.stringify(body))
  }
const good = (data: unknown) => json(200, { success: true, data })
const broken: Answer = (request) => request.socket.destroy()
const failed = async (promise: Promise<unknown>): Promise<PlugfestError> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof PlugfestError) return error
    throw error
  }
  return assert.fail("it succeeded")
}

/** The ledger of a run: events 1 to 5, of which the last one ends it. */
const frames = Array.from({ length: 5 }, (_, index) => {
  const event = { sequence: index + 1, type: index === 4 ? "run.completed" : "stage.started" }
  return `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`
})
const streaming =
  (text: string, end: "drop" | "end" = "drop"): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(`: hello\n\n${text}`)
    setTimeout(() => (end === "end" ? response.end() : response.destroy()), 20)
  }
const followed = async (
  client: Awaited<ReturnType<typeof serving>>["client"],
  after?: number,
  more: FollowOptions = {}
) => {
  const sequences: Array<number> = []
  for await (const { sequence } of client.followRun("run_1", after === undefined ? more : { ...more, after }))
    sequences.push(sequence)
  return sequences
}

describe("the client", () => {
  it("sends the key, the parameters and the body, and unwraps the answer", async () => {
    const { client, seen } = await serving(good({ _id: "rep_1" }))
    assert.deepInclude(await client.testing.run({ path: { id: "a/b" }, query: { wait: "3" } }), {
      _id: "rep_1"
    })
    await client.testing.startRun({ body: { connectionId: "conn_1", suiteId: "s" } })
    assert.deepStrictEqual(
      seen.map(({ line }) => line),
      ["GET /api/v1/testing/runs/a%2Fb?wait=3", "POST /api/v1/testing/runs"]
    )
    assert.strictEqual(seen[0]!.headers.authorization, "Bearer key-1")
    assert.isUndefined(seen[0]!.headers["idempotency-key"])
    assert.strictEqual(seen[1]!.body, '{"connectionId":"conn_1","suiteId":"s"}')
  })

  it("answers a document as its text", async () => {
    const { client } = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/markdown" }).end("# Report")
    })
    assert.strictEqual(
      await client.testing.exportRun({ path: { id: "rep_1" }, query: { format: "markdown" } }),
      "# Report"
    )
  })

  it("says what the service said", async () => {
    const { client } = await serving(json(404, { success: false, message: "There is no such run" }))
    const error = await failed(client.testing.run({ path: { id: "rep_1" } }))
    assert.deepInclude(error, { status: 404, requestId: "req-1", operation: "testing.run", mayPass: false })
    assert.strictEqual(error.message, "testing.run: There is no such run")
  })

  it("repeats a POST with the key that it had, while the service is away or busy", async () => {
    const away = json(503, { success: false, message: "away" }, { "retry-after": "0" })
    const busy = json(429, { success: false, message: "slowly" }, { "retry-after": "0" })
    const { client, seen } = await serving(away, broken, busy, good({ _id: "rep_1" }))
    await client.testing.startRun({ body: { connectionId: "conn_1", suiteId: "s" } })
    const keys = seen.map(({ headers }) => headers["idempotency-key"])
    assert.lengthOf(keys, 4)
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.lengthOf(new Set(keys), 1)
    await client.testing.startRun(
      { body: { connectionId: "conn_1", suiteId: "s" } },
      { idempotencyKey: "mine" }
    )
    assert.strictEqual(seen.at(-1)!.headers["idempotency-key"], "mine")
  })

  it("does not repeat a DELETE whose answer was lost, nor anything for longer than its patience", async () => {
    const { client, seen } = await serving(broken)
    const error = await failed(client.connections.remove({ path: { id: "conn_1" } }))
    assert.isUndefined(error.status)
    assert.lengthOf(seen, 1)
    const later = await serving(json(503, { success: false, message: "away" }, { "retry-after": "60" }))
    assert.deepInclude(await failed(later.client.testing.suites()), { status: 503, retryAfterSeconds: 60 })
    assert.lengthOf(later.seen, 1)
  })

  it("waits for the end of a run by its revision", async () => {
    const report = { _id: "rep_1", status: "running", verdict: null, revision: 1 }
    const { client, seen } = await serving(
      good(report),
      good({ ...report, revision: 4 }),
      good({ ...report, status: "completed", verdict: "pass" })
    )
    assert.strictEqual((await client.endOfRun("run_1")).verdict, "pass")
    assert.deepStrictEqual(
      seen.map(({ line }) => line.replace("GET /api/v1/testing/runs/", "")),
      ["run_1", "rep_1?wait=25&since=1", "rep_1?wait=25&since=4"]
    )
  })

  it("gives each event once, over connections that drop anywhere and replay what is known", async () => {
    const all = frames.join("")
    for (const cut of [1, 9, frames[0]!.length - 1, frames[0]!.length + 12, all.length - 3]) {
      const { client, seen } = await serving(
        streaming(all.slice(0, cut)),
        json(503, { success: false, message: "away" }, { "retry-after": "0" }),
        streaming(all, "end")
      )
      assert.deepStrictEqual(await followed(client), [1, 2, 3, 4, 5], `cut at ${cut}`)
      const known = frames.filter((_, index) => frames.slice(0, index + 1).join("").length <= cut).length
      assert.strictEqual(seen[2]!.headers["last-event-id"], known === 0 ? undefined : String(known))
    }
  })

  it("tells when the stream is open, and each time that it is lost", async () => {
    const { client } = await serving(streaming(frames[0]!), streaming(frames.slice(1).join("")))
    const told: Array<string> = []
    const onStream = (state: string) => void told.push(state)
    for await (const event of client.followRun("run_1", { onStream })) told.push(String(event.sequence))
    assert.deepStrictEqual(told, ["open", "1", "lost", "open", "2", "3", "4", "5"])
  })

  it("is patient with a run that is silent for longer than that, as long as the service is heard in between", async () => {
    const silent = streaming("", "end")
    const { url } = await serving(silent, silent, silent, silent, streaming(frames.join(""), "end"))
    const client = plugfest({ url, key: "key-1", patienceMillis: 2_100 })
    const began = performance.now()
    assert.deepStrictEqual(await followed(client), [1, 2, 3, 4, 5])
    assert.isAbove(performance.now() - began, 1_800)
    const nobody = await serving(broken)
    const impatient = plugfest({ url: nobody.url, key: "key-1", patienceMillis: 500 })
    assert.isUndefined((await failed(followed(impatient))).status)
  }, 20_000)

  it("sends no key where it has none, and the headers that it was given", async () => {
    const { seen, url } = await serving(good({}))
    const signedIn = plugfest({ url, headers: { "x-plugfest-console": "1" } })
    await signedIn.settings.account()
    assert.isUndefined(seen[0]!.headers["authorization"])
    assert.strictEqual(seen[0]!.headers["x-plugfest-console"], "1")
  })

  it("asks again from where it stood when an event is missing", async () => {
    const { client, seen } = await serving(
      streaming(frames[0]! + frames[2]!, "end"),
      streaming(frames.slice(1).join(""), "end")
    )
    assert.deepStrictEqual(await followed(client), [1, 2, 3, 4, 5])
    assert.strictEqual(seen[1]!.headers["last-event-id"], "1")
  })

  it("ends at once where the run is over and known, and says why it cannot follow", async () => {
    const { client, seen } = await serving((_, response) => response.writeHead(204).end())
    assert.deepStrictEqual(await followed(client, 5), [])
    assert.strictEqual(seen[0]!.headers["last-event-id"], "5")
    const refusing = await serving(json(404, { success: false, message: "There is no such run" }))
    assert.strictEqual((await failed(followed(refusing.client))).status, 404)
  })

  it("lets go of the connection when it is left, and when it is aborted", async () => {
    let open = 0
    const endless: Answer = (request, response) => {
      open += 1
      request.socket.on("close", () => {
        open -= 1
      })
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(frames[0]!)
    }
    const { client } = await serving(endless)
    for await (const _ of client.followRun("run_1")) break
    const stop = new AbortController()
    const reason = await (async () => {
      for await (const _ of client.followRun("run_1", { signal: stop.signal }))
        stop.abort(new Error("enough"))
    })().catch((error) => error)
    assert.strictEqual(reason.message, "enough")
    const early = new AbortController()
    const onStream = () => early.abort(new Error("at once"))
    const atOnce = followed(client, undefined, { onStream, signal: early.signal })
    assert.strictEqual((await atOnce.catch((error) => error)).message, "at once")
    await vi.waitFor(() => assert.strictEqual(open, 0), { timeout: 10_000 })
  })
})
