/** Charges of simulated partners, on one database with processes that come and die: told once, and to their end. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { connectSandbox, freePort, type Service, startService, until } from "../support/service/Service.ts"
import { succeeded } from "../support/service/shapes.ts"

describe("a charge under way at a simulated CPO", () => {
  let door: Service
  let beside: Service
  let env: Record<string, string>
  const all: Array<Service> = []
  const start = async (more: Record<string, string> = {}) => {
    const service = await startService({ ...env, ...more })
    all.push(service)
    return service
  }

  beforeAll(async () => {
    const port = String(await freePort())
    env = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 6).toString("base64")}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LEASE_SECONDS: "2"
    }
    door = await start({ PORT: port })
    beside = await start()
  }, 60_000)
  afterAll(async () => {
    await Promise.all(all.map((service) => service.kill("SIGTERM")))
  })

  /** A charge that has begun; the partner is at the door, so the process there carries it on. */
  const charge = async () => {
    const { connectionId } = await connectSandbox(beside, { speed: 150 })
    const pushes = async (operation: string) => {
      const path = `/api/v1/connections/${connectionId}/exchanges?limit=1000`
      const exchanges: ReadonlyArray<any> = succeeded(await beside.call("GET", path))
      return exchanges.filter((one) => one.direction === "inbound" && one.operation.startsWith(operation))
    }
    const command = async (name: string) => {
      const order = { connectionId, command: name }
      succeeded(await beside.call("POST", "/api/v1/testing/command", order))
    }
    await until("a place", async () => (await pushes("PUT location"))[0])
    await command("START_SESSION")
    await until("two updates", async () => ((await pushes("PATCH session")).length > 1 ? true : undefined))
    return { pushes, stop: () => command("STOP_SESSION") }
  }

  it("is not told a second time by a process that starts meanwhile", async () => {
    const { pushes, stop } = await charge()
    const late = await start()
    const before = (await pushes("PATCH session")).length
    await until("more updates", async () =>
      (await pushes("PATCH session")).length > before + 2 ? true : undefined
    )
    await stop()
    await until("the CDR", async () => (await pushes("POST cdr"))[0])
    await late.kill("SIGTERM")
    assert.lengthOf(await pushes("PUT session"), 1)
    assert.lengthOf(await pushes("POST cdr"), 1)
    assertOnce(await pushes("PATCH session"))
  }, 90_000)

  it("goes on when its process is killed, by one other alone", async () => {
    const { pushes, stop } = await charge()
    const before = (await pushes("PATCH session")).length
    await door.kill("SIGKILL")
    door = await start({ PORT: new URL(env["PUBLIC_URL"]!).port })
    await until("more updates", async () =>
      (await pushes("PATCH session")).length > before + 2 ? true : undefined
    )
    await stop()
    await until("the CDR", async () => (await pushes("POST cdr"))[0])
    // Whoever takes it up tells the whole session; perhaps while nobody is at the door.
    assert.isAtMost((await pushes("PUT session")).length, 2)
    assert.lengthOf(await pushes("POST cdr"), 1)
    assertOnce(await pushes("PATCH session"))
  }, 90_000)
})

function assertOnce(updates: ReadonlyArray<any>) {
  const instants = updates.map(({ request }) => JSON.parse(request.body).last_updated as string)
  assert.deepStrictEqual([...new Set(instants)], instants)
}
