/** `plugfest validate` as a person runs it: no server and no database. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { books } from "../../support/ocpi/books.ts"
import { plugfest } from "../../support/service/command.ts"
import { bundle, environmentOf } from "../../support/service/Service.ts"

let folder = ""
const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plugfest-validate-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("plugfest validate", () => {
  it("ends with 0 when the object is valid", async () => {
    const path = file("good.json", JSON.stringify(books["2.3.0"].example("Tariff", true)))
    const { code, stdout } = await plugfest(["validate", "--ocpi-version", "2.3.0", "tariff", path])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^valid Tariff of OCPI 2\.3\.0 \(mod_tariffs, Tariff Object\)/)
  })

  it("prints every violation and ends with 1 when it is not", async () => {
    const path = file("bad.json", JSON.stringify({ id: "1", standard: "PLUG", "red\u001b[31m": 1 }))
    const { code, stdout } = await plugfest(["validate", "--ocpi-version", "2.2.1", "Connector", path])
    assert.strictEqual(code, 1)
    assert.match(stdout, /\/standard {2}enum: .*\[mod_locations, Connector Object\]/)
    assert.match(stdout, /\/format {2}required: format is missing/)
    assert.notInclude(stdout, "\u001b")
  })

  it("says of a violation what was seen and what is expected, each once", async () => {
    const location = { city: 5, country: "NL", coordinates: { latitude: "north" } }
    const path = file("seen.json", JSON.stringify(location))
    const { stdout } = await plugfest(["validate", "--ocpi-version", "2.2.1", "Location", path])
    const said = (pointer: string) =>
      stdout.split(/\n(?= {2}\S)/).filter((lines) => lines.startsWith(`  ${pointer}  `))
    assert.match(said("/country").join(), /\n {6}seen: "NL"\n {6}expected: a country code of three /)
    assert.match(said("/city").join(), /city is 5; expected text of .*\]$/)
    const [latitude = ""] = said("/coordinates/latitude")
    assert.match(latitude, /\n {6}seen: "north"$/)
    assert.lengthOf(latitude.split("51.047599"), 2)
    assert.notInclude(said("/last_updated").join(), "seen:")
  })

  it("prints the report as JSON when asked", async () => {
    const path = file("bare.json", "{}")
    const { code, stdout } = await plugfest(["validate", "--ocpi-version", "2.1.1", "--json", "Token", path])
    assert.strictEqual(code, 1)
    const report = JSON.parse(stdout)
    assert.strictEqual(report.violationCount, report.violations.length)
    assert.strictEqual(report.object, "Token")
  })

  it("ends with its own code when the reader of its output is gone", async () => {
    const path = file("unread.json", JSON.stringify(books["2.3.0"].example("Tariff", true)))
    const args = [bundle, "validate", "--ocpi-version", "2.3.0", "tariff", path]
    const child = spawn(process.execPath, args, { env: environmentOf({}), stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.destroy()
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
    })
    const code = await new Promise((resolve) => child.once("exit", resolve))
    assert.deepStrictEqual([code, said], [0, ""])
  })

  it("hands the whole report to a reader that is slow, though the object is not valid", async () => {
    // More than the buffers of a pipe take: else the command ends before anybody reads, and the test's own pipe drops it all.
    const unknown = { ["x".repeat(500)]: 1 }
    const evses = Array.from({ length: 1500 }, (_, uid) => ({ uid, evse_id: 1, floor_level: 3, ...unknown }))
    const path = file("long.json", JSON.stringify({ id: "1", evses }))
    const args = [bundle, "validate", "--ocpi-version", "2.2.1", "--json", "Location", path]
    const child = spawn(process.execPath, args, {
      env: environmentOf({}),
      stdio: ["ignore", "pipe", "ignore"]
    })
    const ended = new Promise((resolve) => child.once("close", resolve))
    await setTimeout(1_500)
    let printed = ""
    for await (const chunk of child.stdout.setEncoding("utf8")) printed += chunk
    const report = JSON.parse(printed)
    assert.strictEqual(report.violationCount > 5_000, true)
    assert.strictEqual(await ended, 1)
  })

  it("reads stdin, and ends with 2 when that is no JSON", async () => {
    const { code, stderr } = await plugfest(["validate", "--ocpi-version", "2.2.1", "Token", "-"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /stdin is not JSON/)
  })

  it("ends with 2 when it cannot be asked", async () => {
    const path = file("any.json", "{}")
    const ends = await Promise.all(
      [
        ["--ocpi-version", "2.2.1", "Plug", path],
        ["--ocpi-version", "2.1.1", "ClientInfo", path],
        ["--ocpi-version", "9.9", "Token", path],
        ["--ocpi-version", "2.2.1", "Token", join(folder, "nowhere.json")]
      ].map((args) => plugfest(["validate", ...args]))
    )
    assert.deepStrictEqual(
      ends.map(({ code }) => code),
      [2, 2, 2, 2]
    )
    assert.match(ends[0]!.stderr, /"Plug" is no OCPI object; there are: .*Token/)
  })
})
