/** The Node server under it all: its time limits, its words for what is not HTTP, and its end. An edge of the house. */
import { createServer, type Server } from "node:http"
import type { Duplex } from "node:stream"

const headersTimeoutMillis = 10_000
const requestTimeoutMillis = 30_000
const maxHeaderBytes = 16 * 1024

/**
 * A server that loses no request: between listening and being served, requests are held back and handed over as soon as
 * somebody listens to them.
 */
export const makeNodeServer = (): Server => {
  const server = createServer({
    headersTimeout: headersTimeoutMillis,
    requestTimeout: requestTimeoutMillis,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval: 2000,
    noDelay: true
  })
  const held: Array<Parameters<typeof hold>> = []
  const hold = (...request: [unknown, unknown]) => void held.push(request)
  const handOver = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", handOver).off("request", hold)
    // The listener is added after this event.
    process.nextTick(() => {
      for (const request of held.splice(0)) server.emit("request", ...request)
    })
  }
  server.on("request", hold)
  server.on("newListener", handOver)
  server.on("clientError", answerClientError)
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
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = clientErrors[error.code ?? ""] ?? [
    "400 Bad Request",
    "The request is not valid HTTP"
  ]
  const body = JSON.stringify({ success: false, message })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n` +
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n" +
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

const clientErrors: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    `The headers are larger than ${maxHeaderBytes / 1024} KiB`
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive"]
}
