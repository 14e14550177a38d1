/** HTTP over a bare socket: requests as they are written, and answers taken to pieces by hand. */
import { connect, type Socket } from "node:net"

export const openSocket = (url: string): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  return socket
}

/** Everything that comes back until the server closes, or until `millis` are over. */
export const heard = (socket: Socket, millis: number): Promise<{ text: string; closed: boolean }> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text: Buffer.concat(chunks).toString("latin1"), closed })
    }
    const timer = setTimeout(() => end(false), millis)
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.once("close", () => end(true))
    socket.resume()
  })

export interface RawAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The answers in a text, one after the other; throws where it is not HTTP. An interim answer (1xx) has no body. */
export function answersIn(text: string): ReadonlyArray<RawAnswer> {
  const answers: Array<RawAnswer> = []
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n")
    const [line = "", ...fields] = rest.slice(0, end).split("\r\n")
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || Number.isNaN(status)) throw new Error(`not HTTP: ${JSON.stringify(rest.slice(0, 200))}`)
    const headers = new Map(
      fields.map((field) => {
        const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(field) ?? []
        if (name === undefined) throw new Error(`no header: ${field}`)
        return [name.toLowerCase(), value!] as const
      })
    )
    const length = Number(headers.get("content-length") ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) throw new Error(`the body ends after ${body.length} of ${length} bytes`)
    answers.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
