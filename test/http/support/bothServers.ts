/** Two servers over the same services: one with direct answers, one with the contract's routes alone. */
import { createServer } from "node:http"
import { connect } from "node:net"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { listener } from "../../../src/http/server/listener.ts"
import { served } from "../../../src/http/server/Server.ts"
import { counted } from "../../../src/telemetry/exposition.ts"
import { publicUrl } from "../../support/http/servedApi.ts"

/** The ports of two servers over the same services. */
export class Both extends Context.Tag("test/Both")<
  Both,
  { readonly direct: number; readonly general: number }
>() {}

const portOf = <E, R>(server: Layer.Layer<HttpServer.HttpServer, E, R>) =>
  Effect.gen(function* () {
    const routes = served({ publicUrl, consoleFolder: "/nowhere" })
    const context = yield* Layer.build(Layer.fresh(Layer.provideMerge(routes, server)))
    const { address } = Context.get(context, HttpServer.HttpServer)
    return address._tag === "TcpAddress" ? address.port : 0
  })

/** Both servers, on what stands below the routes. */
export const both = Layer.scoped(
  Both,
  Effect.gen(function* () {
    const at = { host: "127.0.0.1", port: 0 }
    const direct = yield* portOf(listener(() => createServer(), at))
    const general = yield* portOf(NodeHttpServer.layer(() => createServer(), at))
    return { direct, general }
  }).pipe(Effect.withTracerEnabled(false)) // as the service runs; with a tracer there are no direct answers
).pipe(Layer.provide(NodeHttpServer.layerContext))

/** One request on a socket of its own, which is closed when it is interrupted; the answer as it came. */
export const raw = (port: number, head: string) =>
  Effect.promise(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1")
        const chunks: Array<Buffer> = []
        socket.on("data", (chunk) => chunks.push(chunk))
        socket.on("error", reject)
        socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")))
        socket.write(head)
        signal.addEventListener("abort", () => socket.destroy())
      })
  )

/** The head of a request; an empty header is not sent, and `methodAndBody` may have a body after a line feed. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}, methodAndBody = "GET") => {
  const [method = "", body = ""] = methodAndBody.split(/\n(.*)/s)
  const all = { host: "x", authorization: "Bearer alice-key", connection: "close", ...headers }
  const lines = Object.entries(all).filter(([, value]) => value !== "")
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`
}

/** Without what is another at each request: its id, the time, and how full the bucket of the key is. */
export const comparable = (answer: string) =>
  answer
    .replace(/^x-request-id: [0-9a-f-]{36}\r$/m, "x-request-id: …\r")
    .replace(/^Date: .*\r$/m, "Date: …\r")
    .replace(/"(receivedAt|timestamp)":"[^"]*"/g, '"$1":"…"')
    .replace(/^ratelimit: "default";r=\d+;t=\d+\r$/m, "ratelimit: …\r")

/** How many requests the routes below `/api/v1/testing` and the health check have been counted with. */
export const countedSoFar = () =>
  counted("plugfest_http_requests_total")
    .flatMap(({ samples }) => samples)
    .reduce((sum, { value }) => sum + value, 0)
