/** The end of a request, seen at its socket. */
import net from "node:net"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "undici"
import { type RawRequest, send } from "../../src/ocpi/transport/transport.ts"

/** A partner that takes every connection and says nothing. */
const silent = Effect.acquireRelease(
  Effect.async<{ readonly server: net.Server; readonly sockets: Set<net.Socket> }>((resume) => {
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => sockets.add(socket.on("error", () => {})))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, sockets })))
  }),
  ({ server, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
)

/** How often the request's connection is closed until everything about it is over. */
const closings = (end: (sent: ReturnType<typeof send>) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const { server } = yield* silent
    const destroy = yield* Effect.acquireRelease(
      Effect.sync(() => vi.spyOn(Client.prototype, "destroy")),
      (spy) => Effect.sync(() => spy.mockRestore())
    )
    const request: RawRequest = {
      method: "GET",
      url: new URL(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`),
      headers: {},
      body: undefined,
      lookup: (_, __, callback) => callback(null, "127.0.0.1", 4),
      timeoutMillis: 200
    }
    yield* end(send(request))
    yield* Effect.sleep("100 millis")
    // undici calls itself once more, with a callback.
    return destroy.mock.calls.filter((given) => typeof given.at(-1) !== "function").length
  }).pipe(Effect.scoped)

describe("a request to a partner that says nothing", () => {
  it.live("is closed once by its deadline", () =>
    Effect.gen(function* () {
      const count = yield* closings((sent) =>
        Effect.map(Effect.flip(sent), ({ error }) => assert.propertyVal(error, "_tag", "DeadlinePassed"))
      )
      assert.strictEqual(count, 1)
    })
  )

  it.live("is closed once by an interruption", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* closings((sent) => Effect.timeoutOption(sent, "50 millis")), 1)
    })
  )
})
