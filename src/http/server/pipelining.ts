/**
 * One request of a socket at a time. Node hands over every request that has come, also those behind one that is not answered yet:
 * a client that sends a hundred in one packet and reads nothing would have a hundred answers made, and kept.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Requests of a socket that wait for the one at work; a client that sends more is disconnected. */
const mostWaiting = 100

/** The requests of one socket. */
interface Line {
  atWork: ServerResponse | undefined
  readonly waiting: Array<readonly [IncomingMessage, ServerResponse]>
  /** The answer at work is over, or its socket is closed. */
  readonly ended: () => void
}

/** Applies that to a server: its `request` listeners hear of a request when the one before it has been answered. */
export const takeInTurn = (server: Server): void => {
  const lines = new WeakMap<Socket, Line>()
  const emit = server.emit.bind(server)

  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): boolean => {
    line.atWork = response
    response.once("close", line.ended)
    return emit("request", request, response)
  }

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = {
      atWork: undefined,
      waiting: [],
      ended: () => {
        line.atWork = undefined
        const next = socket.destroyed ? undefined : line.waiting.shift()
        if (next !== undefined) begin(line, ...next)
      }
    }
    socket.once("close", () => {
      line.waiting.length = 0
    })
    lines.set(socket, line)
    return line
  }

  const enter = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    const line = lineOf(socket)
    // The same request again: it was held until there was a listener.
    if (line.atWork === response) return emit("request", request, response)
    // The others of the packet come after the socket was closed.
    if (socket.destroyed) return true
    if (line.atWork === undefined) return begin(line, request, response)
    if (line.waiting.length >= mostWaiting) socket.destroy()
    else line.waiting.push([request, response])
    return true
  }

  // Override `emit`, because a listener cannot keep an event from the others.
  server.emit = ((event: string | symbol, ...more: ReadonlyArray<unknown>): boolean =>
    event === "request"
      ? enter(more[0] as IncomingMessage, more[1] as ServerResponse) // what Node emits with that event
      : emit(event as string, ...more)) as typeof server.emit
}
