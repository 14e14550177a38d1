/** A conformance run whose partner is made for it. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { type Answer, type Service, startService } from "../../support/service/Service.ts"

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

  it("leaves ten partners in an account, however many are ordered", async () => {
    for (let order = 0; order < 11; order++) await runAtSandbox(call)
    assert.strictEqual(await partners(), 10)
    assert.lengthOf((await call("GET", "/connections?limit=100")).body.data, 10)
  }, 120_000)
})

type Call = (method: string, path: string, body?: unknown) => Promise<Answer<any>>

/** The report of a small conformance run with the target sandbox, when it is over. */
async function runAtSandbox(call: Call, more: object = { target: "sandbox" }) {
  const order = { suiteId: "ocpi-2.2.1-cpo-core", checks: ["VERS-001"], ...more }
  const { body, status, text } = await call("POST", "/testing/runs?wait=30&until=end", order)
  assert.strictEqual(status, 202, text)
  assert.strictEqual(body.data.status, "completed")
  return body.data
}

describe("an account whose connections are used up by partners of earlier runs", () => {
  it("loses those that nobody has used since, and none of their evidence", async () => {
    const service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      RATE_LIMITS: "connections=2"
    })
    try {
      const call: Call = (method, path, body) => service.call(method, `/api/v1${path}`, body)
      const ids = async () =>
        (await call("GET", "/connections")).body.data.map(({ _id }: { _id: string }) => _id).toSorted()
      const first = await runAtSandbox(call)
      const used = await runAtSandbox(call)
      await runAtSandbox(call, { connectionId: used.connectionId })
      const third = await runAtSandbox(call)
      assert.deepStrictEqual(await ids(), [used.connectionId, third.connectionId].toSorted())
      assert.lengthOf((await call("GET", "/sandbox/partners")).body.data, 2)

      for (const path of ["", "/checks", "/export?format=html", "/export?format=json"]) {
        const read = await call("GET", `/testing/runs/${first._id}${path}`)
        assert.strictEqual(read.status, 200, `${path}: ${read.text}`)
      }
      const again = { suiteId: "ocpi-2.2.1-cpo-core", only: `failed-of:${first._id}` }
      const refused = await call("POST", "/testing/runs", { ...again, connectionId: first.connectionId })
      assert.strictEqual(refused.status, 404, refused.text)
      assert.match(refused.text, /was removed; the reports of its runs stay readable/)
      const journey = { templateId: "first-reads", connectionId: first.connectionId }
      const other = await call("POST", "/testing/journey-runs", journey)
      assert.strictEqual(other.status, 404, other.text)
      assert.match(other.text, /was removed/)
      // Nothing failed in that report, which is still read for the order.
      const none = await call("POST", "/testing/runs", { ...again, target: "sandbox" })
      assert.strictEqual(none.status, 422, none.text)

      // One run more has both places taken by partners that stay.
      await runAtSandbox(call, { connectionId: third.connectionId })
      const full = await call("POST", "/testing/runs", {
        target: "sandbox",
        suiteId: "ocpi-2.2.1-cpo-core",
        checks: ["VERS-001"]
      })
      assert.strictEqual(full.status, 429, full.text)
    } finally {
      await service.kill("SIGTERM")
    }
  }, 120_000)
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
