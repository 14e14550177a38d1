/** BOOTSTRAP_API_KEY of the built service: which are accepted where, and that a revocation outlives a restart. */
import { spawnSync } from "node:child_process"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { apiKeyOf } from "../../src/store/secrets/apiKey.ts"
import { plugfest } from "../support/service/command.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { bundle, freePort, type Service, startService, until } from "../support/service/Service.ts"
import { refused, succeeded } from "../support/service/shapes.ts"
import { tried } from "../support/tried.ts"

const settings = "/api/v1/settings"
const strong = "9b1f6c0a7e3d52848f0c6be19a27d4537c90ef1b86a2d34c5e7f08192b3a4c6d"
const weak = ["aaaaaaaaaaaaaaaa", "0123456789abcdef".repeat(4), "my-super-secret-bootstrap-key-for-plugfest"]
const hosts = ["0.0.0.0", "::", "plugfest.internal"]

const warningsOf = (service: Service): ReadonlyArray<string> =>
  service
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === "warn")
    .map(({ message }) => message)

it("that can be guessed is refused before anything listens where others reach it", () => {
  const guessable = [...weak, apiKeyOf("a".repeat(33))]
  const asked = [
    ...guessable.map((key) => [hosts[0]!, key] as const),
    ...hosts.slice(1).map((host) => [host, weak[0]!] as const)
  ]
  for (const [HOST, BOOTSTRAP_API_KEY] of asked) {
    const { status, stderr, stdout } = spawnSync(process.execPath, [bundle, "serve"], {
      // Nothing listens at this database: it is not even asked.
      env: {
        PATH: process.env["PATH"],
        HOST,
        BOOTSTRAP_API_KEY,
        DATABASE_URL: "postgres://u@127.0.0.1:9/d"
      },
      encoding: "utf8",
      timeout: 60_000
    })
    assert.strictEqual(status, 2, stderr)
    assert.match(stderr, /^BOOTSTRAP_API_KEY .* can be guessed: .*openssl rand -hex 32/m)
    assert.notInclude(stderr + stdout, BOOTSTRAP_API_KEY)
  }
  tried("B36", [`${guessable.length} keys that can be guessed`, `${hosts.length} hosts`], "refused at boot")
}, 240_000)

describe("a bootstrap key", () => {
  let database: string
  const started: Array<Service> = []
  const start = async (env: Record<string, string>) => {
    const service = await startService({ DATABASE_URL: database, ...env })
    started.push(service)
    return service
  }
  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
  }, 120_000)
  afterAll(() => Promise.all(started.map((service) => service.kill("SIGTERM"))))

  const account = (service: Service, key: string) =>
    service.call("GET", `${settings}/account`, undefined, { authorization: `Bearer ${key}` })
  /** The id of the key with these last four characters. */
  const idOf = async (service: Service, key: string): Promise<string> =>
    succeeded(await service.call("GET", `${settings}/api-keys`)).find(
      ({ last4, name }: { last4: string; name: string }) => name === "bootstrap" && last4 === key.slice(-4)
    )._id

  it("that can be guessed works on this machine, and the log says what to do", async () => {
    const service = await start({ BOOTSTRAP_API_KEY: weak[0]! })
    succeeded(await account(service, weak[0]!))
    assert.lengthOf(warningsOf(service), 1)
    assert.match(warningsOf(service)[0]!, /^BOOTSTRAP_API_KEY .*Only this machine.*openssl rand/)
  })

  it.each([strong, apiKeyOf("Zk3QwR8tYv1LmNb6XcD4fGh7JpS2aEu9T")])(
    "is refused for good when it is revoked, in every process and after every restart (%#)",
    async (key) => {
      // Has another key, and is told of this one, too: both processes accept it.
      const other = await start({})
      const before = await start({ BOOTSTRAP_API_KEY: key })
      const told = await start({ BOOTSTRAP_API_KEY: key })
      for (const service of [before, told]) {
        succeeded(await account(service, key))
        assert.deepStrictEqual(warningsOf(service), [])
      }
      const id = await idOf(other, key)
      succeeded(await other.call("DELETE", `${settings}/api-keys/${id}`))
      for (const service of [before, told])
        await until("the key to be refused", async () =>
          (await account(service, key)).status === 401 ? true : undefined
        )
      await before.kill("SIGTERM")
      await told.kill("SIGKILL")
      for (let starts = 0; starts < 2; starts++) {
        const after = await start({ BOOTSTRAP_API_KEY: key })
        refused(await account(after, key), 401)
        assert.match(
          warningsOf(after).join("\n"),
          new RegExp(
            `^The key of BOOTSTRAP_API_KEY \\(${id}\\) was revoked .* stays refused\\. Set another one`
          )
        )
        assert.notInclude(after.output(), key)
        await after.kill("SIGTERM")
      }
    },
    120_000
  )

  it("that was rolled ends when the roll says so, whatever is started in between", async () => {
    const rolled = [...strong].reverse().join("")
    const first = await start({ BOOTSTRAP_API_KEY: rolled })
    const other = await start({})
    const id = await idOf(other, rolled)
    succeeded(await other.call("POST", `${settings}/api-keys/${id}/roll`, { overlapDays: 1 }), 201)
    await first.kill("SIGTERM")
    const second = await start({ BOOTSTRAP_API_KEY: rolled })
    succeeded(await account(second, rolled))
    assert.match(warningsOf(second).join(), /^The key of BOOTSTRAP_API_KEY \(key_.*\) expires 2/)
    await second.kill("SIGTERM")
    const { code } = await plugfest(["keys", "revoke", id], { DATABASE_URL: database })
    assert.strictEqual(code, 0)
    const third = await start({ BOOTSTRAP_API_KEY: rolled })
    refused(await account(third, rolled), 401)
  }, 120_000)

  it("can be generated without a database, and is accepted where others reach the service, which warns of the rest", async () => {
    const made = await plugfest(["keys", "generate"], { DATABASE_URL: "postgres://u@127.0.0.1:9/d" })
    const key = made.stdout.trim()
    assert.match(key, /^pf_live_[0-9A-Za-z]{39}$/)
    const service = await start({
      HOST: "0.0.0.0",
      PORT: String(await freePort()),
      BOOTSTRAP_API_KEY: key,
      EGRESS_ALLOW_CIDRS: "10.0.0.0/8"
    })
    succeeded(await account(service, key))
    const said = warningsOf(service)
    assert.lengthOf(said, 3)
    for (const [at, name] of ["METRICS_TOKEN", "PUBLIC_URL", "EGRESS_ALLOW_CIDRS"].entries())
      assert.include(said[at], name)
  }, 60_000)
})
