/** Partners that call too often or send too much, over two processes of the built service on one database. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type QuietPartner, quietPartner } from "../../support/service/QuietPartner.ts"
import { connect, connectSandbox, type Service, startService, until } from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"

const api = "/api/v1"
const calls = 150

describe("partners without measure", () => {
  let database: string
  let here: Service
  let there: Service
  const partners: Array<QuietPartner> = []

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    const env = {
      DATABASE_URL: database,
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      RATE_LIMITS: `requests=100000,runs=1000,partnerCalls=${calls},unauthenticatedCalls=40`
    }
    here = await startService(env)
    there = await startService({ ...env, PUBLIC_URL: here.url })
  }, 120_000)
  afterAll(async () => {
    for (const partner of partners) partner.close()
    await Promise.all([here?.kill("SIGTERM"), there?.kill("SIGTERM")])
  })

  /** A registered connection of ours to a CPO that says what we let it say. */
  const partner = async () => {
    const made = await quietPartner()
    partners.push(made)
    const connectionId = await connect(here, {
      partnerBaseUrl: made.versionsUrl,
      tokenA: "token-a-of-a-flood"
    })
    return { connectionId, token: made.token() }
  }
  const push = async ({ url }: Service, token: string, body: string, id = "LOC1") => {
    const response = await fetch(`${url}/ocpi/2.2.1/locations/DE/QUI/${id}`, {
      method: "PUT",
      headers: {
        authorization: `Token ${token}`,
        "content-type": "application/json",
        "x-request-id": "flood-1"
      },
      body
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it("are refused beyond their rate, in an envelope, while others are served", async () => {
    const [loud, honest] = [await partner(), await partner()]
    const answers = await Promise.all(
      Array.from({ length: calls + 60 }, (_, index) => push(index % 2 === 0 ? here : there, loud.token, "{}"))
    )
    const limited = answers.filter(({ status }) => status === 429)
    // What one process has in stock is missing at the other, and what was refilled meanwhile is more.
    assert.isAtLeast(limited.length, 20)
    for (const { headers, text } of limited) {
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.strictEqual(headers.get("x-request-id"), "flood-1")
      const { status_code, status_message } = JSON.parse(text)
      assert.strictEqual(status_code, 2000)
      assert.match(status_message, /requests a minute|waiting to be served/)
    }
    assert.strictEqual((await push(here, honest.token, "{}")).status, 200)
    assert.strictEqual((await push(there, honest.token, "{}")).status, 200)
    // Whose call it was is known, so that nobody else's wait is excused by it.
    const noted = await until("the refusals to be noted", async () => {
      const found = await rows(database, "SELECT party_id FROM refused_party_call")
      return found.length > 0 ? found : undefined
    })
    assert.deepStrictEqual(noted, [{ party_id: loud.connectionId }])
    tried("B23", [`${calls + 60} calls of a partner, at ${calls} a minute`], `${limited.length} answered 429`)
  }, 60_000)

  it("are counted by address where they bring no token of ours, and a good token passes meanwhile", async () => {
    const good = await partner()
    assert.strictEqual((await push(there, good.token, "{}")).status, 200)
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) => push(there, `unknown-token-0123456789-${index}`, "{}"))
    )
    const statuses = answers.map(({ status }) => status)
    assert.isAtLeast(statuses.filter((status) => status === 429).length, 60)
    assert.isAtLeast(statuses.filter((status) => status === 401).length, 40)
    assert.strictEqual((await push(there, good.token, "{}")).status, 200)
    tried("B23", ["120 calls with unknown tokens, at 40 a minute"], "the rest answered 429")
  }, 60_000)

  it("leave little behind of what was refused, and their accounts see how much they may", async () => {
    const heavy = await partner()
    const body = JSON.stringify({
      id: "LOC1",
      filler: Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
        .toString("hex")
        .repeat(2)
    })
    assert.isAbove(body.length, 240_000)
    const answers: Array<number> = []
    for (let at = 0; at < 100; at += 10)
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => push(here, heavy.token, body)))).map(
          ({ status }) => status
        )
      )
    const [{ bytes, count }] = (await rows(
      database,
      "SELECT sum(octet_length(exchange::text))::int bytes, count(*)::int FROM party_exchange WHERE party_id = $1 AND refused",
      [heavy.connectionId]
    )) as [{ bytes: number; count: number }]
    assert.isBelow(bytes, 2_000_000)
    assert.isAtLeast(count, 30) // as many bodies of 240 KB as 8 MiB a minute admit
    const account = succeeded(await here.call("GET", `${api}/settings/account`))
    assert.deepInclude(account.limits.partnerCalls, { limit: calls, used: null })
    assert.deepInclude(account.limits.accountKilobytes, { limit: 32_768, per: "minute and account" })
    const limited = answers.filter((status) => status === 429).length
    tried(
      "B18",
      ["100 refused bodies of 240 KB"],
      `${limited} not read, ${Math.round(bytes / 1024)} KiB kept`
    )
  }, 90_000)

  it("leave evidence of a body that is larger than we read", async () => {
    const heavy = await partner()
    const body = `{"id":"LOC1","filler":"${"x".repeat(1_200_000)}"}`
    const send = (headers: Record<string, string>, sent: RequestInit["body"], token = heavy.token) =>
      fetch(`${here.url}/ocpi/2.2.1/locations/DE/QUI/LOC1`, {
        method: "PUT",
        headers: { authorization: `Token ${token}`, "content-type": "application/json", ...headers },
        body: sent,
        duplex: "half"
      } as RequestInit)
    const declared = await send({}, body)
    const inChunks = await send({}, new Blob([body]).stream())
    for (const answer of [declared, inChunks]) {
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(answer.headers.get("connection"), "close")
      const { status_code, status_message } = JSON.parse(await answer.text())
      assert.strictEqual(status_code, 2000)
      assert.match(status_message, /too large for us: it has more than 1024 KiB/)
    }
    assert.strictEqual((await send({}, body, "unknown-token-0123456789")).status, 401)
    const kept = await rows(
      database,
      "SELECT exchange->'request' request FROM party_exchange WHERE party_id = $1 AND refused ORDER BY position",
      [heavy.connectionId]
    )
    const requests = kept.map(({ request }) => request as Record<string, unknown>)
    assert.deepStrictEqual(
      requests.map(({ bodyBytes, bodySha256, method, truncated }) => [
        method,
        truncated,
        bodyBytes,
        bodySha256
      ]),
      [
        ["PUT", true, body.length, undefined],
        ["PUT", true, undefined, undefined]
      ]
    )
    assert.isNull(requests[0]?.["body"])
    assert.match(String(requests[1]?.["body"]), /^\{"id":"LOC1","filler":"x{8000}/)
  }, 60_000)

  it("make nobody else wait: 256 connections that push without a pause", async () => {
    const unlimited = ["partnerCalls", "partnerKilobytes", "accountCalls", "accountKilobytes"]
    const service = await startService({
      DATABASE_URL: database,
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      PUBLIC_URL: here.url,
      RATE_LIMITS: ["requests", ...unlimited].map((name) => `${name}=1000000`).join(",")
    })
    try {
      const authorization = `Bearer ${await makeKey({ DATABASE_URL: database }, "calm")}`
      const { connectionId } = await connectSandbox({
        ...service,
        call: (method, path, body) => here.call(method, path, body, { authorization })
      })
      const order = { connectionId, templateId: "first-reads" }
      const { runId } = succeeded(
        await service.call("POST", `${api}/testing/journey-runs`, order, { authorization }),
        202
      )
      const [loud, honest] = [await partner(), await partner()]
      let pushed = 0
      let over = false
      const pushing = Promise.all(
        Array.from({ length: 256 }, async (_, index) => {
          while (!over) {
            await push(service, loud.token, "{}", `LOC${index}`)
            pushed += 1
          }
        })
      )
      /** The pushes of the loud partner that are answered while one call waits: the median of 30 calls. */
      const overtakenBy = async (call: () => Promise<{ readonly status: number }>) => {
        const counts: Array<number> = []
        for (let at = 0; at < 30; at++) {
          const before = pushed
          assert.strictEqual((await call()).status, 200)
          counts.push(pushed - before)
        }
        return counts.sort((a, b) => a - b)[15]!
      }
      await until("every connection to push", () => Promise.resolve(pushed > 512))
      const partnerWaits = await overtakenBy(() => push(service, honest.token, "{}"))
      const clientWaits = await overtakenBy(() =>
        service.call("GET", `${api}/testing/journey-runs/${runId}`, undefined, { authorization })
      )
      over = true
      await pushing
      tried(
        "B23",
        ["256 connections of one partner"],
        `a call of another partner waits for ${partnerWaits} of theirs, a request of another account for ${clientWaits}`
      )
      // Without turns the other partner's waits for one of each connection.
      assert.isBelow(partnerWaits, 128)
      assert.isBelow(clientWaits, 128)
    } finally {
      await service.kill("SIGTERM")
    }
  }, 120_000)
})
