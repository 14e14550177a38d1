/** Requests that a client sends before it has read the answers to those before them. */
import { Agent, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { makeNodeServer } from "../../../src/http/server/nodeServer.ts"

const closers: Array<() => void> = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)

/** A server whose answers are made by `answer`, and how many were at work. */
const serving = async (answer: (response: ServerResponse, path: string) => void) => {
  const server = makeNodeServer()
  const seen: Array<string> = []
  let open = 0
  let most = 0
  server.on("request", ({ url = "" }, response) => {
    seen.push(url)
    open += 1
    most = Math.max(most, open)
    response.once("finish", () => {
      open -= 1
    })
    answer(response, url)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen, most: () => most }
}

/** Everything that comes back until the server closes, or until `enough`. */
const said = (port: number, text: string, enough: (heard: string) => boolean = () => false) =>
  new Promise<string>((resolve) => {
    let heard = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    const end = () => {
      socket.destroy()
      resolve(heard)
    }
    socket.on("error", end)
    socket.on("close", end)
    socket.on("data", (data) => {
      heard += data
      if (enough(heard)) end()
    })
  })

describe("requests behind one that is not answered", () => {
  it("are taken one at a time, and answered in their order", async () => {
    const { most, port, seen } = await serving((response, path) =>
      setTimeout(() => response.end(`told ${path};`), 2)
    )
    const heard = await said(port, paths(50).map(get).join(""), (text) => text.includes("told /49;"))
    assert.deepStrictEqual(seen, paths(50))
    assert.strictEqual(most(), 1)
    assert.deepStrictEqual(
      [...heard.matchAll(/told (\S+);/g)].map(([, path]) => path),
      paths(50)
    )
  })

  it("wait while the client does not read", async () => {
    const { port, seen } = await serving((response) => response.end(Buffer.alloc(16 * 1024 * 1024)))
    const socket = connect(port, "127.0.0.1", () => socket.write(paths(50).map(get).join("")))
    socket.pause()
    closers.push(() => socket.destroy())
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.strictEqual(seen.length, 1)
  })

  it("are not kept without end", async () => {
    const { port, seen } = await serving(() => {})
    assert.strictEqual(await said(port, paths(2000).map(get).join("")), "")
    assert.strictEqual(seen.length, 1)
  })

  it("are forgotten with their socket", async () => {
    let isOver = false
    const { port, seen } = await serving((response) => {
      response.req.socket.once("close", () => {
        response.end()
        isOver = true
      })
      socket.destroy()
    })
    const socket = connect(port, "127.0.0.1", () => socket.write(paths(5).map(get).join("")))
    while (!isOver) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepStrictEqual(seen, ["/0"])
  })

  it("leave nothing at a socket that is kept", async () => {
    const listening: Array<number> = []
    const { port } = await serving((response) => {
      listening.push(response.req.socket.listenerCount("close"))
      response.end("told")
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    closers.push(() => agent.destroy())
    for (let at = 0; at < 30; at++)
      await new Promise((resolve) =>
        request({ agent, host: "127.0.0.1", port }, (answer) => answer.resume().on("close", resolve)).end()
      )
    assert.lengthOf(listening, 30)
    assert.strictEqual(listening[29], listening[1])
  })
})
