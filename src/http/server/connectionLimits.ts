/** Limits the open sockets of a process, in all and per address; a socket beyond them gets 503 and is closed. */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { rawAnswer } from "../answer/rawAnswers.ts"

/** Sockets in all, and from one address. */
export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
}

/** Refused sockets that get an answer at the same time; further ones are closed without one. */
const maxRefusals = 256
const refusalMillis = 1000
const againSeconds = 5

/** Applies the limits to a server. No request of a refused socket is read. */
export const limitConnections = (
  server: Server,
  { connections, connectionsPerAddress }: ConnectionLimits
): void => {
  const byAddress = new Map<string, number>()
  let open = 0
  /** Refused sockets that are still open, and since when (monotonic milliseconds). */
  const leaving = new Map<Socket, number>()

  const turnAway = (socket: Socket, message: string) => {
    socket.on("error", () => {})
    if (leaving.size >= maxRefusals) {
      socket.destroy()
      return
    }
    leaving.set(socket, performance.now())
    socket.once("close", () => leaving.delete(socket))
    // Discard received bytes: closing a socket with unread bytes resets it, and the answer would be lost.
    socket.resume()
    socket.end(rawAnswer(503, message, { "Retry-After": String(againSeconds) }))
  }

  const refusal = (here: number): string | undefined => {
    if (open >= connections) return "This server has reached its limit of connections; try again"
    return here >= connectionsPerAddress
      ? "This server has reached its limit of connections from this address; try again"
      : undefined
  }

  /** Counts the socket until it closes; false when it was refused. */
  const enter = (socket: Socket): boolean => {
    const address = socket.remoteAddress ?? ""
    const here = byAddress.get(address) ?? 0
    const message = refusal(here)
    if (message !== undefined) {
      turnAway(socket, message)
      return false
    }
    open += 1
    byAddress.set(address, here + 1)
    socket.once("close", () => {
      open -= 1
      const left = (byAddress.get(address) ?? 1) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
    return true
  }

  const look = () => {
    const now = performance.now()
    for (const [socket, since] of leaving) if (now - since > refusalMillis) socket.destroy()
  }
  const timer = setInterval(look, refusalMillis).unref()
  server.once("close", () => clearInterval(timer))

  const emit = server.emit.bind(server)
  // Override `emit`, because no event comes before Node's own listener, which reads from the socket at once.
  server.emit = ((event: string | symbol, ...more: ReadonlyArray<unknown>): boolean =>
    event === "connection" && !enter(more[0] as Socket) // what `net` emits with that event
      ? true
      : emit(event as string, ...more)) as typeof server.emit
}
