/** A partner that names addresses where no partner may live, at every place where it may name one: none is ever dialled. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { tried } from "../tried.ts"
import { freshDatabase } from "./database.ts"
import { type Service, sleep, startService, until } from "./Service.ts"
import { refused } from "./shapes.ts"

const tokenA = "token-a-of-an-egress-test-0123"
const tokenC = "token-c-of-an-egress-test-0123"

/** Where the partner sends us to the trap: while we register, and afterwards. */
const first = ["details", "credentials", "redirected", "detailsRedirected"] as const
const later = ["commands", "link", "ownVersions"] as const
type Lure = (typeof first)[number] | (typeof later)[number]

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly data?: unknown
}

const listening = (server: Server, host: string) =>
  new Promise<string>((resolve) =>
    server.listen(0, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`))
  )

/** An honest partner but for the lure. It may live at 127.0.0.1; the trap, at 127.0.0.2, may not be called. */
async function luringPartner(lure: Lure | undefined, trap: string, role: "CPO" | "EMSP" = "CPO") {
  let url = ""
  let tokenB = ""
  const at = (place: Lure, path: string) => `${lure === place ? trap : url}${path}`
  const roles = [{ role, party_id: "LUR", country_code: "DE", business_details: { name: "Lure" } }]
  const endpoint = (identifier: string, role: string, where: string) => ({ identifier, role, url: where })
  const answer = (path: string): Reply => {
    if (path === "/versions") {
      if (lure === "redirected") return { status: 302, headers: { location: `${trap}/versions` } }
      return { data: [{ version: "2.2.1", url: at("details", "/2.2.1") }] }
    }
    if (path === "/2.2.1") {
      if (lure === "detailsRedirected") return { status: 307, headers: { location: `${trap}/2.2.1` } }
      const endpoints = [
        endpoint("credentials", "SENDER", at("credentials", "/credentials")),
        endpoint("locations", role === "CPO" ? "SENDER" : "RECEIVER", `${url}/locations`),
        endpoint("commands", role === "CPO" ? "RECEIVER" : "SENDER", at("commands", "/commands"))
      ]
      return { data: { version: "2.2.1", endpoints } }
    }
    if (path === "/credentials")
      return { data: { token: tokenC, url: at("ownVersions", "/versions"), roles } }
    if (path.startsWith("/locations")) {
      const headers = {
        "x-total-count": "9",
        "x-limit": "1",
        link: `<${at("link", "/locations?offset=1")}>; rel="next"`
      }
      return { headers, data: [] }
    }
    return { status: 404 }
  }
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    tokenB = request.method === "POST" ? JSON.parse(text).token : tokenB
    const { data, headers, status = 200 } = answer((request.url ?? "").split("?")[0]!)
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify({ data, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" }))
  })
  url = await listening(server, "127.0.0.1")
  return { server, versions: `${url}/versions`, authorization: () => `Token ${btoa(tokenB)}` }
}

describe("the way out", () => {
  let service: Service
  let trap: string
  let called = 0
  const servers: Array<Server> = []

  beforeAll(async () => {
    const server = createServer((_, response) => void response.end("{}"))
    server.on("connection", () => {
      called += 1
    })
    servers.push(server)
    trap = await listening(server, "127.0.0.2")
    service = await startService({
      DATABASE_URL: await freshDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.1/32"
    })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  })

  const create = (partnerBaseUrl: string, theirRole = "CPO") =>
    service.call("POST", "/api/v1/connections", {
      partnerBaseUrl,
      tokenA,
      ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
      theirRole,
      ocpiVersion: "2.2.1"
    })
  const shaken = async (lure: Lure | undefined) => {
    const partner = await luringPartner(lure, trap)
    servers.push(partner.server)
    const created = await create(partner.versions)
    assert.strictEqual(created.status, 201, created.text)
    const id = created.body.data._id
    const answer = await service.call("POST", `/api/v1/connections/${id}/handshake`)
    return { id, view: answer.body.data, text: answer.text }
  }

  it("is closed for every form of an address, before a socket is opened", async () => {
    const port = new URL(trap).port
    const hosts = [
      "127.0.0.2",
      "127.2",
      "127.0.2",
      "0x7f.2",
      "0x7f000002",
      "2130706434",
      "0177.0.0.2",
      "１２７.0.0.2",
      "127.0.0.2.",
      "[::ffff:127.0.0.2]",
      "[::ffff:7f00:2]",
      "[::127.0.0.2]",
      "[64:ff9b::7f00:2]",
      "[2002:7f00:2::]"
    ]
    for (const host of hosts) {
      refused(await create(`http://${host}:${port}/versions`), 422, /^config: partnerBaseUrl/)
    }
    refused(await create(`http://public.example@127.0.0.2:${port}/`), 422)
    assert.strictEqual(called, 0)
    tried("B8", [`${hosts.length + 1} forms of the address of a trap`], `422 each, ${called} connections`)
  })

  it("is closed for what a partner names in the handshake, and the owner is told", async () => {
    for (const lure of first) {
      const { text, view } = await shaken(lure)
      assert.strictEqual(view?.status, "failed", `${lure}: ${text}`)
      assert.isNotEmpty(view.lastError)
      if (!lure.endsWith("edirected")) assert.match(view.lastError, /not public|EGRESS_ALLOW_CIDRS/, lure)
      assert.strictEqual(called, 0, lure)
    }
  }, 60_000)

  it("is closed for the endpoints, pages and versions URL of a partner that is registered", async () => {
    for (const lure of later) {
      const { id, text, view } = await shaken(lure)
      assert.strictEqual(view?.status, "registered", text)
      if (lure === "commands") {
        const command = await service.call("POST", "/api/v1/testing/command", {
          connectionId: id,
          command: "UNLOCK_CONNECTOR"
        })
        assert.strictEqual(command.status, 422, command.text)
      }
      if (lure === "link") {
        const run = await service.call("POST", "/api/v1/testing/runs", {
          connectionId: id,
          suiteId: "ocpi-2.2.1-cpo-core",
          modules: ["locations", "paging"]
        })
        assert.strictEqual(run.status, 202, run.text)
        await until(
          "the run to end",
          async () => {
            const report = await service.call("GET", `/api/v1/testing/runs/${run.body.data._id}?wait=5`)
            return report.body.data.verdict === null ? undefined : true
          },
          60_000
        )
        const checks = await service.call("GET", `/api/v1/testing/runs/${run.body.data._id}/checks`)
        const outcomes = new Map(checks.body.data.map((one: any) => [one.checkId, one]))
        for (const about of ["PAGE-006", "PAGE-008"]) {
          const { message, outcome }: any = outcomes.get(about)
          assert.strictEqual(outcome, "failed", about)
          assert.match(message, /leads to another host, "127\.0\.0\.2:\d+", which no partner may send us to/)
        }
        const faults = checks.body.data.filter(({ outcome }: any) => outcome === "error")
        assert.deepStrictEqual(faults, [], "it was the partner's doing")
      }
      if (lure === "ownVersions") await service.call("POST", `/api/v1/connections/${id}/handshake`)
      assert.strictEqual(called, 0, lure)
    }
    await sleep(200)
    assert.strictEqual(called, 0)
  }, 120_000)

  it("is closed for the response_url of a command that a partner sends us", async () => {
    const partner = await luringPartner(undefined, trap, "EMSP")
    servers.push(partner.server)
    const { _id } = (await create(partner.versions, "EMSP")).body.data
    const shaken = await service.call("POST", `/api/v1/connections/${_id}/handshake`)
    assert.strictEqual(shaken.body.data.status, "registered", shaken.text)
    const headers = { authorization: partner.authorization(), "content-type": "application/json" }
    // Its result is always asynchronous, whatever we hold.
    const command = await fetch(`${service.url}/ocpi/2.2.1/commands/CANCEL_RESERVATION`, {
      method: "POST",
      headers,
      body: JSON.stringify({ response_url: `${trap}/results/1`, reservation_id: "R1" })
    })
    assert.strictEqual(((await command.json()) as any).data.result, "ACCEPTED")
    const blocked = await until("the result to be held back", async () => {
      const { body } = await service.call("GET", `/api/v1/connections/${_id}/exchanges`)
      return body.data.find(({ request }: any) => request.url.startsWith(trap))
    })
    assert.strictEqual(blocked.outcome, "blocked")
    assert.strictEqual(called, 0)
    const places = first.length + later.length + 1
    tried("B11", [`${places} places where a partner names an address`], `${called} connections`)
  }, 30_000)

  it("is open for a partner that lures nowhere", async () => {
    const { text, view } = await shaken(undefined)
    assert.strictEqual(view?.status, "registered", text)
  })
})
