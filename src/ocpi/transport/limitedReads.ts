/**
 * An end to what a partner may send. Headers and body have limits of their own, but between them an answer can go on for ever: in its
 * status line, in HTTP 1xx before it, in the extensions of its chunks.
 */
import type { Socket } from "node:net"

/** Most bytes before the headers of the answer have come: they are 32 KiB at most, and few HTTP 1xx come before them. */
const mostBefore = 1024 * 1024
/** Most bytes in all: a body of 1 MiB in chunks of one byte each is 6 MiB. */
const mostInAll = 16 * 1024 * 1024

/** More was read than any answer needs. */
export class EndlessAnswer extends Error {
  readonly code = "ENDLESS_ANSWER"
  readonly mebibytes: number
  constructor(mebibytes: number) {
    super("the answer has no end")
    this.mebibytes = mebibytes
  }
}

/** The socket, which is destroyed with `EndlessAnswer` when too much was read of it. `hasBegun`: have the headers come? */
export const limitReads = (socket: Socket, hasBegun: () => boolean): Socket => {
  const read = socket.read.bind(socket)
  let bytes = 0
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    bytes += chunk?.length ?? 0
    const most = hasBegun() ? mostInAll : mostBefore
    if (bytes <= most) return chunk
    socket.destroy(new EndlessAnswer(most / 1024 / 1024))
    return null
  }
  return socket
}
