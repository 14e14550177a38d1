/** The Node server under it all: its time limits, its words for what is not HTTP, and its end. An edge of the house. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { rawAnswer } from "../request/rawAnswers.ts"
import { awaitContinue } from "../request/requestBody.ts"
import { type ConnectionLimits, limitConnections } from "./connectionLimits.ts"
import { watchReaders } from "./slowReaders.ts"

const headersTimeoutMillis = 10_000
const requestTimeoutMillis = 30_000
/** Between two requests on one connection. */
const keepAliveMillis = 5000
const maxHeaderBytes = 16 * 1024
const heldBytes = 64 * 1024 * 1024

export interface NodeServerOptions extends ConnectionLimits {
  /** A reader that takes no byte of its answer for so long is cut off. */
  readonly stalledMillis: number
}

/** For a server with few callers: what `Settings.ts` has by default. */
export const usualLimits: NodeServerOptions = {
  connections: 10_000,
  connectionsPerAddress: 5000,
  stalledMillis: 30_000
}

/**
 * A server that loses no request: between listening and being served, requests are held back and handed over as soon as
 * somebody listens to them.
 */
export const makeNodeServer = (options: NodeServerOptions = usualLimits): Server => {
  const server = createServer({
    headersTimeout: headersTimeoutMillis,
    requestTimeout: requestTimeoutMillis,
    keepAliveTimeout: keepAliveMillis,
    maxHeaderSize: maxHeaderBytes,
    // Node would refuse without a body; `ErrorBodies` does it in the form of ours.
    requireHostHeader: false,
    connectionsCheckingInterval: 2000,
    noDelay: true
  })
  const held: Array<Parameters<typeof hold>> = []
  const hold = (...request: [unknown, unknown]) => void held.push(request)
  const handOver = (event: string | symbol) => {
    // There are no WebSockets here. With a listener Node hands the bare socket over, and nobody would read the request's
    // body or end it in time; without one it answers as if no upgrade had been asked for.
    if (event === "upgrade") process.nextTick(() => server.removeAllListeners("upgrade"))
    if (event !== "request" || server.listeners("request").indexOf(hold) === -1) return
    server.off("request", hold)
    // The listener is added after this event.
    process.nextTick(() => {
      for (const request of held.splice(0)) server.emit("request", ...request)
    })
  }
  limitConnections(server, options)
  const answering = watchReaders(server, { stalledMillis: options.stalledMillis, heldBytes })
  server.on("request", hold)
  server.on("newListener", handOver)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    answerClientError(error, socket, answering(socket))
  )
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    awaitContinue(request, response)
    server.emit("request", request, response)
  })
  // Refused by `ErrorBodies`; Node would do it without a body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_, socket) => {
    socket.on("error", () => {})
    socket.end(rawAnswer(405, "CONNECT is not possible here: this is no proxy", { Allow: "GET" }))
  })
  return server
}

/** Closes idle connections until none is left, all of them after the grace. Resolves when there is no connection. */
export const closeConnections = (server: Server, graceMillis: number): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now()
    const look = () => {
      server.closeIdleConnections()
      if (performance.now() - started > graceMillis) server.closeAllConnections()
      server.getConnections((error, count) => {
        if (error !== null || count === 0 || performance.now() - started > graceMillis + 500) {
          clearInterval(timer)
          resolve()
        }
      })
    }
    // The server is closing: there is no fiber left to wait in for its sockets.
    const timer = setInterval(look, 50)
  })

/** What is not HTTP gets an answer as well, in the one form that errors have. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined
): void {
  // Amid an answer another one would be read as part of it.
  if (error.code === "ECONNRESET" || !socket.writable || response?.headersSent === true) {
    socket.destroy()
    return
  }
  const [status, message] = clientErrors[error.code ?? ""] ?? [400, "The request is not valid HTTP"]
  socket.end(rawAnswer(status, message))
}

const clientErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are larger than ${maxHeaderBytes / 1024} KiB`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of the chunks are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"]
}
