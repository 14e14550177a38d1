/** `plugfest secrets rotate` on the built service: a new encryption key takes over while handshakes go on. */
import { assert, describe, inject, it } from "vitest"
import { plugfest } from "../support/service/command.ts"
import { migratedDatabase, rows } from "../support/service/database.ts"
import { connectSandbox, freePort, type Service, startService } from "../support/service/Service.ts"
import { tried } from "../support/tried.ts"

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString("base64")}`
const [k1, k2] = [key("k1", 1), key("k2", 2)]

const renew = async (service: Service, connectionId: string) => {
  const answer = await service.call("POST", `/api/v1/connections/${connectionId}/handshake`)
  return answer.status === 200 && answer.body.data.lastError === undefined
}

describe("a new encryption key", () => {
  it("takes over while handshakes go on; then the old one may go", async () => {
    const database = await migratedDatabase(inject("pgUrl"))
    const env = { DATABASE_URL: database, PORT: String(await freePort()) }
    const old = await startService({ ...env, ENCRYPTION_KEYS: k1 })
    const connections: Array<string> = []
    for (let made = 0; made < 6; made += 1) {
      connections.push((await connectSandbox(old, { activity: "quiet" })).connectionId)
    }
    await old.kill("SIGTERM")

    const both = await startService({ ...env, ENCRYPTION_KEYS: `${k2},${k1}` })
    let over = false
    let handshakes = 0
    let failed = 0
    const traffic = (async () => {
      do {
        for (const one of connections) {
          handshakes += 1
          if (!(await renew(both, one))) failed += 1
        }
      } while (!over)
    })()
    const rotated = await plugfest(["secrets", "rotate"], { ...env, ENCRYPTION_KEYS: `${k2},${k1}` })
    over = true
    await traffic
    assert.strictEqual(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stderr, /secrets? sealed with the first encryption key/)
    assert.strictEqual(failed, 0, both.output())
    const [left] = await rows(
      database,
      "SELECT count(*)::int AS n FROM party_token WHERE sealed NOT LIKE 'v1.k2.%'"
    )
    assert.strictEqual(left.n, 0)
    await both.kill("SIGTERM")

    const fresh = await startService({ ...env, ENCRYPTION_KEYS: k2 })
    assert.isTrue(await renew(fresh, connections[0]!))
    await fresh.kill("SIGTERM")
    tried("B17", [`${failed} failed`], `${handshakes} handshakes during the rotation`)
  }, 120_000)

  it("without the old one leaves secrets that cannot be read: each is named, none is shown, exit code 2", async () => {
    const database = await migratedDatabase(inject("pgUrl"))
    const env = { DATABASE_URL: database, PORT: String(await freePort()) }
    const old = await startService({ ...env, ENCRYPTION_KEYS: k1 })
    const { connectionId, partner } = await connectSandbox(old, { activity: "quiet" })
    await old.kill("SIGTERM")
    const rotated = await plugfest(["secrets", "rotate"], { ...env, ENCRYPTION_KEYS: k2 })
    assert.strictEqual(rotated.code, 2)
    assert.match(rotated.stderr, new RegExp(`party:${connectionId} cannot be read: encryption key "k1"`))
    assert.notInclude(rotated.stderr, partner.tokenA)

    const lost = await startService({ ...env, ENCRYPTION_KEYS: k2 })
    const renewed = await lost.call("POST", `/api/v1/connections/${connectionId}/handshake`)
    assert.strictEqual(renewed.status, 422, "without its token it cannot be registered anew")
    assert.match(renewed.body.message ?? "", /no token to call the partner with/)
    const view = await lost.call("GET", `/api/v1/connections/${connectionId}`)
    assert.notInclude(lost.output() + renewed.text + view.text, partner.tokenA)
    assert.strictEqual((await lost.call("GET", "/health/ready")).status, 200)
    await lost.kill("SIGTERM")
  }, 60_000)
})
