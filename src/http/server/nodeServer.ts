/** The Node HTTP server: time limits, answers to what is not valid HTTP, and shutdown. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { rawAnswer } from "../answer/rawAnswers.ts"
import { awaitContinue } from "../request/requestBody.ts"
import { type ConnectionLimits, limitConnections } from "./connectionLimits.ts"
import { watchArrivals } from "./lateRequests.ts"
import { readOriginForm } from "./originForm.ts"
import { takeInTurn } from "./pipelining.ts"
import { watchReaders } from "./slowReaders.ts"

const headersTimeoutMillis = 10_000
const requestTimeoutMillis = 30_000
/** Longest pause between two requests on one connection. */
const keepAliveMillis = 5000
const maxHeaderBytes = 16 * 1024
/** The largest report, the signed ledger of a run with all that its crawls may bring, is below this by itself. */
const heldBytes = 256 * 1024 * 1024

/** Limits on sockets and slow readers. */
export interface NodeServerOptions extends ConnectionLimits {
  /** Milliseconds after which a client that reads nothing of its answer is disconnected. */
  readonly stalledMillis: number
  /** Milliseconds within which the headers of a request have to arrive; default: 10 s. */
  readonly headersMillis?: number
}

/** The defaults of `Settings.ts`. */
export const usualLimits: NodeServerOptions = {
  connections: 10_000,
  connectionsPerAddress: 5000,
  stalledMillis: 30_000
}

/**
 * Makes a server that loses no request: those that arrive before a `request` listener is added are held and then handed
 * over to it.
 */
export const makeNodeServer = (options: NodeServerOptions = usualLimits): Server => {
  const server = createServer({
    headersTimeout: options.headersMillis ?? headersTimeoutMillis,
    requestTimeout: requestTimeoutMillis,
    keepAliveTimeout: keepAliveMillis,
    maxHeaderSize: maxHeaderBytes,
    // Node would refuse without a body; `ErrorBodies` refuses with ours.
    requireHostHeader: false,
    connectionsCheckingInterval: 2000,
    noDelay: true
  })
  const held: Array<Parameters<typeof hold>> = []
  const hold = (...request: [unknown, unknown]) => void held.push(request)
  const handOver = (event: string | symbol) => {
    // We serve no WebSockets. With an `upgrade` listener Node would hand over the bare socket, without reading the body or
    // any time limit; without one it answers as if no upgrade had been requested.
    if (event === "upgrade") process.nextTick(() => server.removeAllListeners("upgrade"))
    if (event !== "request" || server.listeners("request").indexOf(hold) === -1) return
    server.off("request", hold)
    // `newListener` fires before the listener is added.
    process.nextTick(() => {
      for (const request of held.splice(0)) server.emit("request", ...request)
    })
  }
  limitConnections(server, options)
  takeInTurn(server)
  const lateArrival = watchArrivals(server)
  const answering = watchReaders(server, { stalledMillis: options.stalledMillis, heldBytes })
  readOriginForm(server)
  server.on("request", hold)
  server.on("newListener", handOver)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = () => answerClientError(error, socket, answering(socket))
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") lateArrival(socket, answer)
    else answer()
  })
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    awaitContinue(request, response)
    server.emit("request", request, response)
  })
  // `ErrorBodies` refuses it; Node would do so without a body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_, socket) => {
    socket.on("error", () => {})
    socket.end(rawAnswer(405, "CONNECT is not supported: this server is no proxy", { Allow: "GET" }))
  })
  return server
}

/**
 * Closes connections as they become idle, and all of them after `graceMillis`. When none is left the server stops
 * listening, so that a balancer is refused instead of being accepted by a process that ends. Resolves after that.
 */
export const closeConnections = (server: Server, graceMillis: number): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now()
    const look = () => {
      server.closeIdleConnections()
      if (performance.now() - started > graceMillis) server.closeAllConnections()
      server.getConnections((error, count) => {
        if (error === null && count > 0 && performance.now() - started <= graceMillis + 500) return
        if (server.listening) {
          // After this turn of the loop, which takes the connections that wait; the next look sees whether there were any.
          setImmediate(() => server.close())
          return
        }
        clearInterval(timer)
        resolve()
      })
    }
    // A timer, because at this point of the shutdown no fiber is left to wait in.
    const timer = setInterval(look, 50)
  })

/** Answers what is not valid HTTP, also with our error body. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined
): void {
  // In the middle of an answer, a second one would be read as part of it.
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
