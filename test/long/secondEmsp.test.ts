/** Two connections of one owner at one operator: a run of the first uses the other one as a second EMSP. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { connect, type Service, startService, until } from "../support/service/Service.ts"

const start = async () =>
  startService({
    DATABASE_URL: await migratedDatabase(inject("pgUrl")),
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
  })

describe.each([
  { where: "of our own", elsewhere: false, ids: ["PLG", "PLG"] },
  { where: "elsewhere, which knows us by our party ids", elsewhere: true, ids: ["PLG", "PL1"] }
])("a run on one of two connections at a partner $where", ({ elsewhere, ids }) => {
  let service: Service
  let partner: Service
  let first: string
  let second: string
  beforeAll(async () => {
    service = await start()
    partner = elsewhere ? await start() : service
    // Two seeds: partners of one seed give their sessions the same ids.
    const register = async (seed: number, faults: ReadonlyArray<string>) => {
      const order = { theirRole: "CPO", ocpiVersion: "2.2.1", seed, speed: 60, faults }
      const made = await partner.call("POST", "/api/v1/sandbox/partners", order)
      return await connect(service, made.body.data)
    }
    first = await register(1, ["commands.cancels-strangers-reservations"])
    second = await register(2, [])
  }, 90_000)
  afterAll(() => Promise.all([service?.kill("SIGTERM"), partner?.kill("SIGTERM")]))

  it("shows the partner who we are in each of them", async () => {
    const shown = await Promise.all(
      [first, second].map(async (id) => {
        const { body } = await service.call("GET", `/api/v1/connections/${id}/exchanges?limit=1000`)
        const sent = body.data.find((one: any) => one.operation === "POST credentials")
        return JSON.parse(sent.request.body).roles[0].party_id
      })
    )
    assert.deepStrictEqual(shown, ids)
  })

  it("sees what the partner lets the one do to the other, and says through which it has asked", async () => {
    const started = await service.call("POST", "/api/v1/testing/runs", {
      connectionId: first,
      suiteId: "ocpi-2.2.1-cpo-full",
      checks: ["CMD-027", "CMD-036"]
    })
    assert.strictEqual(started.status, 202, started.text)
    const id = started.body.data._id
    const report = await until(
      "the end of the run",
      async () => {
        const { body } = await service.call("GET", `/api/v1/testing/runs/${id}`)
        return body.data.verdict === null ? undefined : body.data
      },
      110_000
    )
    const checks = (await service.call("GET", `/api/v1/testing/runs/${id}/checks`)).body.data
    assert.deepStrictEqual(
      checks.map((check: any) => `${check.checkId} ${check.outcome}`),
      ["CMD-027 passed", "CMD-036 failed"],
      JSON.stringify(checks)
    )
    const { text } = await service.call("GET", `/api/v1/testing/runs/${id}/export?format=ledger`)
    const lines = (JSON.parse(text).lines as ReadonlyArray<any>).map(({ line }) => JSON.parse(line))
    const asked = lines.filter(
      ({ data, type }) => type === "exchange.completed" && data?.connectionId === second
    )
    assert.includeMembers(
      asked.map(({ exchange }) => exchange.operation),
      ["STOP_SESSION", "RESERVE_NOW", "CANCEL_RESERVATION"].map((name) => `${name}, by the second EMSP`)
    )
    assert.strictEqual(report.connectionId, first)
  }, 120_000)
})
