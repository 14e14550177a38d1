/** A proxy that treats clients badly: it cuts connections after some bytes, and refuses others with 503 or 429. */
import { connect, createServer, type Socket } from "node:net"

/** The proxy's address, and what it has done. */
export interface CuttingProxy {
  readonly url: string
  readonly cuts: () => number
  readonly refusals: () => number
  /** From now on each connection is passed on whole. */
  readonly relent: () => void
  readonly close: () => void
}

/** The next connections are treated so, in turn. */
const turns = ["cut", "cut", 503, "cut", "drop", 429, "cut"] as const

/** Longer than most frames, so that a client makes progress; shorter than a ledger. */
const mostBytes = 20_000

/** The answer of a gateway that asks to come back. */
const refusal = (status: number) =>
  `HTTP/1.1 ${status} Refused\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`

/** Starts a proxy before the process at `target`. */
export async function startCuttingProxy(port: number, target: () => number): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  let turn = 0
  let cuts = 0
  let refusals = 0
  let isKind = false

  const pass = (socket: Socket, most: number) => {
    const onward = connect(target(), "127.0.0.1")
    let left = most
    socket.pipe(onward)
    onward.on("data", (chunk: Buffer) => {
      if (left <= 0) return
      left -= chunk.length
      if (left > 0) {
        if (!socket.write(chunk)) onward.pause()
        return
      }
      cuts += 1
      socket.write(chunk.subarray(0, chunk.length + left), () => socket.destroy())
    })
    socket.on("drain", () => onward.resume())
    onward.on("error", () => socket.destroy())
    onward.on("end", () => socket.end())
    onward.on("close", () => left > 0 && socket.end())
    socket.on("close", () => onward.destroy())
  }
  const server = createServer((socket) => {
    open.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => open.delete(socket))
    const how = isKind ? "whole" : turns[turn++ % turns.length]!
    if (how === "whole") pass(socket, Number.POSITIVE_INFINITY)
    else if (how === "cut") pass(socket, 1 + Math.floor(Math.random() * mostBytes))
    else if (how === "drop") {
      cuts += 1
      socket.destroy()
    } else {
      refusals += 1
      socket.once("data", () => socket.end(refusal(how)))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    refusals: () => refusals,
    relent: () => {
      isKind = true
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    }
  }
}
