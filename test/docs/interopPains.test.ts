/** Every check that the table of interoperability problems names exists, and a fault of the sandbox proves it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { faultLibrary } from "../../src/sandbox/faults/faultLibrary.ts"

const text = readFileSync(join(import.meta.dirname, "../../docs/interop-pains.md"), "utf8")
const rows = text.split("\n").filter((line) => /^\| \d+ \|/.test(line))
const id = /\b([A-Z]{2,5})-(\d{3})\b/g

/** The checks that a text names, those between the ends of `LOC-001 to LOC-003` too. */
const namedIn = (line: string): ReadonlyArray<string> => [
  ...[...line.matchAll(id)].map(([name]) => name),
  ...[...line.matchAll(/\b([A-Z]{2,5})-(\d{3})\**\s+to\s+\**\1-(\d{3})\b/g)].flatMap(([, family, from, to]) =>
    allChecks
      .map((check) => check.id)
      .filter((one) => one.startsWith(`${family}-`) && one.slice(-3) > from! && one.slice(-3) < to!)
  )
]

const isProven = (check: string) => faultLibrary.some(({ caughtBy }) => caughtBy.includes(check))
const isThere = (check: string) =>
  allChecks.some((one) => one.id === check) ||
  templates.some(({ stages }) => stages.some(({ expect }) => expect.some(({ checkId }) => checkId === check)))

describe("the fifteen problems", () => {
  it("are fifteen, and each has something that answers it", () => {
    assert.lengthOf(rows, 15)
    for (const row of rows) assert.isNotEmpty(namedIn(row.split("|")[3] ?? ""), row)
  })

  it("are answered by checks that exist and catch a fault", () => {
    const named = [...new Set(namedIn(rows.join("\n")))]
    assert.isAbove(named.length, 100)
    assert.deepStrictEqual(
      named.filter((one) => !isThere(one)),
      []
    )
    assert.deepStrictEqual(
      named.filter((one) => !isProven(one)),
      []
    )
  })
})
