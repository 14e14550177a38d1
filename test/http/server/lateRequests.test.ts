/** A request that is late because this process stood still is served; one that its client does not finish is refused. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "vitest"
import { makeNodeServer, usualLimits } from "../../../src/http/server/nodeServer.ts"

/** A client in a thread of its own: the rest of its request, if any, is sent while the server's thread stands still. */
const client = `
const { connect } = require("node:net")
const { parentPort, workerData } = require("node:worker_threads")
const socket = connect(workerData.port, "127.0.0.1", () => {
  socket.write("GET / HTTP/1.1\\r\\nHost: h\\r\\n")
  parentPort.postMessage("begun")
  if (workerData.rest !== "") setTimeout(() => socket.write(workerData.rest), 500)
})
let text = ""
socket.on("data", (chunk) => { text += chunk })
socket.on("close", () => parentPort.postMessage(text))
`

const heard = async (rest: string, standsStillMillis: number): Promise<string> => {
  const server = makeNodeServer({ ...usualLimits, headersMillis: 1500 })
  server.on("request", (_, response) => response.end("served"))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const worker = new Worker(client, { eval: true, workerData: { port, rest } })
  try {
    await once(worker, "message")
    // The first bytes are read, and the time of the request begins.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const until = performance.now() + standsStillMillis
    while (performance.now() < until);
    const [text] = await once(worker, "message")
    return String(text)
  } finally {
    await worker.terminate()
    server.closeAllConnections()
    server.close()
  }
}

describe("a request that takes too long to arrive", () => {
  it("is served when this process stood still while it came", async () => {
    assert.match(await heard("Connection: close\r\n\r\n", 5000), /^HTTP\/1\.1 200 .*served$/s)
  }, 60_000)

  it("is answered 408 when its client does not finish it, also after a stall of ours", async () => {
    assert.match(await heard("", 0), /^HTTP\/1\.1 408 /)
    assert.match(await heard("", 3000), /^HTTP\/1\.1 408 /)
  }, 60_000)
})
