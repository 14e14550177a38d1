/** kill -9 while a registration is being ended: between the partner's answer and our forgetting of the tokens, too. */
import { afterEach, assert, beforeEach, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { startPartner } from "../support/service/killPartner.ts"
import { connect, freePort, type Service, startService, until } from "../support/service/Service.ts"

const loaded = (file: string) => ["--import", new URL(file, import.meta.url).href]
const api = "/api/v1"

describe("a parting that our crash cuts in half", () => {
  let partner: Awaited<ReturnType<typeof startPartner>>
  let env: Record<string, string>
  let service: Service
  let connectionId: string

  beforeEach(async () => {
    partner = await startPartner("CPO")
    env = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PORT: String(await freePort()),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      LEASE_SECONDS: "4",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
    }
    service = await startService(env)
    connectionId = await connect(service, partner.invitation)
    await service.kill("SIGTERM")
  }, 60_000)
  afterEach(async () => {
    await service?.kill()
    await partner?.close()
  })

  const partings = () => partner.proxy.passed.filter(({ method }) => method === "DELETE").length
  const statusOf = async () => {
    const { body } = await service.call("GET", `${api}/connections/${connectionId}`)
    return body.data.status
  }

  /** The run of a process that died at those words, and a process that has found it interrupted. */
  const killedAt = async (point: "before" | "committed", words: string) => {
    service = await startService(
      { ...env, KILL_POINT: point, KILL_WORDS: words },
      loaded("../support/service/faultPoint.mjs")
    )
    const order = { connectionId, templateId: "unregister-from-cpo" }
    const ordered = service.call("POST", `${api}/testing/journey-runs`, order).catch(() => undefined)
    await service.gone
    await ordered
    service = await startService(env)
    return until("the run to be interrupted", async () => {
      const { body } = await service.call("GET", `${api}/testing/journey-runs?limit=1`)
      return body.data[0]?.status === "interrupted" ? body.data[0] : undefined
    })
  }
  const decided = async (runId: string, decision: string) => {
    const path = `${api}/testing/journey-runs/${runId}`
    const applied = await service.call("POST", `${path}/recovery`, { decision })
    assert.strictEqual(applied.status, 200, applied.text)
    return until("the run to be over", async () => {
      const { body } = await service.call("GET", `${path}`)
      if (!["completed", "cancelled", "failed"].includes(body.data.status)) return undefined
      return (await service.call("GET", `${api}/testing/runs/${body.data.reportId}`)).body.data
    })
  }

  it("ends with its grades when the answer was in the ledger", async () => {
    const { runId } = await killedAt("committed", "exchange.completed DELETE")
    const report = await decided(runId, "resume")
    assert.deepInclude(report, { status: "completed", verdict: "pass" })
    assert.strictEqual(await statusOf(), "pending")
    assert.strictEqual(partings(), 1)
  }, 90_000)

  it("is read back when its answer was lost, and the token is dead", async () => {
    const { recoveryOptions, runId } = await killedAt("before", "exchange.completed DELETE")
    assert.strictEqual(recoveryOptions[0]?.decision, "verify_and_resume")
    const report = await decided(runId, "verify_and_resume")
    assert.deepInclude(report, { status: "completed", verdict: "inconclusive" })
    assert.strictEqual(await statusOf(), "pending")
    assert.strictEqual(partings(), 1)
  }, 90_000)

  it("leaves the connection registered when the request was never sent", async () => {
    const { runId } = await killedAt("committed", "exchange.intended DELETE")
    await decided(runId, "verify_and_resume")
    assert.strictEqual(await statusOf(), "registered")
    assert.strictEqual(partings(), 0)
  }, 90_000)

  it("can be asked for again, of a connection that is being deleted", async () => {
    service = await startService(
      { ...env, HOLD_WORDS: "DELETE FROM party WHERE" },
      loaded("../support/service/holdAnswers.mjs")
    )
    const cut = service.call("DELETE", `${api}/connections/${connectionId}`).catch(() => undefined)
    await until("the parting", async () =>
      partings() > 0 && service.output().includes("held") ? true : undefined
    )
    await service.kill()
    await cut
    service = await startService(env)
    assert.strictEqual(await statusOf(), "registered")
    const again = await service.call("DELETE", `${api}/connections/${connectionId}`)
    assert.strictEqual(again.status, 200, again.text)
    assert.isTrue(again.body.data.partnerTold)
    assert.strictEqual((await service.call("GET", `${api}/connections/${connectionId}`)).status, 404)
  }, 90_000)
})
