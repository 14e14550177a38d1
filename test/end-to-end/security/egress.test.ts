/**
 * A partner that names addresses where no partner may live, at every place where it may name one: none is ever dialled. And
 * one that names a host where others live, which may be called, but not with this partner's token.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { type Service, sleep, startService, until } from "../../support/service/Service.ts"
import { refused } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"

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
  /** Somebody else's host, which may be called: what it is asked, and with which token. */
  let stranger: string
  const overheard: Array<string> = []
  const servers: Array<Server> = []

  beforeAll(async () => {
    const server = createServer((_, response) => void response.end("{}"))
    server.on("connection", () => {
      called += 1
    })
    servers.push(server)
    trap = await listening(server, "127.0.0.2")
    const listener = createServer((request, response) => {
      overheard.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no token"}`)
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ data: [], status_code: 1000, timestamp: "2026-01-01T00:00:00Z" }))
    })
    servers.push(listener)
    stranger = await listening(listener, "127.0.0.3")
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.1/32,127.0.0.3/32"
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
  const shaken = async (lure: Lure | undefined, to = trap) => {
    const partner = await luringPartner(lure, to)
    servers.push(partner.server)
    const created = await create(partner.versions)
    assert.strictEqual(created.status, 201, created.text)
    const id = created.body.data._id
    const answer = await service.call("POST", `/api/v1/connections/${id}/handshake`)
    return { id, view: answer.body.data, text: answer.text }
  }

  const pagingChecks = async (connectionId: string) => {
    const run = await service.call("POST", "/api/v1/testing/runs", {
      connectionId,
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
    const checks: Array<any> = (await service.call("GET", `/api/v1/testing/runs/${run.body.data._id}/checks`))
      .body.data
    return { checks, outcomes: new Map<string, any>(checks.map((one) => [one.checkId, one])) }
  }
  const deviations = async (id: string): Promise<ReadonlyArray<string>> =>
    (await service.call("GET", `/api/v1/connections/${id}`)).body.data.dialect.deviations

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
        const { checks, outcomes } = await pagingChecks(id)
        const { message, outcome }: any = outcomes.get("PAGE-006")
        assert.strictEqual(outcome, "failed")
        assert.match(message, /leads to another host, "127\.0\.0\.2:\d+", which no partner may send us to/)
        assert.strictEqual(outcomes.get("PAGE-008").blockedBy.check, "PAGE-006")
        const faults = checks.filter(({ outcome }: any) => outcome === "error")
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

  it("takes plain HTTP to public addresses for a mistake", async () => {
    for (const url of ["http://8.8.8.8/ocpi/versions", "http://[2606:4700::1111]/ocpi/versions"])
      refused(await create(url), 422, /^config: partnerBaseUrl: http is not encrypted.*ALLOW_HTTP/)
    assert.strictEqual((await create("https://8.8.8.8/ocpi/versions")).status, 201)
  })

  it("takes our token to no host that a link to a next page names, and says so where links are judged", async () => {
    const { id, text, view } = await shaken("link", stranger)
    assert.strictEqual(view?.status, "registered", text)
    const { checks, outcomes } = await pagingChecks(id)
    assert.deepStrictEqual(overheard, [])
    const { actual, expected, message, outcome } = outcomes.get("PAGE-006")
    assert.strictEqual(outcome, "failed")
    assert.include(message, `leads to another host, "${stranger}"`)
    assert.match(message, /our token is not sent there, and the URL was not followed/)
    assert.strictEqual(outcomes.get("PAGE-008").blockedBy.check, "PAGE-006")
    assert.strictEqual(expected, "a link to the next page on the partner's own host")
    assert.strictEqual(actual, `${stranger}/locations?offset=1`)
    assert.deepStrictEqual(
      checks.filter(({ outcome }) => outcome === "error"),
      []
    )
    assert.notMatch(JSON.stringify(checks), /did not answer|no HTTP answer/)
    const noted = await deviations(id)
    assert.isTrue(
      noted.some((one) => one.includes(`names a URL at ${stranger}, none of the hosts of the handshake`)),
      noted.join("\n")
    )
    const trusting = await service.call("PUT", `/api/v1/connections/${id}/dialect`, {
      trustedOrigins: [stranger]
    })
    assert.deepStrictEqual(trusting.body.data.dialect.trustedOrigins, [stranger])
    await pagingChecks(id)
    assert.isNotEmpty(overheard)
    for (const heard of overheard.splice(0)) assert.include(heard, `Token ${btoa(tokenC)}`)
    const back = await service.call("PUT", `/api/v1/connections/${id}/dialect`, { trustedOrigins: null })
    assert.notProperty(back.body.data.dialect, "trustedOrigins")
    await pagingChecks(id)
    assert.deepStrictEqual(overheard, [])
  }, 120_000)

  it("takes our token to no host that only a response_url names, and tells the owner", async () => {
    const partner = await luringPartner(undefined, stranger, "EMSP")
    servers.push(partner.server)
    const { _id } = (await create(partner.versions, "EMSP")).body.data
    const shaken = await service.call("POST", `/api/v1/connections/${_id}/handshake`)
    assert.strictEqual(shaken.body.data.status, "registered", shaken.text)
    await fetch(`${service.url}/ocpi/2.2.1/commands/CANCEL_RESERVATION`, {
      method: "POST",
      headers: { authorization: partner.authorization(), "content-type": "application/json" },
      body: JSON.stringify({ response_url: `${stranger}/results/1`, reservation_id: "R1" })
    })
    const kept = await until("the result to be held back", async () => {
      const { body } = await service.call("GET", `/api/v1/connections/${_id}/exchanges`)
      return body.data.find(({ request }: any) => request.url.startsWith(stranger))
    })
    assert.deepStrictEqual([kept.outcome, kept.fault.kind, kept.response], ["blocked", "other_host", null])
    await until("the owner to be told", async () =>
      (await deviations(_id)).some((one) => one.includes(`names a URL at ${stranger}`)) ? true : undefined
    )
    assert.deepStrictEqual(overheard, [])
  }, 30_000)

  it("takes our token to endpoints on another host once version details have named it, and notes that", async () => {
    const { id, text, view } = await shaken("commands", stranger)
    assert.strictEqual(view?.status, "registered", text)
    assert.deepStrictEqual(
      view.dialect.deviations.filter((one: string) => /another host/.test(one)),
      [`endpoints are on another host, ${stranger}: commands`]
    )
    await service.call("POST", "/api/v1/testing/command", { connectionId: id, command: "UNLOCK_CONNECTOR" })
    assert.deepStrictEqual(overheard.splice(0), [`POST /commands/UNLOCK_CONNECTOR Token ${btoa(tokenC)}`])
  }, 30_000)

  it("refuses what is no origin as a trusted one", async () => {
    const { id } = await shaken(undefined)
    for (const origin of [
      "127.0.0.3",
      "ftp://x.example",
      "https://x.example/path",
      "https://u@x.example",
      "*"
    ])
      refused(
        await service.call("PUT", `/api/v1/connections/${id}/dialect`, { trustedOrigins: [origin] }),
        400,
        /origin/
      )
  }, 30_000)

  it("is open for a partner that lures nowhere", async () => {
    const { text, view } = await shaken(undefined)
    assert.strictEqual(view?.status, "registered", text)
  })
})
