/** How many connections a process has open, in all and from one address; who is one too many is told so and leaves. */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { rawAnswer } from "../request/rawAnswers.ts"

export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
}

/** So many at once are told why; more are cut off without a word. */
const maxRefusals = 256
const refusalMillis = 1000
const againSeconds = 5

/** From now on. What is turned away never reaches the server: no request of it is read. */
export const limitConnections = (
  server: Server,
  { connections, connectionsPerAddress }: ConnectionLimits
): void => {
  const byAddress = new Map<string, number>()
  let open = 0
  /** Who was turned away and is still there, since when (monotonic milliseconds). */
  const leaving = new Map<Socket, number>()

  const turnAway = (socket: Socket, message: string) => {
    socket.on("error", () => {})
    if (leaving.size >= maxRefusals) {
      socket.destroy()
      return
    }
    leaving.set(socket, performance.now())
    socket.once("close", () => leaving.delete(socket))
    // What it has sent already is thrown away: closing over unread bytes would take the answer back.
    socket.resume()
    socket.end(rawAnswer(503, message, { "Retry-After": String(againSeconds) }))
  }

  const refusal = (here: number): string | undefined => {
    if (open >= connections) return "There are as many connections as this server takes; try again"
    return here >= connectionsPerAddress
      ? "There are as many connections from this address as this server takes; try again"
      : undefined
  }

  /** Counts it until it closes; false when it was turned away. */
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
  // Before Node's own listener, which reads from the socket at once; there is no event for that.
  server.emit = ((event: string | symbol, ...more: ReadonlyArray<unknown>): boolean =>
    event === "connection" && !enter(more[0] as Socket) // what `net` emits with that event
      ? true
      : emit(event as string, ...more)) as typeof server.emit
}
