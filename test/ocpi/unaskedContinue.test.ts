/** HTTP 100 before an answer, as it comes from a socket. */

import type { Socket } from "node:net"
import { Readable } from "node:stream"
import { assert, it } from "vitest"
import { withoutContinue } from "../../src/ocpi/transport/unaskedContinue.ts"

it("removes any number of them that come at once", () => {
  const answer = "HTTP/1.1 200 OK\r\n\r\n"
  const socket = new Readable({ read: () => {}, highWaterMark: 10_000_000 })
  socket.push("HTTP/1.1 100\r\n\r\n".repeat(100_000) + answer)
  const clean = withoutContinue(socket as unknown as Socket, 32 * 1024)
  assert.strictEqual(String(clean.read()), answer)
})
