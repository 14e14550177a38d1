/** Attacks on the path at which the processes of the service call each other (B41): raw requests to the built service. */
import { createHmac } from "node:crypto"
import { connect as open } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freshDatabase } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, startService, until } from "../../support/service/Service.ts"

const secret = Buffer.alloc(32, 5)
const tokenOf = (secretKey: Buffer) =>
  createHmac("sha256", secretKey).update("plugfest messages").digest("base64url")
const ping = '{"_tag":"Request","id":"1","tag":"Ping","payload":null,"headers":[]}\n'

describe("the path at which processes call each other", () => {
  let a: Service
  let b: Service
  const post = (body: string, authorization?: string) =>
    fetch(`${a.url}/internal/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/ndjson",
        ...(authorization === undefined ? {} : { authorization })
      },
      body
    })

  beforeAll(async () => {
    const env = {
      DATABASE_URL: await freshDatabase(inject("pgUrl")),
      ENCRYPTION_KEYS: `k1:${secret.toString("base64")}`,
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      LEASE_SECONDS: "5"
    }
    a = await startService(env)
    b = await startService({ ...env, SIMULATION_SPEED: "1" })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([a?.kill("SIGTERM"), b?.kill("SIGTERM")])
  })

  it("answers who has the token", async () => {
    const answer = await post(ping, `Bearer ${tokenOf(secret)}`)
    assert.strictEqual(answer.status, 200)
    assert.include(await answer.text(), '"Success"')
  })

  it("refuses everybody else, in the shape of the contract", async () => {
    const wrong = [
      undefined,
      "",
      "Bearer",
      `Bearer ${key}`,
      `Bearer ${tokenOf(Buffer.alloc(32, 6))}`,
      `Bearer ${tokenOf(secret)}x`,
      `Bearer  ${tokenOf(secret)}`,
      `bearer ${tokenOf(secret)}`,
      `Basic ${tokenOf(secret)}`,
      `Token ${tokenOf(secret)}`,
      tokenOf(secret),
      `Bearer ${secret.toString("base64")}`
    ]
    for (const body of [ping, "", "{", "\n\n\n", "[".repeat(100_000)]) {
      for (const authorization of wrong) {
        const answer = await post(body, authorization)
        assert.strictEqual(answer.status, 401, `${authorization} ${body.slice(0, 20)}`)
        const refusal = (await answer.json()) as { readonly success: boolean; readonly message: string }
        assert.isFalse(refusal.success)
        assert.match(refusal.message, /^Only processes/)
      }
    }
  })

  it("takes no other method, and nothing too large", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const answer = await fetch(`${a.url}/internal/messages`, { method })
      assert.strictEqual(answer.status, 405, method)
      assert.include(answer.headers.get("allow") ?? "", "POST")
    }
    const { status } = await post("x".repeat(2_000_000), `Bearer ${tokenOf(secret)}`)
    assert.strictEqual(status, 413)
  })

  it("lives on after garbage and half a body of who has the token", async () => {
    for (const body of ["{", '{"_tag":"Request"}\n', '{"_tag":"Nothing","id":"1"}\n', "\0\0\0"]) {
      const answer = await post(body, `Bearer ${tokenOf(secret)}`)
      assert.include([200, 400, 422, 500], answer.status)
      await answer.text()
    }
    const { hostname, port } = new URL(a.url)
    const socket = open(Number(port), hostname)
    socket.write(
      `POST /internal/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf(secret)}\r\nContent-Length: 500\r\n\r\n{"_tag`
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
    assert.strictEqual((await post(ping, `Bearer ${tokenOf(secret)}`)).status, 200)
  })

  it("is how a run is cancelled through the other process, also beside 60 calls without a token", async () => {
    const { connectionId } = await connectSandbox(b, { speed: 1 })
    const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds: 60 } }
    // Where the processes do not know of each other yet, or are too slow, the database carries the wish: then once more.
    for (let tries = 0; ; tries++) {
      const started = await b.call("POST", "/api/v1/testing/journey-runs", order)
      assert.strictEqual(started.status, 202, started.text)
      const { runId } = started.body.data
      const flood = Array.from({ length: 60 }, () => post(ping))
      const cancelled = await a.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`)
      assert.isBelow(cancelled.status, 300, cancelled.text)
      assert.deepStrictEqual([...new Set((await Promise.all(flood)).map(({ status }) => status))], [401])
      await until("the run has ended", async () => {
        const { body } = await b.call("GET", `/api/v1/testing/journey-runs/${runId}`)
        return body.data.status === "cancelled" ? true : undefined
      })
      const { text } = await b.call("GET", "/metrics")
      const isTold = /route="\/internal\/messages"[^}]*\} [1-9]/.test(text)
      if (isTold) return
      assert.isBelow(tries, 5, "no wish to cancel came by a call of the other process")
    }
  }, 60_000)
})
