/** A person plays the partner from what the status of a run says, and from nothing else. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { type QuietPartner, quietPartner } from "../../support/service/QuietPartner.ts"
import { type Service, startService, until } from "../../support/service/Service.ts"

const run = promisify(execFile)
/** As a person would, with the token in a variable. */
const shell = async (line: string, token: string) =>
  (await run("sh", ["-c", line], { env: { PATH: process.env["PATH"], TOKEN: token } })).stdout

describe("a journey that waits for the partner", () => {
  let service: Service
  let partner: QuietPartner
  beforeAll(async () => {
    partner = await quietPartner()
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
  }, 60_000)
  afterAll(async () => {
    partner?.close()
    await service?.kill("SIGTERM")
  })

  const call = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/api/v1${path}`, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.body.data
  }

  it("is played to its end with the curl lines of its status, and passes", async () => {
    const { _id } = await call(201, "POST", "/connections", {
      partnerBaseUrl: partner.versionsUrl,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      tokenA: "quiet-partner-token_A.0123456789"
    })
    const registered = await call(200, "POST", `/connections/${_id}/handshake`)
    assert.strictEqual(registered.status, "registered", registered.lastError)
    const { runId } = await call(202, "POST", "/testing/journey-runs", {
      connectionId: _id,
      templateId: "remote-start"
    })
    const played: Array<string> = []
    for (;;) {
      const status = await until(`the stage after ${played.at(-1)}`, async () => {
        const now = await call(200, "GET", `/testing/journey-runs/${runId}`)
        const isNew = now.status === "waiting" && !played.includes(now.stageId)
        return isNew || ["completed", "cancelled", "failed"].includes(now.status) ? now : undefined
      })
      if (status.status !== "waiting") break
      const said = await shell(status.waitingFor.expects.curl, partner.token())
      assert.match(said, /^HTTP\/1\.1 20[01]/, said)
      played.push(status.stageId)
    }
    assert.deepStrictEqual(played, [
      "start-result",
      "session-active",
      "session-updates",
      "stop-result",
      "session-completed",
      "cdr"
    ])
    const report = await call(200, "GET", `/testing/runs/${runId}`)
    const checks = await call(200, "GET", `/testing/runs/${runId}/checks`)
    const wrong = checks.filter(({ outcome }: any) => outcome === "failed" || outcome === "warned")
    assert.deepStrictEqual(wrong, [])
    assert.strictEqual(report.verdict, "pass")
  })
})
