/** The built service and partners that share no code with it, by a real clock: what an EMSP's drivers do, and a partner behind our hub. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plainStranger } from "../strangers/draw.ts"
import { type Stranger, startStranger } from "../strangers/partner/Stranger.ts"
import type { StrangerWorld } from "../strangers/partner/StrangerWorld.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { connect, type Service, startService, until } from "../support/service/Service.ts"

const world: StrangerWorld = {
  now: Date.now,
  sleep: (millis) => new Promise((resolve) => void setTimeout(resolve, millis)),
  sent: () => {},
  requestTo: () => undefined,
  arrived: () => {}
}

describe("the service, and a partner that it has never met", () => {
  let service: Service
  const strangers: Array<Stranger> = []
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      ALLOW_HTTP: "true"
    })
  }, 60_000)
  afterAll(async () => {
    for (const stranger of strangers) stranger.close()
    await service?.kill("SIGTERM")
  })

  const meet = async (role: "CPO" | "EMSP", freedoms: object, hub: boolean) => {
    const plain = plainStranger("2.2.1", role)
    const stranger = await startStranger({
      ...plain,
      freedoms: { ...plain.freedoms, ...freedoms },
      world,
      hasDrivers: true
    })
    strangers.push(stranger)
    return connect(
      service,
      { partnerBaseUrl: stranger.versionsUrl, tokenA: stranger.invite() },
      role,
      hub ? { hub } : {}
    )
  }
  const outcomes = async (order: object) => {
    const started = await service.call("POST", "/api/v1/testing/runs", order)
    assert.strictEqual(started.status, 202, started.text)
    const id = started.body.data._id
    await until(
      "the end of the run",
      async () => {
        const { body } = await service.call("GET", `/api/v1/testing/runs/${id}`)
        return body.data.verdict === null ? undefined : true
      },
      150_000
    )
    const checks = (await service.call("GET", `/api/v1/testing/runs/${id}/checks`)).body.data
    return checks.map(({ checkId, message, outcome, reason }: any) =>
      outcome === "passed" ? `${checkId} passed` : `${checkId} ${outcome}: ${message ?? reason}`
    )
  }

  it("judges how an EMSP starts, reserves and sets profiles at the site that a run publishes", async () => {
    const checks = ["CMD-105", "CMD-107", "CMD-112", "CP-101", "CP-102", "CP-103"]
    const connectionId = await meet("EMSP", {}, false)
    const found = await outcomes({
      connectionId,
      suiteId: "ocpi-2.2.1-emsp-full",
      checks,
      listenSeconds: 40
    })
    assert.sameMembers(
      found,
      checks.map((id) => `${id} passed`)
    )
  }, 180_000)

  it("judges a CPO behind our hub", async () => {
    const connectionId = await meet(
      "CPO",
      { moreModules: true, toldPartiesOnly: true, viaHub: "each", parties: 2 },
      true
    )
    const found = await outcomes({ connectionId, suiteId: "ocpi-2.2.1-cpo-hub", listenSeconds: 25 })
    assert.sameMembers(
      found,
      ["003", "004", "101", "102", "103", "104", "105"].map((id) => `HUB-${id} passed`)
    )
  }, 180_000)
})
