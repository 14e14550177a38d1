/** Many connections that each send one request after the other: sockets without an HTTP client, so that the load is cheap. */
import { connect, type Socket } from "node:net"
import { percentile } from "../measure.ts"

/** What came of a load. */
export interface Load {
  readonly requests: number
  readonly perSecond: number
  readonly p99Millis: number
}

/** A request as bytes. */
export function requestOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown
): Buffer {
  const { host, pathname, search } = new URL(url)
  const text = body === undefined ? "" : JSON.stringify(body)
  const all = {
    host,
    ...headers,
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` })
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${text}`)
}

/** Loads the server with so many connections for so long. Fails when an answer is none of success. */
export async function loadOn(
  url: string,
  request: (index: number) => Buffer,
  connections: number,
  seconds: number
): Promise<Load> {
  const { hostname, port } = new URL(url)
  const latencies: Array<number> = []
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((done, fail) => {
          const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => done(socket))
          socket.once("error", fail)
        })
    )
  )
  const began = performance.now()
  const end = began + seconds * 1000
  let index = 0
  const lane = (socket: Socket) =>
    new Promise<void>((done, fail) => {
      let parts: Array<Buffer> = []
      let missing = Number.NaN
      let sentAt = 0
      const send = () => {
        parts = []
        missing = Number.NaN
        sentAt = performance.now()
        socket.write(request(index++))
      }
      socket.on("data", (chunk) => {
        parts.push(chunk)
        missing = Number.isNaN(missing) ? missingOf(Buffer.concat(parts)) : missing - chunk.length
        if (!(missing <= 0)) return
        const status = parts[0]!.subarray(9, 12).toString("latin1")
        if (!status.startsWith("2")) return fail(new Error(`${url}: ${Buffer.concat(parts).toString()}`))
        latencies.push(performance.now() - sentAt)
        if (performance.now() < end) send()
        else done()
      })
      socket.once("error", fail)
      socket.once("close", () => fail(new Error(`${url}: the connection was closed`)))
      send()
    })
  try {
    await Promise.all(sockets.map(lane))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return {
    requests: latencies.length,
    perSecond: latencies.length / ((performance.now() - began) / 1000),
    p99Millis: percentile(latencies, 99)
  }
}

/** How many bytes of an answer have not come; NaN while that is not known. The answers measured have a Content-Length. */
function missingOf(bytes: Buffer): number {
  const head = bytes.indexOf("\r\n\r\n")
  if (head < 0) return Number.NaN
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.subarray(0, head).toString("latin1"))
  if (length === null) throw new Error("an answer without Content-Length")
  return head + 4 + Number(length[1]) - bytes.length
}
