/** Row 14: a first key that anybody guesses, a door that is open to all, and a key that comes back after it was revoked. */
import { spawn } from "node:child_process"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { bundle, environmentOf, freePort } from "../support/service/Service.ts"
import { ask, attack } from "./support/attack.ts"

const strong = "pf_attack_4fQ8zN1kXv7Lw2Rj9TbYc6HdS3mGpUeA"
/** Long enough for the form, and guessed by whoever guesses. */
const weak = [
  "aaaaaaaaaaaaaaaa",
  "a".repeat(64),
  "0000000000000000",
  "1234567890123456",
  "abcdefghijklmnop",
  "abababababababab",
  "passwordpassword",
  "changemechangeme"
]

interface Booted {
  readonly url: string
  /** Everything that it wrote. */
  readonly output: () => string
  /** Undefined while it runs. */
  readonly code: () => number | string | null | undefined
  readonly end: () => Promise<void>
}

/** Starts the service with these settings and nothing else, and waits until it listens or has ended. */
async function booted(env: Record<string, string>): Promise<Booted> {
  const port = String(await freePort())
  let text = ""
  let code: number | string | null | undefined
  const child = spawn(process.execPath, [bundle, "serve"], {
    env: environmentOf({ LOG_FORMAT: "json", PORT: port, ...env }),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const gone = new Promise<void>((resolve) =>
    child.once("exit", (status, signal) => {
      code = status ?? signal
      resolve()
    })
  )
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk
    })
  const end = performance.now() + 30_000
  while (code === undefined && !/"message":"listening"/.test(text) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => text,
    code: () => code,
    end: async () => {
      child.kill("SIGTERM")
      const late = setTimeout(() => child.kill("SIGKILL"), 8000)
      await gone
      clearTimeout(late)
    }
  }
}

describe("a bootstrap key", () => {
  let database: string
  const processes: Array<Booted> = []
  const lines: Array<string> = []

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
  }, 60_000)
  afterAll(async () => {
    attack("14", ...lines)
    await Promise.all(processes.map((one) => one.end()))
  })

  const start = async (env: Record<string, string>) => {
    const one = await booted({ DATABASE_URL: database, ...env })
    processes.push(one)
    return one
  }
  /** Lines that warn, or say why it ended, and name this setting. */
  const warned = ({ code, output }: Booted, setting: string) =>
    output()
      .split("\n")
      .some(
        (line) => line.includes(setting) && (code() !== undefined || /"level":"(warn|error|fatal)/.test(line))
      )
  const account = (one: Booted, key: string) =>
    ask(`${one.url}/api/v1/settings/account`, { headers: { authorization: `Bearer ${key}` } })

  it("that anybody guesses is refused, or warned of, where everybody can reach it", async () => {
    const silent: Array<string> = []
    const told: Array<string> = []
    for (let at = 0; at < weak.length; at += 3)
      await Promise.all(
        weak.slice(at, at + 3).map(async (key) => {
          const one = await start({ HOST: "0.0.0.0", BOOTSTRAP_API_KEY: key })
          if (!warned(one, "BOOTSTRAP_API_KEY")) silent.push(key)
          if (one.output().includes(key)) told.push(key)
          await one.end()
        })
      )
    lines.push(`${weak.length} weak keys with HOST=0.0.0.0: ${silent.length} taken without a word`)
    assert.deepStrictEqual(silent, [])
    assert.deepStrictEqual(told, [], "the key itself is in no line")
  }, 120_000)

  it("that is strong is taken without a word", async () => {
    const one = await start({ BOOTSTRAP_API_KEY: strong })
    assert.isUndefined(one.code(), one.output())
    assert.isFalse(warned(one, "BOOTSTRAP_API_KEY"), one.output())
    assert.strictEqual((await account(one, strong)).status, 200)
    await one.end()
  }, 60_000)

  it("goes with warnings of what else is open: metrics, and a PUBLIC_URL that anybody can read along", async () => {
    const one = await start({
      HOST: "0.0.0.0",
      BOOTSTRAP_API_KEY: strong,
      PUBLIC_URL: "http://plugfest.example.com"
    })
    const silent = ["METRICS_TOKEN", "PUBLIC_URL"].filter((setting) => !warned(one, setting))
    lines.push(`open metrics and http PUBLIC_URL: ${silent.length} of 2 without a word`)
    assert.deepStrictEqual(silent, [], one.output())
    await one.end()
    const closed = await start({
      HOST: "0.0.0.0",
      BOOTSTRAP_API_KEY: strong,
      METRICS_TOKEN: "metrics_9sK2mX7vQ4nB8tRw",
      PUBLIC_URL: "https://plugfest.example.com"
    })
    for (const setting of ["METRICS_TOKEN", "PUBLIC_URL"])
      assert.isFalse(warned(closed, setting), closed.output())
    await closed.end()
  }, 60_000)

  it("that was revoked stays so after a restart, and so does one that was rolled", async () => {
    const own = { DATABASE_URL: await migratedDatabase(inject("pgUrl")) }
    for (const [how, key] of [
      ["DELETE", `${strong}Del`],
      ["roll", `${strong}Rol`]
    ] as const) {
      const env = { ...own, BOOTSTRAP_API_KEY: key }
      const first = await start(env)
      assert.strictEqual((await account(first, key)).status, 200, first.output())
      const bearer = { authorization: `Bearer ${key}` }
      const all = await ask(`${first.url}/api/v1/settings/api-keys`, { headers: bearer })
      const { _id } = all.json.data.find((one: any) => key.endsWith(one.last4) && one.revokedAt === null)
      const place = `${first.url}/api/v1/settings/api-keys/${_id}`
      const over =
        how === "DELETE"
          ? await ask(place, { method: "DELETE", headers: bearer })
          : await ask(`${place}/roll`, { method: "POST", headers: bearer, body: { overlapDays: 0 } })
      assert.isBelow(over.status, 300, over.text)
      const gone = await account(first, key)
      assert.strictEqual(gone.status, 401, `${how}: ${gone.text}`)
      await first.end()
      for (const restart of ["a restart", "another restart"]) {
        const again = await start(env)
        const status = again.code() === undefined ? (await account(again, key)).status : 401
        lines.push(`after ${how} and ${restart}: ${status}`)
        assert.strictEqual(status, 401, `${how}, ${restart}: the key is good again`)
        await again.end()
      }
    }
  }, 90_000)
})
