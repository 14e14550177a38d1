/** The stream of a run as bytes on a socket, cut wherever one likes. */
import { connect as openSocket } from "node:net"
import { key, type Service } from "./Service.ts"

/** Reads the feed over a raw socket and destroys it after `cutAt` bytes; ids of the frames that came whole. */
export function readFeed(
  service: Pick<Service, "url">,
  runId: string,
  after: number | undefined,
  cutAt: number
) {
  return new Promise<{ complete: Array<number>; ended: boolean }>((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = openSocket(Number(port), hostname)
    let bytes = Buffer.alloc(0)
    let done = false
    const finish = (ended: boolean) => {
      if (done) return
      done = true
      socket.destroy()
      resolve({ complete: idsOf(bytes.subarray(0, Math.min(bytes.length, cutAt)).toString("utf8")), ended })
    }
    socket.on("connect", () =>
      socket.write(
        `GET /api/v1/testing/journey-runs/${runId}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${
          after === undefined ? "" : `Last-Event-ID: ${after}\r\n`
        }Connection: close\r\n\r\n`
      )
    )
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length >= cutAt) finish(false)
    })
    socket.on("end", () => finish(true))
    socket.on("error", (error) => (done ? undefined : reject(error)))
  })
}

/** Ids of complete frames (an empty line has come) in a chunked response. */
function idsOf(text: string): Array<number> {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4)
  // Frames never contain CR: whatever stands between CRs is the chunk framing.
  const payload = body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "")
  const whole = payload.slice(0, payload.lastIndexOf("\n\n") + 1)
  return [...whole.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))
}
