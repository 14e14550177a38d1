/** Runs that are open at once on one connection of a partner with few free EVSEs, and a process that is killed meanwhile. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { connectSandbox, freePort, type Service, startService, until } from "../support/service/Service.ts"
import { succeeded } from "../support/service/shapes.ts"

const api = "/api/v1/testing"

describe("runs that are open at once on one connection", () => {
  let directory: string
  let service: Service
  let env: Record<string, string>
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "plugfest-at-once-"))
    // An embedded Postgres runs as another user where the tests run as root.
    await chmod(directory, 0o711)
    env = { DATA_DIR: directory, PORT: String(await freePort()) }
    service = await startService(env)
  }, 120_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    await rm(directory, { recursive: true, force: true })
  })

  const journeyAt = (id: string) => service.call("GET", `${api}/journey-runs/${id}`).then(succeeded)
  const start = async (connectionId: string, locationId = "") => {
    const order = { connectionId, templateId: "remote-start", inputs: { locationId } }
    return succeeded(await service.call("POST", `${api}/journey-runs`, order), 202)["runId"] as string
  }
  /** Decides as recommended wherever a decision is due, until the journeys are over; their verdicts. */
  const ended = (ids: ReadonlyArray<string>) =>
    until(
      `the journeys ${ids.join(", ")} to be over`,
      async () => {
        const found = await Promise.all(ids.map(journeyAt))
        for (const { recoveryOptions, recoveryVersion, runId, status } of found)
          if (status === "interrupted") {
            const { decision } = recoveryOptions.find((one: any) => one.recommended)
            const order = { decision, recoveryVersion }
            await service.call("POST", `${api}/journey-runs/${runId}/recovery`, order)
          }
        return found.every(({ verdict }) => verdict !== null)
          ? found.map(({ verdict }) => verdict as string)
          : undefined
      },
      300_000
    )
  /** What is held against the partner, or was not judged for want of an EVSE and not put down to us. */
  const accusations = async (runId: string) => {
    const checks: ReadonlyArray<any> = succeeded(await service.call("GET", `${api}/runs/${runId}/checks`))
    return checks
      .filter(
        ({ attribution, outcome, reason = "" }) =>
          ["failed", "warned", "error"].includes(outcome) ||
          (/EVSE/.test(reason) && /other runs|has taken/.test(reason) && attribution !== "ours")
      )
      .map(({ id, message, outcome, reason }) => `${runId} ${id} ${outcome} ${message ?? reason}`)
  }

  it("get EVSEs of their own, before and after a kill -9, and leave none behind", async () => {
    const { connectionId } = await connectSandbox(service, { speed: 60 })
    const command = { connectionId, command: "UNLOCK_CONNECTOR" }
    succeeded(await service.call("POST", `${api}/command`, command))
    const exchanges = await service.call("GET", `/api/v1/connections/${connectionId}/exchanges?limit=20`)
    const locationId = /location_id\\*":\\*"([^"\\]+)/.exec(exchanges.text)?.[1]
    assert.isDefined(locationId)
    const [suite, ...journeys] = await Promise.all([
      service
        .call("POST", `${api}/runs`, { connectionId, suiteId: "ocpi-2.2.1-cpo-full", modules: ["commands"] })
        .then((answer) => succeeded(answer, 202)["_id"] as string),
      ...Array.from({ length: 4 }, () => start(connectionId, locationId))
    ])
    await until("a journey to wait for its partner", async () => {
      const found = await Promise.all(journeys.map(journeyAt))
      return found.some(({ waitingFor }) => waitingFor !== null) ? true : undefined
    })
    await service.kill("SIGKILL")
    service = await startService(env)
    const verdicts = await ended(journeys)
    await until(
      "the suite to be over",
      async () => {
        const { verdict } = succeeded(await service.call("GET", `${api}/runs/${suite}?wait=5`))
        return verdict === null ? undefined : true
      },
      300_000
    )
    const accused = await Promise.all([suite, ...journeys].map(accusations))
    assert.deepStrictEqual(accused.flat(), [], verdicts.join())

    // Two EVSEs, and nobody else: each run has one.
    const last = await Promise.all([start(connectionId, locationId), start(connectionId, locationId)])
    assert.deepStrictEqual(await ended(last), ["pass", "pass"])
  }, 800_000)
})
