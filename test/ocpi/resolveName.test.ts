/** Look-ups of names beside those of a partner whose name servers do not answer. */
import { createSocket, type Socket } from "node:dgram"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeResolve, type ResolveOptions } from "../../src/ocpi/resolveName.ts"

/**
 * A name server: `good.example` has addresses, of `half.example` it tells only the one of IPv4, names below `silent.example` get no
 * answer.
 */
const server: Socket = createSocket("udp4")
let asked: Array<string> = []

const answerTo = (query: Buffer): Buffer | undefined => {
  const labels: Array<string> = []
  let at = 12
  for (; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!))
  const name = labels.join(".").toLowerCase()
  const isSix = query.readUInt16BE(at + 1) === 28
  const question = query.subarray(12, at + 5)
  asked.push(name)
  if (name.endsWith("silent.example") || (isSix && name === "half.example")) return undefined
  const data = isSix ? Buffer.from("20010db8000000000000000000000007", "hex") : Buffer.from([192, 0, 2, 7])
  const isKnown = ["good.example", "half.example"].includes(name)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(isKnown ? 1 : 0, 6)
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(isSix ? 28 : 1, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, question, ...(isKnown ? [record, data] : [])])
}

beforeAll(async () => {
  server.on("message", (query, { address, port }) => {
    const answer = answerTo(query)
    if (answer !== undefined) server.send(answer, port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve))
})
afterAll(() => server.close())

/** A resolver with that name server; `systems` has the names that the system's resolver was asked for. */
const resolver = (options: ResolveOptions = {}) => {
  const systems: Array<string> = []
  asked = []
  const resolve = makeResolve({
    servers: [`127.0.0.1:${(server.address() as AddressInfo).port}`],
    hosts: async () => "192.0.2.9 pinned.example other.example # 192.0.2.10 commented.example",
    system: async (name) => {
      systems.push(name)
      throw Object.assign(new Error(name), { code: "ENOTFOUND" })
    },
    ...options
  })
  const codeOf = (name: string) =>
    resolve(name).then(
      () => "found",
      (error: NodeJS.ErrnoException) => error.code
    )
  return { resolve, codeOf, systems }
}

const addresses = [
  { address: "192.0.2.7", family: 4 },
  { address: "2001:db8::7", family: 6 }
]

describe("a name", { timeout: 15_000 }, () => {
  it("is found while a hundred others get no answer, which end within the limit of a connection", async () => {
    const { codeOf, resolve, systems } = resolver()
    const began = performance.now()
    const silent = Promise.all(Array.from({ length: 100 }, (_, at) => codeOf(`h${at}.silent.example`)))
    assert.deepStrictEqual(await resolve("good.example"), addresses)
    assert.isBelow(performance.now() - began, 1000)
    assert.deepStrictEqual([...new Set(await silent)], ["EAI_AGAIN"])
    assert.isBelow(performance.now() - began, 5000)
    assert.isEmpty(systems)
  })

  it("is found without the family of addresses that is not told", async () => {
    const { resolve } = resolver()
    const began = performance.now()
    assert.deepStrictEqual(await resolve("half.example"), addresses.slice(0, 1))
    assert.isBelow(performance.now() - began, 1000)
  })

  it("has the address that the operator gave to it", async () => {
    const { codeOf, resolve } = resolver()
    assert.deepStrictEqual(await resolve("Pinned.Example."), [{ address: "192.0.2.9", family: 4 }])
    assert.isEmpty(asked)
    assert.strictEqual(await codeOf("commented.example"), "ENOTFOUND")
  })

  it("that nobody knows is asked of the system, one at a time, and is not waited for without end", async () => {
    let open = 0
    let most = 0
    const { codeOf } = resolver({
      system: () => {
        open += 1
        most = Math.max(most, open)
        return new Promise(() => {})
      }
    })
    void codeOf("first.unknown.example")
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.strictEqual(await codeOf("second.unknown.example"), "EAI_AGAIN")
    assert.strictEqual(most, 1)
  })

  it("of the local network is the system's", async () => {
    const found = [{ address: "10.0.0.7", family: 4 }]
    const { resolve } = resolver({ system: async () => found })
    assert.deepStrictEqual(await resolve("partner.internal"), found)
  })
})
