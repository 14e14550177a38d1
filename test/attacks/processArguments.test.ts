/** Row 20: what other users of the machine see of a process: its arguments. */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { environmentOf, key, startProcess } from "../support/service/Service.ts"
import { attack } from "./support/attack.ts"

const keys = {
  encryption: Buffer.alloc(32, "e").toString("base64"),
  metrics: "of-metrics-0123456789abcdef",
  otlp: "of-collector-0123456789abcdef"
}

const isLinux = process.platform === "linux"
if (!isLinux) process.stdout.write("skipped: attack 20 is not played, only Linux shows arguments in /proc\n")

describe.skipIf(!isLinux)("the arguments of a service", () => {
  let started: Awaited<ReturnType<typeof startProcess>>
  let seen = 0
  const secrets = [key, ...Object.values(keys), "e2e_service"]

  beforeAll(async () => {
    const { DATABASE_ADMIN_URL, DATABASE_URL } = environmentOf({
      DATABASE_URL: await migratedDatabase(inject("pgUrl"))
    })
    const flags = ["--port", "0", "--log-format", "json", "--bootstrap-api-key", key]
    const more = [`--encryption-keys=k1:${keys.encryption}`, "--metrics-token", keys.metrics]
    const database = ["--database-url", DATABASE_URL!, `--database-admin-url=${DATABASE_ADMIN_URL}`]
    const traces = ["--otlp-headers", `x-key=${keys.otlp}`]
    started = await startProcess(["serve", ...flags, ...more, ...database, ...traces], {}, /"listening"/)
  }, 60_000)
  afterAll(async () => {
    attack("20", `${secrets.length} secrets as flags`, `${seen} seen`)
    started?.child.kill("SIGTERM")
    await started?.gone
  })

  it("tell none of the secrets that were given as flags, and the log says to set the variables", () => {
    const shown = readFileSync(`/proc/${started.child.pid}/cmdline`, "latin1")
    const told = secrets.filter((secret) => shown.includes(secret))
    seen = told.length
    assert.deepStrictEqual(told, [])
    assert.include(shown, "serve --port 0")
    const warned = [...started.output().matchAll(/Set ([A-Z_]+) instead/g)].map(([, name]) => name)
    assert.deepStrictEqual(warned.sort(), [
      "BOOTSTRAP_API_KEY",
      "DATABASE_ADMIN_URL",
      "DATABASE_URL",
      "ENCRYPTION_KEYS",
      "METRICS_TOKEN",
      "OTLP_HEADERS"
    ])
    for (const secret of secrets.slice(0, -1)) assert.notInclude(started.output(), secret)
  })
})
