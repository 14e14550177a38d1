/** A network that can be cut: a TCP relay that stops passing bytes on, in both directions, and says nothing. */
import { connect, createServer, type Socket } from "node:net"

/** The relay's port, and its two states. */
export interface Relay {
  readonly port: number
  /** From now on nothing comes through: connections stay open, new ones are accepted, and no byte passes. */
  readonly cut: () => void
  /** Everything comes through again, what was sent meanwhile first. */
  readonly mend: () => void
  readonly close: () => void
}

/** Starts a relay to that port of the loopback interface. `port`: its own; default: any. */
export async function startRelay(target: number, port = 0): Promise<Relay> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    const onward = connect(target, "127.0.0.1")
    for (const [from, to] of [
      [socket, onward],
      [onward, socket]
    ] as const) {
      open.add(from)
      from.on("data", (chunk) => {
        if (!to.write(chunk)) from.pause()
      })
      to.on("drain", () => !isCut && from.resume())
      from.on("error", () => to.destroy())
      from.on("close", () => {
        open.delete(from)
        to.destroy()
      })
      if (isCut) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const address = server.address()
  return {
    port: typeof address === "object" ? address!.port : port,
    cut: () => {
      isCut = true
      for (const socket of open) socket.pause()
    },
    mend: () => {
      isCut = false
      for (const socket of open) socket.resume()
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    }
  }
}
