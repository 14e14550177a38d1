/** Journeys that change a registration, from order to report, against sandbox partners of the service itself. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, type Service, startService, until } from "../../support/service/Service.ts"

const terminal = ["completed", "cancelled", "failed"]

describe("a journey that changes the registration", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const call = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/api/v1${path}`, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  /** The run's report once it is over, and the connection as it then is. */
  const played = async (order: Record<string, unknown>) => {
    const { runId } = await call(202, "POST", "/testing/journey-runs", order)
    const report = await until(`the end of ${JSON.stringify(order)}`, async () => {
      const now = await call(200, "GET", `/testing/runs/${runId}`)
      return terminal.includes(now.status) ? now : undefined
    })
    const connection = await call(200, "GET", `/connections/${report.connectionId}`)
    const events = await call(200, "GET", `/testing/journey-runs/${runId}/events?limit=1000`)
    return { report, connection, events }
  }

  it("registers with a sandbox partner, each request in the ledger before its answer", async () => {
    const { connection, events, report } = await played({
      target: "sandbox",
      templateId: "register-with-cpo"
    })
    assert.strictEqual(report.verdict, "pass")
    assert.strictEqual(connection.status, "registered")
    const sent = events.flatMap(
      (
        { exchange, type }: Record<string, any> // any: lines of many shapes
      ) => (exchange?.direction === "outbound" ? [`${type} ${exchange.operation}`] : [])
    )
    assert.deepStrictEqual(
      sent,
      ["list", "details", "POST credentials", "GET credentials", "list with the old token"].flatMap(
        (operation) => [`exchange.intended ${operation}`, `exchange.completed ${operation}`]
      )
    )
  })

  it("waits for a sandbox partner that comes by our invitation", async () => {
    const { connection, report } = await played({ target: "sandbox", templateId: "invite-emsp" })
    assert.strictEqual(report.verdict, "pass")
    assert.strictEqual(connection.status, "registered")
    assert.strictEqual(connection.invitation.state, "used")
  })

  it("waits for a sandbox partner that renews the tokens, and lets nobody else begin meanwhile", async () => {
    const order = { target: "sandbox", templateId: "renewed-by-cpo" }
    const { connectionId, runId } = await call(202, "POST", "/testing/journey-runs", order)
    const second = { connectionId, templateId: "first-reads" }
    const refused = await service.call("POST", "/api/v1/testing/journey-runs", second)
    assert.strictEqual(refused.status, 409, refused.text)
    assert.include(refused.body.message, runId)
    const report = await until("the end of it", async () => {
      const now = await call(200, "GET", `/testing/runs/${runId}`)
      return terminal.includes(now.status) ? now : undefined
    })
    assert.strictEqual(report.verdict, "pass")
    await call(202, "POST", "/testing/journey-runs", second)
  })

  it("goes over to another version and comes back to its own", async () => {
    const { connection, report } = await played({
      target: "sandbox",
      ocpiVersion: "2.2.1",
      templateId: "upgrade-with-emsp"
    })
    assert.strictEqual(report.verdict, "pass")
    assert.strictEqual(connection.ocpiVersion, "2.2.1")
  })

  it("parts from the partner, and cannot begin again without a new Token A", async () => {
    const { connectionId } = await connectSandbox(service)
    const renewed = await played({ connectionId, templateId: "rotate-tokens-with-cpo" })
    assert.strictEqual(renewed.report.verdict, "pass")
    const { connection, report } = await played({ connectionId, templateId: "unregister-from-cpo" })
    assert.strictEqual(report.verdict, "pass")
    assert.strictEqual(connection.status, "pending")
    const refused = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "register-with-cpo"
    })
    assert.strictEqual(refused.status, 422)
    assert.match(refused.text, /needs the partner's Token A/)
  })

  it("is refused where the connection does not stand as it must", async () => {
    const { connectionId } = await connectSandbox(service)
    const { templates } = await call(200, "GET", `/testing/journeys?connectionId=${connectionId}`)
    const reasons = (id: string) => templates.find((one: { readonly id: string }) => one.id === id).reasons
    assert.match(reasons("register-with-cpo").join(), /already registered/)
    assert.match(reasons("invite-cpo").join(), /already registered/)
    assert.deepStrictEqual(reasons("rotate-tokens-with-cpo"), [])
  })
}, 60_000)
