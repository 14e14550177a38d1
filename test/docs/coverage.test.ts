/** docs/coverage.md is what the code says it is. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { asked } from "../../docs/tables/asked.ts"
import { beyond, catalogueRows, completed, coverageOf, reasonOf } from "../../docs/tables/catalogue.ts"
import { coverage } from "../../docs/tables/coverage.ts"
import { partyAsks } from "../../docs/tables/partyAsks.ts"
import { served } from "../../docs/tables/served.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const catalogue = read("docs/tables/catalogue.csv")
const rows = catalogueRows(catalogue)

/** Operations that a file names; of a template, what stands after the method. */
const operationsIn = (file: string) =>
  [...read(file).matchAll(/operation: (?:"([^"]+)"|`\$\{\w+\}([^`]+)`)/g)].map(
    ([, text, tail]) => text ?? tail!
  )

describe("docs/coverage.md", () => {
  it("is as the code is; if not, run: npm run coverage", () => {
    const now = coverage(catalogue)
    assert.isTrue(read("docs/coverage.md") === now, "docs/coverage.md is stale; run: npm run coverage")
  })

  it("knows every request that the party makes by itself; if not, add it to docs/tables/partyAsks.ts", () => {
    const files = readdirSync(join(root, "src/party"), { recursive: true, encoding: "utf8" })
    const written = files
      .filter((file) => file.endsWith(".ts") && !file.startsWith("modules"))
      .flatMap((file) => operationsIn(join("src/party", file)))
    const known = partyAsks.map(({ operation }) => operation)
    assert.isNotEmpty(written)
    const isKnown = (operation: string) => known.some((one) => one.endsWith(operation))
    assert.deepStrictEqual(
      written.filter((operation) => !isKnown(operation)),
      []
    )
  })
})

describe("the catalogue of checks", () => {
  it("has a row for each check, each id once, with words that mean something", () => {
    assert.deepStrictEqual(
      beyond(rows),
      [],
      "these have no row in docs/tables/catalogue.csv; run: npm run coverage"
    )
    assert.strictEqual(new Set(rows.map(({ id }) => id)).size, rows.length)
    for (const { id, mode, partner, severity, versions } of rows) {
      assert.match(id, /^[A-Z]+-\d{3}$/)
      assert.include(["RO", "OBS", "MUT", "RISK"], mode, id)
      assert.include(["CPO", "EMSP", "either", "HUB", "PTP"], partner, id)
      assert.include(["FAIL", "WARN", "INFO"], severity, id)
      assert.isNotEmpty(versions, id)
    }
  })

  it.each(["VERS-001", "LOC-005", "LOC-020", "TAR-035", "TAR-105", "TOK-125"])(
    "gets the row of a new check where it belongs: %s",
    (id) => {
      const whole = completed(catalogue)
      const without = whole.split("\n").filter((line) => !line.startsWith(id))
      assert.deepStrictEqual(completed(without.join("\n")).split("\n"), whole.split("\n"))
    }
  )

  it("keeps a row that wants more than its check does", () => {
    const row = "CRED-010,all,either,MUT,WARN"
    assert.include(completed(catalogue.replace(/^CRED-010,.*$/m, row)), `\n${row}\n`)
  })

  it("reads a range of versions and a list of them", () => {
    const text = "id,versions,partner,mode,severity\nA-001,2.2.1+,CPO,RO,FAIL\nA-002,2.1.1 2.2,CPO,RO,FAIL\n"
    assert.deepStrictEqual(
      catalogueRows(text).map(({ versions }) => versions),
      [
        ["2.2.1", "2.3.0"],
        ["2.1.1", "2.2"]
      ]
    )
  })

  it("says of a check which faults prove it, and which versions it leaves out", () => {
    const row = rows.find(({ id }) => id === "VERS-008")!
    const { faults, inSuites, lacks } = coverageOf(row)
    assert.isTrue(inSuites)
    assert.include(faults, "versions.no-credentials-endpoint")
    assert.deepStrictEqual(lacks, [])
  })

  it("gives a reason for what is not checked", () => {
    const hub = rows.find(({ partner }) => partner === "HUB")!
    assert.match(reasonOf(hub, rows.map(coverageOf)), /hub/)
  })
})

describe("what the party serves and asks", () => {
  it("follows the role", () => {
    const profile = profileOf("2.2.1")
    assert.match(served(profile, "CPO", "sessions"), /^SENDER: .*`GET \/`/)
    assert.match(served(profile, "EMSP", "sessions"), /^RECEIVER: .*PUT PATCH/)
    assert.match(asked(profile, "CPO", "sessions"), /charging: `PUT session`/)
    assert.notMatch(asked(profile, "EMSP", "sessions"), /charging:/)
  })

  it("follows the version", () => {
    assert.match(asked(profileOf("2.2"), "EMSP", "commands"), /POST CANCEL_RESERVATION/)
    assert.notMatch(asked(profileOf("2.1.1"), "EMSP", "commands"), /CANCEL_RESERVATION/)
    assert.strictEqual(served(profileOf("2.1.1"), "CPO", "chargingprofiles"), "")
  })
})
