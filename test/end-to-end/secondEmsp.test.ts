/** Two connections of one owner at one operator: a run of the first uses the other one as a second EMSP. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freshDatabase } from "./database.ts"
import { connectSandbox, type Service, startService, until } from "./Service.ts"

describe("a run on one of two connections at the same partner", () => {
  let service: Service
  let first: string
  let second: string
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await freshDatabase(inject("pgUrl")) })
    const faults = ["commands.cancels-strangers-reservations"]
    first = (await connectSandbox(service, { speed: 60, faults })).connectionId
    second = (await connectSandbox(service, { speed: 60 })).connectionId
  }, 90_000)
  afterAll(() => service?.kill("SIGTERM"))

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
