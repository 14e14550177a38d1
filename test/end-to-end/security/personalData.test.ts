/** Exports of the built service: what drivers are recognised by is there for keys that may see it, and for no others. */
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, startService, until } from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"

const reports = ["junit", "json", "html", "markdown", "har"] as const
const ledgers = ["ledger", "signed"] as const

describe("what is personal in exports", () => {
  let service: Service
  let runId: string
  let reader: string
  /** Ids of tokens and contracts in what the partner answered. */
  let personal: ReadonlyArray<string>

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const { connectionId } = await connectSandbox(service)
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", modules: ["sessions", "cdrs"] }
    runId = succeeded(await service.call("POST", "/api/v1/testing/runs", order), 202)._id
    await until(
      "the run to end",
      async () => {
        const report = succeeded(await service.call("GET", `/api/v1/testing/runs/${runId}?wait=5`))
        return report.verdict === null ? undefined : true
      },
      90_000
    )
    const made = await service.call("POST", "/api/v1/settings/api-keys", { name: "reader", scopes: ["read"] })
    reader = succeeded(made, 201).key
    const { text } = await exported("json", "shown")
    const values = [...text.matchAll(/\\"(?:uid|contract_id)\\": ?\\"([^"\\]+)\\"/g)].map(
      ([, value]) => value!
    )
    const places = new Set([...text.matchAll(/\\"evse_uid\\": ?\\"([^"\\]+)\\"/g)].map(([, value]) => value!))
    personal = [...new Set(values)].filter((value) => value.length >= 5 && !places.has(value))
    assert.isNotEmpty(personal)
  }, 150_000)
  afterAll(() => service?.kill("SIGTERM"))

  const exported = (format: string, personalData?: string, as = key) =>
    service.call(
      "GET",
      `/api/v1/testing/runs/${runId}/export?format=${format}${personalData === undefined ? "" : `&personalData=${personalData}`}`,
      undefined,
      { authorization: `Bearer ${as}` }
    )

  it("is masked in every form of the report, for every key, unless it is asked for", async () => {
    for (const as of [key, reader])
      for (const format of reports)
        for (const wish of [undefined, "masked"]) {
          const { status, text } = await exported(format, wish, as)
          assert.strictEqual(status, 200, text)
          for (const value of personal) assert.notInclude(text, value, format)
        }
    assert.match((await exported("json")).text, /«token:1»/)
  }, 60_000)

  it("is shown to a key with the scope alone, and so is the ledger; the audit log tells who has had it", async () => {
    for (const format of reports) {
      const refused = await exported(format, "shown", reader)
      assert.strictEqual(refused.status, 403, refused.text)
      assert.match(refused.body.message ?? "", /personal:read/)
      assert.strictEqual((await exported(format, "shown")).status, 200)
    }
    for (const format of ledgers) {
      assert.strictEqual((await exported(format, undefined, reader)).status, 403)
      const { text } = await exported(format)
      const lines = format === "ledger" ? text : Buffer.from(JSON.parse(text).payload, "base64").toString()
      for (const value of personal) assert.include(lines, value)
    }
    assert.strictEqual((await exported("json", "everything")).status, 400)
    const entries: Array<any> = succeeded(await service.call("GET", "/api/v1/settings/audit?limit=100"))
    const of = (status: number) =>
      entries.filter(
        (one) => one.action === "testing.exportRun" && one.status === status && one.target === runId
      )
    assert.lengthOf(of(200), reports.length + ledgers.length + 1)
    assert.lengthOf(of(403), reports.length + ledgers.length)
  }, 60_000)

  it("leaves a ledger that can be verified by whoever may have it, and keeps the working views as they are", async () => {
    const file = join(tmpdir(), `plugfest-personal-${runId}.json`)
    writeFileSync(file, (await exported("ledger")).text)
    const verified = await plugfest(["verify", "--file", file], {})
    assert.strictEqual(verified.code, 0, verified.stderr)
    const events = await service.call("GET", `/api/v1/testing/runs/${runId}/checks`, undefined, {
      authorization: `Bearer ${reader}`
    })
    assert.strictEqual(events.status, 200)
  }, 60_000)

  it("is masked at the command line, too, unless --unmasked is given", async () => {
    const run = (...args: ReadonlyArray<string>) =>
      plugfest(["report", runId, "--format", "har", ...args], {
        PLUGFEST_URL: service.url,
        PLUGFEST_API_KEY: key
      })
    const [masked, shown] = [await run(), await run("--unmasked")]
    assert.deepStrictEqual([masked.code, shown.code], [0, 0], masked.stderr + shown.stderr)
    for (const value of personal) {
      assert.notInclude(masked.stdout, value)
      assert.include(shown.stdout, value)
    }
  }, 60_000)
})
