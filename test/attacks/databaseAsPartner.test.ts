/** Row 8: the database is named as a partner, in every form of its address and at every place where one may be named. */
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { sleep } from "../support/service/Service.ts"
import { api, attack, isRefusal, shown, Victim } from "./support/attack.ts"
import { embeddedCluster } from "./support/embeddedCluster.ts"
import { connected, type Partner, registered, startPartner } from "./support/partner.ts"

const http = /^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /

/** All that this machine may be called by, and every private range with it. */
const allowed = { EGRESS_ALLOW_CIDRS: "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16" }

const formsOf = (port: number) => [
  `http://127.0.0.1:${port}/`,
  `http://localhost:${port}/`,
  `http://127.1:${port}/`,
  `http://0x7f000001:${port}/`,
  `http://2130706433:${port}/`,
  `http://127.0.0.1.:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[::1]:${port}/`,
  `http://0.0.0.0:${port}/`,
  `https://127.0.0.1:${port}/`,
  `http://LOCALHOST:${port}/ocpi/versions?x=1#y`
]

/** Stands before a Postgres and counts who speaks HTTP to it. */
async function gateTo(url: string) {
  const { hostname, port } = new URL(url)
  const gate = { calls: 0, opened: 0, server: undefined as unknown as Server }
  gate.server = createServer((socket) => {
    gate.opened += 1
    const behind = connect(Number(port), hostname)
    socket.once("data", (words) => {
      if (http.test(words.toString("latin1"))) gate.calls += 1
    })
    for (const [one, other] of [
      [socket, behind],
      [behind, socket]
    ] as const) {
      one.on("error", () => other.destroy())
      one.on("close", () => other.destroy())
    }
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => gate.server.listen(0, "127.0.0.1", resolve))
  return { gate, port: (gate.server.address() as { port: number }).port }
}

describe("the database as a partner", () => {
  let partner: Partner
  let requests = 0
  let calls = 0
  const lines: Array<string> = []
  const victims: Array<Victim> = []

  beforeAll(async () => {
    partner = await startPartner()
  })
  afterAll(async () => {
    attack("8", `${requests} requests`, ...lines, `${calls} calls at a database`)
    for (const victim of victims) await victim.end()
    partner?.close()
  })

  /** Names this port wherever a partner can be named; says what was let pass. */
  const attacked = async (victim: Victim, port: number): Promise<ReadonlyArray<string>> => {
    const service = await victim.alive()
    const through: Array<string> = []
    for (const partnerBaseUrl of formsOf(port)) {
      requests += 1
      const made = await api(service, "/connections", {
        method: "POST",
        body: {
          partnerBaseUrl,
          tokenA: "token-a-for-a-database",
          ourRole: "EMSP",
          theirRole: "CPO",
          ocpiVersion: "2.2.1"
        }
      })
      if (made.status === 422) {
        isRefusal(partnerBaseUrl, made)
        continue
      }
      through.push(`${partnerBaseUrl}: ${made.status}`)
      if (made.status !== 201) continue
      for (const act of ["preflight", "handshake"])
        await api(service, `/connections/${made.json.data._id}/${act}`, { method: "POST", within: 8000 })
    }
    // A partner that is let in names it.
    const at = `http://127.0.0.1:${port}/locations`
    partner.answer = (seen, ordinary) => {
      const data: any = ordinary.data
      return seen.path === "/details"
        ? {
            data: {
              ...data,
              endpoints: data.endpoints.map((one: any) =>
                one.identifier === "commands" ? { ...one, url: at } : one
              )
            }
          }
        : ordinary
    }
    const id = await registered(service, partner)
    const command = await api(service, "/testing/command", {
      method: "POST",
      body: { connectionId: id, command: "UNLOCK_CONNECTOR" }
    })
    requests += 1
    if (command.status !== 422) through.push(`a command: ${command.status} ${shown(command.text, 160)}`)
    partner.answer = (seen, ordinary) =>
      seen.path === "/versions" ? { data: [{ version: "2.2.1", url: at }] } : ordinary
    const lured = await connected(service, partner)
    requests += 1
    await api(service, `/connections/${lured}/handshake`, { method: "POST" })
    partner.answer = (_, ordinary) => ordinary
    return through
  }

  it("is not called when it is the one of DATABASE_URL, however that is written", async () => {
    const own = await migratedDatabase(inject("pgUrl"))
    const { gate, port } = await gateTo(own)
    const url = new URL(own)
    const name = url.pathname
    const credentials = `${url.username}:${url.password}`
    const spellings = [
      `postgres://${credentials}@127.0.0.1:${port}${name}`,
      `postgresql://${credentials}@localhost:${port}${name}?sslmode=disable`,
      `postgres://${credentials}@unused.invalid${name}?host=127.0.0.1&port=${port}`
    ]
    const all: Array<string> = []
    for (const spelling of spellings) {
      const victim = new Victim({ ...allowed, DATABASE_ALLOW_SUPERUSER: "on", DATABASE_URL: spelling })
      victims.push(victim)
      const before = gate.calls
      const through = await attacked(victim, port)
      await sleep(200)
      calls += gate.calls - before
      const shownAs = spelling
        .replace(credentials, "…")
        .replace(/\/e2e_\w+/, "/db")
        .replaceAll(String(port), "PORT")
      lines.push(`${shownAs}: ${through.length} let pass`)
      all.push(...through.map((one) => `${shownAs} <- ${one}`))
      await victim.end()
    }
    gate.server.close()
    assert.strictEqual(calls, 0, `${calls} calls at the database`)
    assert.deepStrictEqual(all, [])
  }, 120_000)

  it("is not called when it is the embedded one", async () => {
    const directory = await mkdtemp(join(tmpdir(), "plugfest-attack-"))
    const victim = new Victim({ ...allowed, DATA_DIR: directory })
    victims.push(victim)
    try {
      const { port } = await embeddedCluster(await victim.alive(), directory)
      const through = await attacked(victim, port)
      lines.push(`embedded: ${through.length} let pass`)
      assert.deepStrictEqual(through, [])
    } finally {
      await victim.end()
      await rm(directory, { recursive: true, force: true })
    }
  }, 90_000)
})
