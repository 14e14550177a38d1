/** docs/security.md has every row, and every test that it names is there. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const text = readFileSync(join(root, "docs/security.md"), "utf8")
const rows = [...text.matchAll(/^\| (B\d+) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]

describe("docs/security.md", () => {
  it("has the rows from B1 on, each once and in order", () => {
    assert.isAtLeast(rows.length, 36)
    assert.deepStrictEqual(
      rows.map(([, id]) => id),
      Array.from({ length: rows.length }, (_, index) => `B${index + 1}`)
    )
  })

  it("names tests that are there", () => {
    for (const [, id, , tests] of rows) {
      const files = [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
      assert.isNotEmpty(files, id)
      for (const file of files) {
        assert.match(file, /^test\/.+\.test\.ts$/, id)
        assert.isTrue(existsSync(join(root, file)), `${id}: ${file}`)
      }
    }
  })
})
