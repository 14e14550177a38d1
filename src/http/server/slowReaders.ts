/**
 * Disconnects clients that do not read their answers: when they read nothing for a while, when they read a finished answer too
 * slowly, and when the unread bytes of all clients exceed a limit. Event streams have a rule of their own (`Feed`).
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** When a client counts as too slow. */
interface ReaderLimits {
  /** A client that reads nothing is disconnected after half to all of this time. */
  readonly stalledMillis: number
  /** Largest number of unread bytes of all clients together. */
  readonly heldBytes: number
}

/** A finished answer may take twice `stalledMillis`, and one second more for each so many bytes. */
const slowestBytesPerSecond = 8 * 1024
const lookMillis = 1000

interface Answering {
  readonly response: ServerResponse
  readonly isStream: boolean
  /** When its last byte was written to the socket (monotonic milliseconds), and the unread bytes then. */
  ready: { readonly at: number; readonly bytes: number } | undefined
}

/** Starts to watch a server. Returns a function: the response that is being written to a socket, or undefined. */
export const watchReaders = (
  server: Server,
  { heldBytes, stalledMillis }: ReaderLimits
): ((socket: object) => ServerResponse | undefined) => {
  /** By open socket, in the order of requests; the first one is being written. */
  const answering = new Map<Socket, Array<Answering>>()
  const firstOf = (socket: Socket): Answering | undefined => answering.get(socket)?.[0]

  server.prependListener("connection", (socket: Socket) => {
    answering.set(socket, [])
    socket.once("close", () => answering.delete(socket))
  })

  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const isStream = /\/stream(\?|$)/.test(request.url ?? "")
    const one: Answering = { response, isStream, ready: undefined }
    const all = answering.get(socket) ?? []
    all.push(one)
    response.once("close", () => all.splice(all.indexOf(one), 1))
  })

  // Node compares the unread bytes once a period, so it finds a stalled client after one to two periods. Without a
  // listener it would close every idle socket, also one whose answer is still being made.
  server.timeout = stalledMillis / 2
  server.on("timeout", (socket: Socket) => {
    const one = firstOf(socket)
    const waits = one !== undefined && (one.isStream || socket.writableLength === 0)
    if (!waits) socket.destroy()
  })

  const isSlow = (socket: Socket, one: Answering, now: number): boolean => {
    if (!one.response.writableEnded) return false
    one.ready ??= { at: now, bytes: socket.writableLength }
    return now - one.ready.at > 2 * stalledMillis + (one.ready.bytes / slowestBytesPerSecond) * 1000
  }

  const look = () => {
    const now = performance.now()
    let held = 0
    const waiting = [...answering].filter(
      ([socket, [one]]) => one?.isStream === false && socket.writableLength > 0
    )
    for (const [socket, [one]] of waiting) {
      if (one !== undefined && isSlow(socket, one, now)) socket.destroy()
      else held += socket.writableLength
    }
    // The oldest first: those clients have had the most time to read.
    for (const [socket] of waiting) {
      if (held <= heldBytes) return
      if (socket.destroyed) continue
      held -= socket.writableLength
      socket.destroy()
    }
  }
  const timer = setInterval(look, lookMillis).unref()
  server.once("close", () => clearInterval(timer))

  return (socket) => firstOf(socket as Socket)?.response // only compared as a key
}
