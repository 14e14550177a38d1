/**
 * HTTP 100 before an answer, which a server may send although nobody asked for it (RFC 9110, 15.2). undici takes it for a bad answer and
 * closes the connection, so it never gets to see one.
 */
import type { Socket } from "node:net"

const statusLine = Buffer.from("HTTP/1.1 100")
const endOfHeaders = "\r\n\r\n"
const nothing = Buffer.alloc(0)

/** Removes each HTTP 100 of at most `mostBytes` from the beginning of what is read from the socket. */
export const withoutContinue = (socket: Socket, mostBytes: number): Socket => {
  const read = socket.read.bind(socket)
  /** What came so far and may belong to an HTTP 100; undefined once the answer has begun. */
  let begun: Buffer | undefined = nothing
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || begun === undefined) return chunk
      begun = afterContinue(Buffer.concat([begun, chunk]))
      if (!isContinue(begun) || begun.length > mostBytes) {
        const answer = begun
        begun = undefined
        return answer
      }
    }
  }
  return socket
}

/** What follows the whole ones among them. In a loop: a partner may send thousands. */
function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes
  for (;;) {
    const end = isContinue(rest) && rest.length >= statusLine.length ? rest.indexOf(endOfHeaders) : -1
    if (end < 0) return rest
    rest = rest.subarray(end + endOfHeaders.length)
  }
}

/** Is it the beginning of an HTTP 100, as far as it has come? */
const isContinue = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, statusLine.length)
  return bytes.subarray(0, length).equals(statusLine.subarray(0, length))
}
