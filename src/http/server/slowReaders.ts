/**
 * Readers that do not take their answers: cut off when they take nothing for a while, when they take too little of what is
 * ready for them, and when all of them together make us hold too much. Event streams have a rule of their own (`Feed`).
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface ReaderLimits {
  /** A reader that takes nothing is cut off after half to all of that time. */
  readonly stalledMillis: number
  /** Bytes of answers that wait for all readers together. */
  readonly heldBytes: number
}

/** An answer that is ready may take twice that, and a second for so many bytes more. */
const slowestBytesPerSecond = 8 * 1024
const lookMillis = 1000

interface Answering {
  readonly response: ServerResponse
  readonly isStream: boolean
  /** When its last byte was handed over, and how many bytes waited then. Monotonic milliseconds. */
  ready: { readonly at: number; readonly bytes: number } | undefined
}

/** Begins to watch. Answers which response is being written to a socket; undefined: none. */
export const watchReaders = (
  server: Server,
  { heldBytes, stalledMillis }: ReaderLimits
): ((socket: object) => ServerResponse | undefined) => {
  /** In the order of their requests: the first of a connection is the one that is written. */
  const answering = new Map<Socket, Array<Answering>>()
  const firstOf = (socket: Socket): Answering | undefined => answering.get(socket)?.[0]

  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const isStream = /\/stream(\?|$)/.test(request.url ?? "")
    const one: Answering = { response, isStream, ready: undefined }
    const all = answering.get(socket) ?? []
    all.push(one)
    answering.set(socket, all)
    response.once("close", () => {
      all.splice(all.indexOf(one), 1)
      if (all.length === 0) answering.delete(socket)
    })
  })

  // Node compares the bytes that wait once a period, so it finds a reader that takes none after one to two periods. Without
  // a listener it would close every such socket, also one whose answer we are still working on.
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
    // Those that began first have had the longest to take theirs.
    for (const [socket] of waiting) {
      if (held <= heldBytes) return
      if (socket.destroyed) continue
      held -= socket.writableLength
      socket.destroy()
    }
  }
  const timer = setInterval(look, lookMillis).unref()
  server.once("close", () => clearInterval(timer))

  return (socket) => firstOf(socket as Socket)?.response // the keys are compared, whatever it is
}
