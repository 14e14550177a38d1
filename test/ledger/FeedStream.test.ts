import { once } from "node:events"
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { pipeline } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FeedStream } from "../../src/ledger/feed/FeedStream.ts"
import { encode } from "../../src/ledger/feed/frames.ts"

const mark = 64 * 1024

const serve = (handler: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(handler).listen(0, "127.0.0.1")
      await once(server, "listening")
      return { server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      })
  )

/** Answers every request with a feed of its own, which `use` fills. */
const serveFeeds = (use: (stream: FeedStream, wanted: () => number) => void) =>
  serve((_, response) => {
    let calls = 0
    const count = () => {
      calls += 1
    }
    const stream = new FeedStream(mark, { wanted: count, gone: () => {} })
    response.writeHead(200, { "content-type": "text/event-stream" })
    stream.hand(encode("hello\n\n"))
    pipeline(stream, response, () => {})
    use(stream, () => calls)
  })

const textOf = async (response: IncomingMessage) => {
  let text = ""
  for await (const chunk of response) text += chunk
  return text
}

const answerTo = async (port: number, agent?: Agent) => {
  const [response] = await once(get({ host: "127.0.0.1", port, agent }), "response")
  return response as IncomingMessage
}

describe("the stream of a feed", () => {
  it.scopedLive("gives what was handed over before and after it is piped, and ends", () =>
    Effect.gen(function* () {
      const { port } = yield* serveFeeds((stream) => {
        stream.hand(encode("first ü\n\n"))
        setImmediate(() => {
          stream.hand(encode("second\n\n"))
          stream.finish()
        })
      })
      const text = yield* Effect.promise(async () => textOf(await answerTo(port)))
      assert.strictEqual(text, "hello\n\nfirst ü\n\nsecond\n\n")
    })
  )

  it.scopedLive("leaves the connection fit for the next request", () =>
    Effect.gen(function* () {
      const { port } = yield* serveFeeds((stream) => stream.finish())
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 1 })),
        (open) => Effect.sync(() => open.destroy())
      )
      const ports = yield* Effect.promise(async () => {
        const used: Array<number | undefined> = []
        for (let n = 0; n < 3; n++) {
          const response = await answerTo(port, agent)
          used.push(response.socket.localPort)
          assert.strictEqual(await textOf(response), "hello\n\n")
        }
        return used
      })
      assert.strictEqual(new Set(ports).size, 1)
    })
  )

  it.scopedLive("says that a reader is slow, and wants more when it has read", () =>
    Effect.gen(function* () {
      const frame = encode(`${"x".repeat(10_000)}\n\n`)
      let slow: { readonly handed: number; readonly wanted: number } | undefined
      const { port } = yield* serveFeeds((stream, wanted) =>
        setImmediate(() => {
          const before = wanted()
          let handed = 1
          while (stream.hand(frame)) handed += 1
          slow = { handed, wanted: wanted() - before }
          const look = setInterval(() => {
            if (wanted() === before) return
            clearInterval(look)
            stream.finish()
          }, 5)
        })
      )
      const response = yield* Effect.promise(() => answerTo(port))

      const text = yield* Effect.promise(() => textOf(response))
      assert.strictEqual(slow?.wanted, 0)
      assert.strictEqual(text.length, "hello\n\n".length + (slow?.handed ?? 0) * 10_002)
    })
  )

  it.scopedLive("sends no chunks to who speaks HTTP/1.0", () =>
    Effect.gen(function* () {
      const { port } = yield* serveFeeds((stream) =>
        setImmediate(() => {
          stream.hand(encode("more\n\n"))
          stream.finish()
        })
      )
      const text = yield* Effect.promise(async () => {
        const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.0\r\n\r\n"))
        let all = ""
        for await (const chunk of socket) all += chunk
        return all
      })
      assert.match(text, /\r\n\r\nhello\n\nmore\n\n$/)
    })
  )
})
