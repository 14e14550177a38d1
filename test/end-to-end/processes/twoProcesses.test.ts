/** Two processes on one database: whatever is asked of one of them holds for the runs of the other. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { quietLocation, quietPartner } from "../../support/service/QuietPartner.ts"
import {
  connect,
  connectSandbox,
  freePort,
  key,
  type Service,
  startService,
  until
} from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"

const api = "/api/v1/testing"

describe("two processes on one database", () => {
  let owner: Service
  let other: Service
  let database: string

  beforeAll(async () => {
    const port = await freePort()
    database = await migratedDatabase(inject("pgUrl"))
    const env = {
      DATABASE_URL: database,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString("base64")}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EGRESS_ALLOW_CIDRS: "127.0.0.1/32"
    }
    owner = await startService({ ...env, PORT: String(port) })
    other = await startService(env)
  }, 60_000)
  afterAll(async () => {
    await Promise.all([owner?.kill("SIGTERM"), other?.kill("SIGTERM")])
  })

  const journey = async () => {
    const { connectionId } = await connectSandbox(owner, { speed: 1 })
    const order = { connectionId, templateId: "remote-start" }
    const { runId } = succeeded(await owner.call("POST", `${api}/journey-runs`, order), 202)
    await until("the run to wait for its partner", async () => {
      const { waitingFor } = succeeded(await owner.call("GET", `${api}/journey-runs/${runId}`))
      return waitingFor === null ? undefined : true
    })
    return runId as string
  }

  it("a journey run is cancelled through the one that does not play it, and its stream there ends", async () => {
    const runId = await journey()
    const stream = fetch(`${other.url}${api}/journey-runs/${runId}/stream`, {
      headers: { authorization: `Bearer ${key}` }
    }).then((answer) => answer.text())
    const answer = succeeded(await other.call("POST", `${api}/journey-runs/${runId}/cancel`))
    assert.include(["cancelling", "cancelled"], answer.status)
    const text = await stream
    assert.match(text, /"type":"run\.cancelled"/)
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    assert.deepStrictEqual(
      ids,
      ids.map((_, index) => index + 1)
    )
  }, 60_000)

  it("a conformance run is cancelled through the one that does not run it", async () => {
    const { connectionId } = await connectSandbox(owner)
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", listenSeconds: 600 }
    const { _id } = succeeded(await owner.call("POST", `${api}/runs`, order), 202)
    await until("the run to be under way", async () => {
      const { status } = succeeded(await owner.call("GET", `${api}/runs/${_id}`))
      return status === "running" ? true : undefined
    })
    succeeded(await other.call("POST", `${api}/runs/${_id}/cancel`))
    const status = await until("the run to be over", async () => {
      const report = succeeded(await other.call("GET", `${api}/runs/${_id}?wait=5`))
      return report.verdict === null ? undefined : report.status
    })
    assert.strictEqual(status, "cancelled")
  }, 60_000)

  it("changes to one object that come to both at once are all kept", async () => {
    const partner = await quietPartner()
    try {
      await connect(owner, { partnerBaseUrl: partner.versionsUrl, tokenA: "token-a-of-two-processes" })
      const uids = Array.from({ length: 40 }, (_, at) => `EVSE-${at}`)
      const push = (service: Service, method: string, below: string, body?: unknown) =>
        service.call(method, `/ocpi/2.2.1/locations/DE/QUI/LOC1${below}`, body, {
          authorization: `Token ${Buffer.from(partner.token()).toString("base64")}`
        })
      const put = await push(owner, "PUT", "", locationWith(uids))
      assert.strictEqual(put.status, 201, put.text)
      const charging = { status: "CHARGING", last_updated: "2026-01-02T00:00:00Z" }
      const answers = await Promise.all(
        uids.map((uid, at) => push(at % 2 === 0 ? owner : other, "PATCH", `/${uid}`, charging))
      )
      for (const { body, text } of answers) assert.strictEqual((body as any).status_code, 1000, text)
      const { body } = await push(other, "GET", "")
      assert.deepStrictEqual(
        (body.data as any).evses.map(({ status }: { status: string }) => status),
        uids.map(() => "CHARGING")
      )
    } finally {
      partner.close()
    }
  }, 60_000)

  it.each([
    ["PUT", "/locations/DE/QUI/LOC2", "of which the first write is that of the object"],
    ["PUT", "/locations/DE/QUI/LOC1/EVSE-1", "which reads an object before it writes it"],
    ["GET", "/locations/DE/QUI/LOC1", "which writes nothing but its record"]
  ])(
    "a %s %s, %s, goes by what the partner is now, not by what one of them remembers",
    async (method, path) => {
      const partner = await quietPartner()
      try {
        const order = { partnerBaseUrl: partner.versionsUrl, tokenA: "token-a-of-a-memory" }
        const connectionId = await connect(owner, order)
        const authorization = `Token ${Buffer.from(partner.token()).toString("base64")}`
        const call = (method: string, path: string, body?: unknown) =>
          other.call(method, `/ocpi/2.2.1${path}`, body, { authorization })
        const whole = locationWith(["EVSE-1"])
        const body =
          method === "GET" ? undefined : path.endsWith("LOC2") ? { ...whole, id: "LOC2" } : whole.evses[0]
        assert.strictEqual((await call("PUT", "/locations/DE/QUI/LOC1", whole)).status, 201)
        assert.isBelow((await call(method, path, body)).status, 300)
        // Behind their backs, so that nobody tells the one that remembers.
        await rows(database, "UPDATE party SET revision = revision + 1 WHERE id = $1", [connectionId])
        assert.strictEqual((await call(method, path, body)).status, 200)
        const kept = "SELECT count(*)::int FROM party_exchange WHERE party_id = $1 AND direction = 'inbound'"
        const count = async () => (await rows(database, kept, [connectionId]))[0].count as number
        const exchanges = await count()
        assert.isAtLeast(exchanges, 3)
        await rows(database, "DELETE FROM party_object WHERE party_id = $1", [connectionId])
        await rows(
          database,
          `WITH gone AS (DELETE FROM party_token WHERE party_id = $1)
         UPDATE party SET token_version = token_version + 1 WHERE id = $1`,
          [connectionId]
        )
        assert.strictEqual((await call(method, path, body)).status, 401)
        assert.deepStrictEqual(
          await rows(database, "SELECT count(*)::int FROM party_object WHERE party_id = $1", [connectionId]),
          [{ count: 0 }]
        )
        assert.strictEqual(await count(), exchanges)
      } finally {
        partner.close()
      }
    },
    60_000
  )

  it("a call of a partner that a balancer delivers to both is one exchange, as the partner sent it", async () => {
    const partner = await quietPartner()
    try {
      const order = { partnerBaseUrl: partner.versionsUrl, tokenA: "token-a-of-two-deliveries" }
      const connectionId = await connect(owner, order)
      const delivery = `${Date.now()}-23ca840c-67a5-4d87-90d4-41bc7b7f7aa5`
      const statuses: Array<number> = []
      for (const service of [owner, other]) {
        const answer = await service.call(
          "PUT",
          "/ocpi/2.2.1/locations/DE/QUI/LOC1",
          locationWith(["EVSE-1"]),
          {
            authorization: `Token ${Buffer.from(partner.token()).toString("base64")}`,
            "x-request-id": "delivered-twice",
            "plugfest-delivery": delivery
          }
        )
        statuses.push(answer.status)
      }
      assert.deepStrictEqual(statuses, [201, 200])
      const path = `/api/v1/connections/${connectionId}/exchanges?limit=100`
      const exchanges = succeeded(await owner.call("GET", path))
      const [one, ...more] = exchanges.filter(({ requestId }: any) => requestId === "delivered-twice")
      assert.lengthOf(more, 0)
      assert.strictEqual(one.response.httpStatus, 200)
      assert.notProperty(one.request.headers, "plugfest-delivery")
    } finally {
      partner.close()
    }
  }, 60_000)
})

const locationWith = (uids: ReadonlyArray<string>) => ({
  ...quietLocation,
  evses: uids.map((uid, at) => ({ ...quietLocation.evses[0], uid, evse_id: `DE*QUI*E${at}` }))
})
