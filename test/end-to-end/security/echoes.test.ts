/** A partner gives back every token that it has seen, wherever it speaks: in no row, view, stream or export is one of them. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type Service, startService, until } from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"
import { type EchoPartner, echoPartner } from "../support/EchoPartner.ts"

const api = "/api/v1"
const tokenA = "echo-partner-token_A.0123456789"
const secondTokenA = "echo-partner-token_A.second-9876543210"

describe("tokens that a partner gives back", () => {
  let service: Service
  let database: string
  let partner: EchoPartner

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database, EGRESS_ALLOW_CIDRS: "127.0.0.0/8" })
    partner = await echoPartner()
  }, 60_000)
  afterAll(async () => {
    partner?.close()
    await service?.kill("SIGTERM")
  })

  it("are in nothing that is kept or shown, those in use and those that are over; its URLs are called all the same", async () => {
    const made = await service.call("POST", `${api}/connections`, {
      partnerBaseUrl: `${partner.versionsUrl}?key=${tokenA}`,
      tokenA,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    const id = succeeded(made, 201)._id
    const shown = [made.text]
    const keep = async (method: string, path: string, body?: unknown) => {
      const answer = await service.call(method, `${api}${path}`, body)
      shown.push(answer.text)
      return answer
    }
    const registered = await keep("POST", `/connections/${id}/handshake`, { tokenA: secondTokenA })
    assert.strictEqual(succeeded(registered).status, "registered", registered.text)
    assert.isTrue(partner.seen.has(secondTokenA))
    // The Token A that was replaced: the partner knows it from somewhere.
    ;(partner.seen as Set<string>).add(tokenA)
    for (let renewals = 0; renewals < 2; renewals += 1) {
      const renewed = await keep("POST", `/connections/${id}/handshake`)
      assert.isUndefined(succeeded(renewed).lastError, renewed.text)
    }
    const all = () => [...partner.seen].join(" ")
    const command = await keep("POST", "/testing/command", { connectionId: id, command: "UNLOCK_CONNECTOR" })
    const { commandId } = succeeded(command)
    assert.match(command.text, /«token[ABC]:[0-9a-f]{4}»/, "what came back is kept, without the tokens in it")
    const push = (method: string, path: string, body: unknown) =>
      fetch(path.startsWith("http") ? path : `${service.url}/ocpi/2.2.1/${path}`, {
        method,
        headers: {
          authorization: `Token ${Buffer.from(partner.token()).toString("base64")}`,
          "content-type": "application/json",
          "x-echo": all()
        },
        body: JSON.stringify(body)
      })
    const text = [{ language: "en", text: all() }]
    assert.strictEqual(
      (await push("POST", partner.responseUrl(), { result: "FAILED", message: text })).status,
      200
    )
    const place = (locationId: string) => ({
      country_code: "DE",
      party_id: "ECH",
      id: locationId,
      publish: true,
      name: all(),
      address: "Echo Street 1",
      city: all().slice(0, 40),
      country: "DEU",
      coordinates: { latitude: "52.520008", longitude: "13.404954" },
      time_zone: "Europe/Berlin",
      last_updated: "2026-01-01T00:00:00Z"
    })
    const inPath = encodeURIComponent(tokenA.slice(0, 36))
    assert.isBelow((await push("PUT", "locations/DE/ECH/LOC1", place("LOC1"))).status, 300)
    await push("PUT", `locations/DE/ECH/${inPath}`, place(tokenA))
    await push("PATCH", "locations/DE/ECH/LOC1", { [tokenA]: all(), last_updated: "2026-01-02T00:00:00Z" })
    await push("PUT", `nowhere/${inPath}`, { all: all() })
    await push("PUT", "credentials", { token: partner.token(), url: all() })
    await push("PUT", "credentials", { token: "echo-offered-and-refused-0123", url: all(), roles: [] })
    ;(partner.seen as Set<string>).add("echo-offered-and-refused-0123")
    await push("PUT", "locations/DE/ECH/LOC2", place("LOC2"))

    const { reportId, runId } = succeeded(
      await keep("POST", "/testing/journey-runs", { connectionId: id, templateId: "first-reads" }),
      202
    )
    await until("the run to end", async () => {
      const report = await service.call("GET", `${api}/testing/runs/${reportId}?wait=5`)
      return report.body.data.verdict === null ? undefined : true
    })
    await keep("POST", `/connections/${id}/preflight`)
    for (const path of [
      "/connections",
      `/connections/${id}`,
      `/connections/${id}/exchanges`,
      `/testing/commands/${commandId}`,
      `/testing/journey-runs/${runId}`,
      `/testing/journey-runs/${runId}/events?limit=1000`,
      `/testing/journey-runs/${runId}/stream`,
      `/testing/runs/${reportId}/checks`,
      ...["junit", "json", "html", "markdown", "har", "ledger", "signed"].map(
        (format) => `/testing/runs/${reportId}/export?format=${format}`
      )
    ])
      await keep("GET", path)
    assert.isAbove(partner.calledWithTokenInUrl(), 3, "the URLs that hold a token were called with it")

    const tables = await rows(database, "select tablename from pg_tables where schemaname = 'public'")
    const stored = await Promise.all(
      tables.map(({ tablename }) =>
        rows(database, `select row_to_json(t)::text as row from "${tablename}" t`)
      )
    )
    const places = {
      rows: stored
        .flat()
        .map(({ row }) => row)
        .join("\n"),
      shown: shown.join("\n"),
      logs: service.output()
    }
    assert.isAtLeast(partner.seen.size, 8)
    let forms = 0
    for (const token of partner.seen) {
      const escaped = [...token].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
      for (const form of [
        token,
        Buffer.from(token).toString("base64").replace(/=+$/, ""),
        Buffer.from(token).toString("hex"),
        escaped,
        JSON.stringify(escaped).slice(1, -1)
      ]) {
        forms += 1
        for (const [place, content] of Object.entries(places)) {
          const at = content.indexOf(form)
          assert.strictEqual(at, -1, `${token} as ${form} in ${place}: ${content.slice(at - 300, at + 100)}`)
        }
      }
    }
    tried("B15", [], `0 hits of ${partner.seen.size} tokens given back, in ${forms} forms`)
  }, 120_000)

  it("are no reason to refuse a partner, but in a host name, which cannot be kept secret", async () => {
    const order = { tokenA, ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1" }
    const answer = await service.call("POST", `${api}/connections`, {
      ...order,
      partnerBaseUrl: "https://echo-partner-token-1.example/versions",
      tokenA: "echo-partner-token-1"
    })
    assert.strictEqual(answer.status, 422)
    assert.match(String(answer.body.message), /host name holds the Token A/)
    assert.notInclude(answer.text, "echo-partner-token-1")
  })
})
