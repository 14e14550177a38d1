/** docs/strangers.md names the test that holds each point: those tests are there, by file and by name. */
import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const rows = readFileSync("docs/strangers.md", "utf8")
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))

describe("docs/strangers.md", () => {
  it("numbers its points, each with a test that is there", () => {
    assert.isAtLeast(rows.length, 18)
    assert.deepStrictEqual(
      rows.map((row) => Number(/\d+/.exec(row)?.[0])),
      rows.map((_, index) => index + 1)
    )
    const lacking = rows.filter((row) => {
      const files = [...row.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file = ""]) => file)
      return files.length === 0 || !files.every((file) => existsSync(file))
    })
    assert.deepStrictEqual(lacking, [])
  })
})
