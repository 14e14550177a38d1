/** A conformance run whose partner is made for it. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { type Service, startService } from "../../support/service/Service.ts"

describe("a conformance run with the target sandbox", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    service.call(method, `/api/v1${path}`, body, headers)
  const partners = async () => (await call("GET", "/sandbox/partners")).body.data.length

  it.each([
    "ocpi-2.1.1-cpo-core",
    "ocpi-2.3.0-emsp-core",
    "ocpi-2.2.1-cpo-hub",
    "ocpi-2.2.1-cpo-registration"
  ])(
    "grades a partner of the role and version of %s",
    async (suiteId) => {
      const order = { target: "sandbox", suiteId }
      const { body, status, text } = await call("POST", "/testing/runs?wait=30&until=end", order)
      assert.strictEqual(status, 202, text)
      assert.strictEqual(body.data.status, "completed")
      assert.strictEqual(body.data.summary.failed, 0)
      assert.isAbove(body.data.summary.passed, 0)
      const connection = (await call("GET", `/connections/${body.data.connectionId}`)).body.data
      assert.strictEqual(connection.ocpiVersion, suiteId.split("-")[1])
      assert.strictEqual(connection.theirRole.toLowerCase(), suiteId.split("-")[2])
    },
    60_000
  )

  it("makes no partner for an order that is refused, and one for an order that is repeated", async () => {
    const before = await partners()
    const suiteId = "ocpi-2.2.1-cpo-core"
    const refused: ReadonlyArray<readonly [order: object, status: number]> = [
      [{ suiteId }, 400],
      [{ suiteId, target: "sandbox", connectionId: "conn_1" }, 400],
      [{ suiteId, target: "other" }, 400],
      [{ suiteId: "nope", target: "sandbox" }, 404],
      [{ suiteId, target: "sandbox", checks: ["NOPE-*"] }, 422]
    ]
    for (const [order, status] of refused) {
      const answer = await call("POST", "/testing/runs", order)
      assert.strictEqual(answer.status, status, answer.text)
    }
    assert.strictEqual(await partners(), before)
    const key = { "Idempotency-Key": "one-sandbox-run" }
    const order = { target: "sandbox", suiteId, checks: ["VERS-*"] }
    const [first, again] = [
      await call("POST", "/testing/runs", order, key),
      await call("POST", "/testing/runs", order, key)
    ]
    assert.strictEqual(first.status, 202, first.text)
    assert.strictEqual(again.body.data._id, first.body.data._id)
    assert.strictEqual(await partners(), before + 1)
  })
})

describe("an order with the target sandbox that a limit refuses", () => {
  it.each(["runs=1", "connections=1"])(
    "leaves no partner and no connection behind: %s",
    async (limit) => {
      const service = await startService({
        DATABASE_URL: await migratedDatabase(inject("pgUrl")),
        RATE_LIMITS: limit
      })
      try {
        const call = (method: string, path: string, body?: unknown) =>
          service.call(method, `/api/v1${path}`, body)
        const first = await call("POST", "/testing/journey-runs", {
          target: "sandbox",
          templateId: "remote-start"
        })
        assert.strictEqual(first.status, 202, first.text)
        for (const [path, order] of [
          ["/testing/journey-runs", { target: "sandbox", templateId: "first-reads" }],
          ["/testing/runs", { target: "sandbox", suiteId: "ocpi-2.2.1-cpo-smoke" }]
        ] as const) {
          const refused = await call("POST", path, order)
          assert.strictEqual(refused.status, 429, refused.text)
        }
        assert.lengthOf((await call("GET", "/sandbox/partners")).body.data, 1)
        assert.lengthOf((await call("GET", "/connections")).body.data, 1)
      } finally {
        await service.kill("SIGTERM")
      }
    },
    60_000
  )
})
