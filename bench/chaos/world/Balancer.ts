/** A TCP load balancer: each connection goes to the next process that accepts it. */
import { connect, createServer, type Server, type Socket } from "node:net"

/** The balancer's address and targets. */
export interface Balancer {
  readonly url: string
  /** Target ports, used in turn; may be changed at any time. */
  ports: ReadonlyArray<number>
  readonly close: () => void
}

/** Starts a balancer on that port. */
export async function startBalancer(port: number): Promise<Balancer> {
  let turn = 0
  const open = new Set<Socket>()
  const pass = (socket: Socket, left: number): void => {
    const { ports } = balancer
    const next = ports[turn++ % Math.max(1, ports.length)]
    if (next === undefined || left === 0) {
      socket.destroy()
      return
    }
    const onward = connect(next, "127.0.0.1")
    let joined = false
    onward.once("connect", () => {
      joined = true
      socket.pipe(onward)
      onward.pipe(socket)
    })
    onward.on("error", () => (joined ? socket.destroy() : pass(socket, left - 1)))
    onward.on("close", () => joined && socket.destroy())
    socket.on("close", () => onward.destroy())
  }
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => open.delete(socket))
    pass(socket, balancer.ports.length + 1)
  })
  const balancer: Balancer = {
    url: `http://127.0.0.1:${port}`,
    ports: [],
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    }
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return balancer
}
