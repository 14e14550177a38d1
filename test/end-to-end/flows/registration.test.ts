/** A partner of its own, in plain node:http: registers with a sandbox party by a Token A that the service issued. */
import { createServer, type IncomingMessage, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { freePort, type Service, startService } from "../../support/service/Service.ts"

describe("a partner that registers with us", () => {
  let service: Service
  let partner: Server
  let partnerUrl: string
  const tokenB = "partner-issued-token_B.0123456789"
  const seen: Array<{ path: string; authorization: string }> = []

  const answer = (data: unknown) =>
    JSON.stringify({ data, status_code: 1000, status_message: "ok", timestamp: new Date().toISOString() })
  const base64 = (text: string) => Buffer.from(text).toString("base64")

  beforeAll(async () => {
    const port = await freePort()
    partnerUrl = `http://127.0.0.1:${port}`
    partner = createServer((request: IncomingMessage, response) => {
      seen.push({ path: request.url ?? "", authorization: String(request.headers.authorization) })
      response.setHeader("content-type", "application/json")
      for (const name of ["x-request-id", "x-correlation-id"]) {
        const value = request.headers[name]
        if (value !== undefined) response.setHeader(name, value)
      }
      if (request.headers.authorization !== `Token ${base64(tokenB)}`) {
        response.statusCode = 401
        return response.end(answer(null))
      }
      if (request.url === "/versions")
        return response.end(answer([{ version: "2.2.1", url: `${partnerUrl}/2.2.1` }]))
      if (request.url === "/2.2.1") {
        return response.end(
          answer({
            version: "2.2.1",
            endpoints: [
              { identifier: "credentials", role: "SENDER", url: `${partnerUrl}/2.2.1/credentials` },
              { identifier: "tokens", role: "SENDER", url: `${partnerUrl}/2.2.1/tokens` },
              { identifier: "locations", role: "RECEIVER", url: `${partnerUrl}/2.2.1/locations` },
              { identifier: "sessions", role: "RECEIVER", url: `${partnerUrl}/2.2.1/sessions` },
              { identifier: "cdrs", role: "RECEIVER", url: `${partnerUrl}/2.2.1/cdrs` },
              { identifier: "tariffs", role: "RECEIVER", url: `${partnerUrl}/2.2.1/tariffs` },
              { identifier: "commands", role: "SENDER", url: `${partnerUrl}/2.2.1/commands` }
            ]
          })
        )
      }
      response.statusCode = 404
      return response.end(answer(null))
    })
    await new Promise<void>((resolve) => partner.listen(port, "127.0.0.1", resolve))
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
  }, 60_000)

  afterAll(async () => {
    await service?.kill("SIGTERM")
    partner?.close()
  })

  const ocpi = async (method: string, url: string, token: string, body?: unknown) => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Token ${base64(token)}`,
        "x-request-id": "11111111-1111-4111-8111-111111111111",
        "x-correlation-id": "22222222-2222-4222-8222-222222222222",
        "ocpi-from-country-code": "DE",
        "ocpi-from-party-id": "TST",
        "ocpi-to-country-code": "NL",
        "ocpi-to-party-id": "SBX",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      json: text === "" ? undefined : JSON.parse(text)
    }
  }

  it("discovers, registers, reads, is refused a second time and unregisters", async () => {
    const made = await service.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    assert.strictEqual(made.status, 201, made.text)
    const { partnerBaseUrl, tokenA } = made.body.data

    assert.strictEqual((await ocpi("GET", partnerBaseUrl, "no-such-token")).status, 401)
    const versions = await ocpi("GET", partnerBaseUrl, tokenA)
    assert.strictEqual(versions.json.status_code, 1000)
    const details = await ocpi(
      "GET",
      versions.json.data.find((one: any) => one.version === "2.2.1").url,
      tokenA
    )
    const endpoint = (id: string, role?: string) =>
      details.json.data.endpoints.find(
        (one: any) => one.identifier === id && (role === undefined || one.role === role)
      ).url

    const locations = endpoint("locations", "SENDER")
    assert.strictEqual(
      (await ocpi("GET", locations, tokenA)).status,
      401,
      "Token A opens no functional module"
    )

    const credentials = {
      token: tokenB,
      url: `${partnerUrl}/versions`,
      roles: [{ role: "EMSP", party_id: "TST", country_code: "DE", business_details: { name: "A script" } }]
    }
    const registered = await ocpi("POST", endpoint("credentials"), tokenA, credentials)
    assert.strictEqual(registered.json.status_code, 1000, JSON.stringify(registered.json))
    assert.includeMembers(
      seen.map((one) => one.path),
      ["/versions", "/2.2.1"],
      "it calls back during the open POST"
    )
    const tokenC: string = registered.json.data.token
    assert.notStrictEqual(tokenC, tokenA)

    assert.strictEqual((await ocpi("GET", partnerBaseUrl, tokenA)).status, 401, "Token A is dead")
    const list = await ocpi("GET", `${locations}?limit=2`, tokenC)
    assert.strictEqual(list.json.status_code, 1000)
    assert.strictEqual(list.json.data.length, 2)
    assert.match(String(list.headers.get("link")), /rel="next"/)
    assert.strictEqual(list.headers.get("x-request-id"), "11111111-1111-4111-8111-111111111111")

    assert.strictEqual((await ocpi("POST", endpoint("credentials"), tokenC, credentials)).status, 405)
    const gone = await ocpi("DELETE", endpoint("credentials"), tokenC)
    assert.strictEqual(gone.json.status_code, 1000)
    assert.strictEqual((await ocpi("GET", locations, tokenC)).status, 401)
  })

  it("finds the versions at the root and under /api/v1, with and without a slash", async () => {
    for (const path of [
      "/ocpi/versions",
      "/ocpi/versions/",
      "/api/v1/ocpi/versions",
      "/api/v1/ocpi/versions/"
    ]) {
      const response = await fetch(`${service.url}${path}`)
      const json: any = await response.json()
      assert.strictEqual(response.status, 200, path)
      assert.deepStrictEqual(
        json.data.map((one: any) => one.version),
        ["2.1.1", "2.2", "2.2.1", "2.3.0"]
      )
      for (const version of json.data) {
        assert.isTrue(version.url.startsWith(service.url))
        const details: any = await (await fetch(version.url)).json()
        assert.strictEqual(details.data.version, version.version)
        assert.isTrue(details.data.endpoints.some((one: any) => one.identifier === "credentials"))
      }
    }
  })

  it("answers an unknown token with 401 and builds no URL from the Host header", async () => {
    const refused = await fetch(`${service.url}/ocpi/versions`, {
      headers: { authorization: "Token unknown" }
    })
    assert.strictEqual(refused.status, 401)
    const spoofed = await fetch(`${service.url}/ocpi/versions`, {
      headers: { "x-forwarded-host": "evil.example" }
    })
    assert.notInclude(await spoofed.text(), "evil.example")
  })
})
