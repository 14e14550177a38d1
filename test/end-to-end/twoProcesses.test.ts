/** Two processes on one database: whatever is asked of one of them holds for the runs of the other. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freshDatabase } from "./database.ts"
import { connectSandbox, freePort, key, type Service, startService, until } from "./Service.ts"
import { succeeded } from "./shapes.ts"

const api = "/api/v1/testing"

describe("two processes on one database", () => {
  let owner: Service
  let other: Service

  beforeAll(async () => {
    const port = await freePort()
    const env = {
      DATABASE_URL: await freshDatabase(inject("pgUrl")),
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString("base64")}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`
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
})
